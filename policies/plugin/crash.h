/* policies/plugin/crash.h - names the plug-in in whose code the program crashed. */
#ifndef CEGSIM_POLICIES_PLUGIN_CRASH_H
#define CEGSIM_POLICIES_PLUGIN_CRASH_H

#include <stdbool.h>
#include <stdint.h>

struct link_map;

/* Call it before the first plug-in is loaded. From then on SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT print
 * a line that names the plug-in, and end this process with STATUS_IO. Processes forked from it die of the
 * signal. */
void plugin_crash_watch(void);
/* A plug-in was loaded: notes where its code is. `file` is kept by reference. After the first 64 plug-ins no
 * more are noted. */
void plugin_crash_know(const struct link_map *map, const char *file);
/* Whether this is an address in the code of such a plug-in. May be called in a signal handler. */
bool plugin_crash_has(uintptr_t code);

#endif
