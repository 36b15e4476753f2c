/* sim/engine.h - virtual time: slots, the order of simultaneous events, the run loop, the digest.
 *
 * Event sources of a platform are bounded (a next release per task, a completion per resource or per kernel),
 * so each owns a slot that holds at most one pending event. The slots are the leaves of a winner tree:
 * arming, moving and cancelling an event are one walk to the root, without a branch that depends on data and
 * without allocation. The first SIM_NEAR slots are three steps from the root: they are for the sources that
 * fire most, such as the core.
 *
 * Events of one instant are delivered in slot order; a model lays out its slots in the order of its phases
 * (docs/model.md: completions, releases, deadlines). When all events of an instant have been delivered, also
 * those that were armed meanwhile for the same instant, the engine calls settle() once: there the model
 * decides and dispatches. The engine knows nothing else about the model. */
#ifndef CEGSIM_SIM_ENGINE_H
#define CEGSIM_SIM_ENGINE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

#define SIM_NEVER INT64_MAX

struct sim_model {
	void (*deliver)(void *self, uint32_t slot); /* the slot is still armed: arm or disarm it */
	void (*settle)(void *self);
};

enum sim_stop {
	SIM_DRAINED, /* no event is pending */
	SIM_UNTIL,   /* the next event lies beyond the given instant */
	SIM_BUDGET,  /* so many events were delivered; call again to go on */
	SIM_HALTED,  /* the model asked for it */
};

struct sim {
	int64_t now;
	uint64_t events; /* delivered so far */
	uint64_t last;   /* sim_run() ends when there are so many */
	uint64_t digest; /* of every event delivered so far and all that was mixed in */
	bool halted;
	uint32_t slots;
	uint32_t slot_bits; /* of a key, below the instant */
	int64_t latest;     /* the last instant a key can hold; later is never reached */
	uint64_t *tree;     /* keys: instant << slot_bits | slot. tree[1] is the winner; node i is the
			       less of nodes 2i and 2i + 1 */
	uint32_t far;       /* slot s >= SIM_NEAR is node far + s, under node 3 */
	const struct sim_model *model;
	void *self;
};
#define SIM_DISARMED UINT64_MAX
#define SIM_NEAR 4u
#define SIM_NEAR_LEAF 8u /* the near slots are nodes 8 to 11, under node 2 */

/* All slots are disarmed and now = 0. Instants up to `until` must fit the keys: 2^(63 - log2(slots)) ns, two
 * years with 64 slots, a month with 4096. False, with the reason: they do not, or out of memory. */
MUST_CHECK bool sim_init(struct sim *s, struct arena *arena, uint32_t slots, int64_t until,
	const struct sim_model *model, void *self, struct error *err);

static inline int64_t sim_key_time(const struct sim *s, uint64_t key)
{
	return key == SIM_DISARMED ? SIM_NEVER : (int64_t)(key >> s->slot_bits);
}

/* Whether the keys reach that instant; false with the reason, as sim_init(). */
MUST_CHECK bool sim_reaches(const struct sim *s, int64_t until, struct error *err);

/* The instant of the next event, SIM_NEVER if there is none. */
static inline int64_t sim_next(const struct sim *s)
{
	return sim_key_time(s, s->tree[1]);
}

static inline uint32_t sim_leaf(const struct sim *s, uint32_t slot)
{
	return slot + (slot < SIM_NEAR ? SIM_NEAR_LEAF : s->far);
}

/* Writes the less of nodes 2i and 2i + 1, one of which is `key`, into node i. */
static inline uint64_t sim_play(uint64_t *tree, uint32_t i, uint32_t other, uint64_t key)
{
	uint64_t sibling = tree[other];
	key = sibling < key ? sibling : key;
	tree[i] = key;
	return key;
}

static inline void sim_set_key(struct sim *s, uint32_t slot, uint64_t key)
{
	uint64_t *tree = s->tree;
	uint32_t i = sim_leaf(s, slot), near = slot / 2;
	tree[i] = key;
	if (slot < SIM_NEAR) {
		key = sim_play(tree, 4 + near, i ^ 1, key);
		key = sim_play(tree, 2, 5 - near, key);
		sim_play(tree, 1, 3, key);
		return;
	}
	for (; i > 3; i >>= 1)
		key = sim_play(tree, i >> 1, i ^ 1, key);
	sim_play(tree, 1, 2, key);
}

/* at >= now; also moves a pending event. SIM_NEVER disarms. */
static inline void sim_arm(struct sim *s, uint32_t slot, int64_t at)
{
	assert(slot < s->slots && at >= s->now);
	sim_set_key(s, slot, at > s->latest ? SIM_DISARMED : (uint64_t)at << s->slot_bits | slot);
}

static inline void sim_disarm(struct sim *s, uint32_t slot)
{
	sim_set_key(s, slot, SIM_DISARMED);
}

static inline int64_t sim_armed_at(const struct sim *s, uint32_t slot)
{
	return sim_key_time(s, s->tree[sim_leaf(s, slot)]);
}

/* Mixes `value` into the digest, such as the task that an event was about. The next event multiplies the
 * digest, so that order counts. */
static inline void sim_mix(struct sim *s, uint64_t value)
{
	s->digest ^= value * 0xd1342543de82ef95u;
}

/* Ends sim_run() after this instant. */
static inline void sim_halt(struct sim *s)
{
	s->halted = true;
	s->last = 0;
}

/* Delivers events up to and including the instant `until`, at most about max_events of them;
 * an instant is never cut in two. Inline, so that a caller whose model is a constant gets its
 * functions into the loop. */
static inline enum sim_stop sim_run_model(
	struct sim *s, const struct sim_model *model, void *self, int64_t until, uint64_t max_events)
{
	s->last = s->halted ? 0 : s->events + max_events;
	uint64_t slot_mask = (UINT64_C(1) << s->slot_bits) - 1;
	until = until < s->latest ? until : s->latest;

	for (;;) {
		uint64_t key = s->tree[1];
		int64_t now = (int64_t)(key >> s->slot_bits);
		if (now > until || s->events >= s->last) /* SIM_DISARMED is later than anything */
			return s->halted             ? SIM_HALTED
			       : key == SIM_DISARMED ? SIM_DRAINED
			       : now > until         ? SIM_UNTIL
						     : SIM_BUDGET;
		s->now = now;
		uint64_t last_of_now = key | slot_mask;
		do {
			s->events++;
			s->digest = (s->digest ^ key) * 0x9e3779b97f4a7c15u;
			s->digest ^= s->digest >> 29;
			model->deliver(self, (uint32_t)(key & slot_mask));
			key = s->tree[1];
		} while (key <= last_of_now);
		model->settle(self);
	}
}

/* The same for the model that sim_init() was given. */
enum sim_stop sim_run(struct sim *s, int64_t until, uint64_t max_events);

#endif
