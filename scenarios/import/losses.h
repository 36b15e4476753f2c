/* scenarios/import/losses.h - times in which somebody else had what one wanted: another thread the CPU of a
 * thread, another process the GPU of a kernel. They are no work of a job. Only for use in scenarios/import/.
 */
#ifndef CEGSIM_SCENARIOS_IMPORT_LOSSES_H
#define CEGSIM_SCENARIOS_IMPORT_LOSSES_H

#include "scenarios/import/parts.h"

struct part_loss {
	int64_t start_ns, end_ns;
};

/* In order, none overlaps another. */
struct part_losses {
	struct part_loss *at; /* [count], of the import's arena */
	uint32_t count;
};

/* Of a thread: it could have run, and another one had its CPU. */
MUST_CHECK bool part_losses_of_thread(
	struct import *im, uint32_t thread, struct part_losses *l, struct error *err);
/* Of a process on a GPU: from the end of a time slice of its contexts to the begin of their next one. */
MUST_CHECK bool part_losses_of_process(
	struct import *im, uint32_t process, uint32_t gpu, struct part_losses *l, struct error *err);

/* What of [start, end) was lost. */
int64_t part_lost_ns(const struct part_losses *l, int64_t start, int64_t end);

/* Whether the capture says when contexts had this GPU. */
bool part_sliced(const struct capture *c, uint32_t gpu);
/* What time slices there are: how long, and what it took from one context to another. */
MUST_CHECK bool part_note_slices(struct import *im, uint32_t gpu, struct error *err);

#endif
