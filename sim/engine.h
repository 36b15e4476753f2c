/* sim/engine.h - virtual time: slots, the order of simultaneous events, the run loop, the digest.
 *
 * Event sources of a platform are bounded (a next release per task, a completion per resource
 * or per kernel), so each owns a slot that holds at most one pending event. The slots are the
 * leaves of a winner tree: arming, moving and cancelling an event are one walk to the root,
 * without a branch that depends on data and without allocation.
 *
 * Events of one instant are delivered in slot order; a model lays out its slots in the order of
 * its phases (docs/model.md: completions, releases, deadlines). When all events of an instant
 * have been delivered, also those armed meanwhile for the same instant, settle() is called once:
 * there the model decides and dispatches. The engine knows nothing else of the model. */
#ifndef CEGSIM_SIM_ENGINE_H
#define CEGSIM_SIM_ENGINE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/int128.h"

#define SIM_NEVER INT64_MAX

struct sim_model {
	void (*deliver)(void *self, uint32_t slot);  /* the slot is still armed: arm or disarm it */
	void (*settle)(void *self);
};

enum sim_stop {
	SIM_DRAINED,              /* no event is pending */
	SIM_UNTIL,                /* the next event lies beyond the given instant */
	SIM_BUDGET,               /* so many events were delivered; call again to go on */
	SIM_HALTED,               /* the model asked for it */
};

struct sim {
	int64_t now;
	uint64_t events;          /* delivered so far */
	uint64_t digest;          /* of every event delivered so far and all that was mixed in */
	bool halted;
	uint32_t slots, leaves;   /* leaves: a power of two, >= slots */
	uint128 *tree;  /* tree[1] is the winner; leaf of slot s is tree[leaves + s] */
	const struct sim_model *model;
	void *self;
};

/* All slots disarmed, now = 0. False: out of memory. */
MUST_CHECK bool sim_init(struct sim *s, struct arena *arena, uint32_t slots,
	const struct sim_model *model, void *self);

/* Delivers events up to and including the instant `until`, at most about max_events of them;
 * an instant is never cut in two. */
enum sim_stop sim_run(struct sim *s, int64_t until, uint64_t max_events);

/* The instant of the next event, SIM_NEVER if there is none. */
static inline int64_t sim_next(const struct sim *s)
{
	return (int64_t)(uint64_t)(s->tree[1] >> 64);
}

static inline void sim_arm(struct sim *s, uint32_t slot, int64_t at)
{
	assert(slot < s->slots && at >= s->now);
	uint128 winner = (uint128)(uint64_t)at << 64 | slot;
	uint32_t i = s->leaves + slot;
	s->tree[i] = winner;
	for (; i > 1; i >>= 1) {
		uint128 sibling = s->tree[i ^ 1];
		winner = sibling < winner ? sibling : winner;
		s->tree[i >> 1] = winner;
	}
}

static inline void sim_disarm(struct sim *s, uint32_t slot)
{
	sim_arm(s, slot, SIM_NEVER);
}

static inline int64_t sim_armed_at(const struct sim *s, uint32_t slot)
{
	return (int64_t)(uint64_t)(s->tree[s->leaves + slot] >> 64);
}

/* Makes the digest depend on `value`, too: which task an event was about, say. */
static inline void sim_mix(struct sim *s, uint64_t value)
{
	s->digest = (s->digest ^ value) * 0x9e3779b97f4a7c15u;
	s->digest ^= s->digest >> 29;
}

/* Ends sim_run() after this instant. */
static inline void sim_halt(struct sim *s)
{
	s->halted = true;
}

#endif
