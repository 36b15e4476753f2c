/* tests/support/recordings.h - where tests find recordings: real ones, which do not come with the
 * program, and small ones of our own in tests/data/replay.
 *
 * The environment variable CEGSIM_SHARED names the folder with real ones (below it data/recordings);
 * else the folder shared/ beside the source tree is tried. CEGSIM_SOURCE_ROOT, which the build sets,
 * is the source tree (else the current folder). */
#ifndef CEGSIM_TESTS_SUPPORT_RECORDINGS_H
#define CEGSIM_TESTS_SUPPORT_RECORDINGS_H

#include <stdbool.h>
#include <stddef.h>

#define RECORDINGS_PATH 4096

/* Are there real recordings? If not, says so once on standard error. */
bool recordings_real(void);
/* Path of a real recording ("tx2/concurrent_1st_1.json"), or of one of our own ("copies.json"). Fails the
 * test if it does not fit. */
void recordings_path(char path[RECORDINGS_PATH], const char *name);
void recordings_own_path(char path[RECORDINGS_PATH], const char *name);

/* Path of a real capture below data/ ("nsys/cloverleaf-a100.sqlite"). False: it is not there; says so once.
 */
bool recordings_capture(char path[RECORDINGS_PATH], const char *name);
/* Path of a capture of our own in tests/data/captures ("kineto-2023.json"). */
void recordings_own_capture(char path[RECORDINGS_PATH], const char *name);

#endif
