/* captures/build.h - how readers fill a capture; only for use in captures/. */
#ifndef CEGSIM_CAPTURES_BUILD_H
#define CEGSIM_CAPTURES_BUILD_H

#include "captures/capture.h"

/* A new element at the end of its list, zeroed but for indices and times, which are none. NULL: out of
 * memory. */
struct capture_operation *build_operation(struct capture *c, struct error *err);
struct capture_wait *build_wait(struct capture *c, struct error *err);
struct capture_event *build_event(struct capture *c, struct error *err);
struct capture_range *build_range(struct capture *c, struct error *err);
struct capture_running *build_running(struct capture *c, struct error *err);
struct capture_context_slice *build_slice(struct capture *c, struct error *err);

/* The index of the element with that number, which is made if there is none. CAPTURE_NONE: out of memory. */
uint32_t build_device(struct capture *c, int64_t device, struct error *err);
uint32_t build_process(struct capture *c, int64_t pid, struct error *err);
uint32_t build_thread(struct capture *c, uint32_t process, int64_t tid, struct error *err);
uint32_t build_stream(struct capture *c, uint32_t process, uint32_t gpu, int64_t context, int64_t number,
	struct error *err);

/* The same, but nothing is made: CAPTURE_NONE. */
uint32_t build_find_process(const struct capture *c, int64_t pid);
uint32_t build_find_thread(const struct capture *c, uint32_t process, int64_t tid);
/* Of whatever GPU: a context is on one. */
uint32_t build_find_stream(const struct capture *c, uint32_t process, int64_t context, int64_t number);

/* A copy of the text that lives as long as the capture; "" for NULL. NULL: out of memory. */
const char *build_text(struct capture *c, const char *text, struct error *err);
MUST_CHECK bool build_note(struct capture *c, struct error *err, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Orders the lists, lets time begin at 0, and finds the records that waits are for. */
MUST_CHECK bool build_finish(struct capture *c, struct error *err);

void build_sort_running(struct capture *c);

/* Readers: False: *err, with diagnostics where there is a place. */
MUST_CHECK bool nsys_read(struct capture *c, const char *path, struct error *err);
MUST_CHECK bool kineto_read(
	struct capture *c, const char *path, struct diagnostics *diagnostics, struct error *err);

#endif
