/* models/devices.h - several GPUs (models/devices.c); shared by the files of models/ only. */
#ifndef CEGSIM_MODELS_DEVICES_H
#define CEGSIM_MODELS_DEVICES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "models/seldom.h"

struct machine;
struct device;
struct platform;
struct step;

struct devices {
	const struct platform *all; /* as GPU 0 sees it */
	uint32_t queues;            /* hardware queues of each GPU, beside the NULL stream's */
	uint32_t count;             /* 0: there is one GPU, and nothing below means anything */
	uint32_t shown;
	struct device *saved;      /* [count] */
	uint32_t *gate_of;         /* [tasks] where its unit waits, or was admitted */
	bool chosen;               /* there is one gate, and the policy chooses the GPU of each unit */
	const struct step **steps; /* [tasks][count + 1] on each GPU, and on those that segments name */
};

bool devices_init(struct machine *m, struct error *err);  /* first: how many there are */
uint32_t devices_slots(const struct machine *m);          /* of their copies */
bool devices_share(struct machine *m, struct error *err); /* last: what is each one's own */
RARE void devices_show(struct machine *m, uint32_t gpu);
RARE uint32_t devices_turn(
	struct machine *m, uint32_t run); /* shows that of its operation; returns who was */
RARE const struct gate *devices_gate_at(const struct machine *m, uint32_t gpu); /* that GPU's */
RARE struct gate *devices_gate(struct machine *m, uint32_t task);               /* of the task's unit */
RARE void devices_enter(struct machine *m, uint32_t run);                       /* streams_enter() */
RARE void devices_ended(struct machine *m);                                     /* gpu_complete() */
RARE void devices_copied(struct machine *m, uint32_t slot); /* copies_complete(), of GPU 1 and on */
RARE void devices_woken(struct machine *m, uint32_t gpu);   /* gate_woken() */
RARE void devices_decide(struct machine *m);
RARE void devices_dispatch(struct machine *m);
RARE void devices_each(struct machine *m, void (*what)(struct machine *m)); /* also if there is one */
/* Steps of the task on that GPU; on devices.count: those on the GPUs that its segments name. */
void devices_keep(struct machine *m, uint32_t task, uint32_t gpu, const struct step *steps);
const struct step *devices_steps(const struct machine *m, uint32_t task, uint32_t gpu);
RARE void devices_choose(struct machine *m, uint32_t task, uint32_t gpu); /* of the unit that is admitted */
RARE void devices_home(struct machine *m, uint32_t task);                 /* the unit is over */

#endif
