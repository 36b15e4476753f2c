/* runs/replay/captured_rooms.c - when kernels had room on the SMs.
 *
 * A sweep over the record of a unit: each kernel's blocks are placed on SMs when it was recorded to start, as
 * the model places them (models/sm_pool.h), and leave when it was recorded to end. A kernel that is eligible
 * and has not started waits in the order of rule R2; by rule R1 only the first of those that wait may place
 * blocks, and only when the one before has placed all of its own. So for each kernel there is an instant at
 * which it has room, and a kernel whose blocks left then.
 *
 * A kernel of more blocks than fit at a time has some unplaced until its last round, which begins when so
 * much of its time has passed as earlier rounds take.
 *
 * Where all kernels have ended before the next one is eligible, nothing is left to remember: the record is
 * swept in stretches between such instants, each with memory for its own kernels. */
#include <stdlib.h>

#include "models/sm_pool.h"
#include "runs/replay/captured_parts.h"

#define REPLAYING "replaying a profile"

enum event_kind { EVENT_END, EVENT_TAIL, EVENT_ARRIVE, EVENT_START }; /* in this order at one instant */

struct rooms_event {
	int64_t time_ns;
	enum event_kind kind;
	uint32_t kernel;
};

struct rooms_kernel {
	uint32_t operation;
	struct sm_need need;
	uint64_t grid, last; /* blocks, and how many of them are in the last round */
	uint32_t most;       /* blocks that can be resident */
	uint16_t *places;    /* while it runs: [mask + 1] places of its blocks, a ring */
	uint32_t mask, first, placed;
	uint64_t unplaced;
	bool started, ended, has_room;
};

struct rooms {
	struct captured *c;
	struct sm_pool pool;
	struct rooms_kernel *kernels;                    /* [kernel_count] */
	struct rooms_event *events;                      /* [event_count] */
	uint32_t kernel_count, event_count, kernel_room; /* room: kernels for which there is memory */
	uint32_t *running, *waiting;                     /* kernels in order of start, and of eligibility */
	uint32_t running_count, waiting_count;
	uint16_t *scratch; /* [scratch_mask + 1] places of blocks that are only tried */
	uint32_t scratch_mask;
	struct sm_pool_copy saved; /* of the pool, while kernels are tried */
};

/* ---- kernels and events ---- */

static int compare_events(const void *a, const void *b)
{
	const struct rooms_event *x = a, *y = b;
	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return (x->kernel > y->kernel) - (x->kernel < y->kernel);
}

static void add_event(struct rooms *r, int64_t time_ns, enum event_kind kind, uint32_t kernel)
{
	r->events[r->event_count++] = (struct rooms_event){time_ns, kind, kernel};
}

/* The first instant at which a kernel counts. */
static int64_t arrival(const struct captured_operation *o)
{
	return o->eligible_ns < o->op->start_ns ? o->eligible_ns : o->op->start_ns;
}

/* What takes no time is on the SMs all the same, and leaves them. */
static int64_t end_of(const struct captured_operation *o)
{
	return o->op->end_ns > o->op->start_ns ? o->op->end_ns : o->op->start_ns + 1;
}

static bool add_kernel(
	struct rooms *r, const struct captured_unit *unit, uint32_t operation, struct error *err)
{
	const struct captured_operation *o = &r->c->operations[operation];
	struct rooms_kernel *k = &r->kernels[r->kernel_count];
	struct captured_waves w;
	if (!captured_waves(&w, &unit->platform, o->op, err))
		return false;
	uint64_t most = w.resident < o->op->grid ? w.resident : o->op->grid;
	if (most == 0)
		return true; /* it fits no SM: the simulation has said so */
	*k = (struct rooms_kernel){
		.operation = operation,
		.need = sm_pool_need(
			&w.demand, (uint32_t)most, &unit->platform, platform_virtual_sms(&unit->platform)),
		.grid = o->op->grid,
		.last = o->op->grid - (w.waves - 1) * w.resident,
		.most = (uint32_t)most,
	};
	int64_t round = (o->op->end_ns - o->op->start_ns) / (int64_t)w.waves;
	add_event(r, arrival(o), EVENT_ARRIVE, r->kernel_count);
	add_event(r, o->op->start_ns, EVENT_START, r->kernel_count);
	if (w.waves > 1)
		add_event(r, end_of(o) - round, EVENT_TAIL, r->kernel_count);
	add_event(r, end_of(o), EVENT_END, r->kernel_count);
	r->kernel_count++;
	return true;
}

static uint32_t ring_mask(uint32_t most)
{
	uint32_t size = 1;
	while (size < most)
		size *= 2;
	return size - 1;
}

/* Memory for so many kernels of a stretch; what was in it is lost. */
static bool make_room(struct rooms *r, uint32_t count, struct error *err)
{
	if (count <= r->kernel_room)
		return true;
	free(r->kernels);
	free(r->events);
	free(r->running);
	free(r->waiting);
	r->kernel_room = count;
	r->kernels = calloc(count, sizeof(*r->kernels));
	r->events = calloc(count, 4 * sizeof(*r->events));
	r->running = calloc(count, sizeof(*r->running));
	r->waiting = calloc(count, sizeof(*r->waiting));
	return (r->kernels && r->events && r->running && r->waiting) || error_memory(err, REPLAYING);
}

/* The kernels among the operations from first to end - 1, and what happens to them. */
static bool list_kernels(
	struct rooms *r, const struct captured_unit *unit, uint32_t first, uint32_t end, struct error *err)
{
	uint32_t count = 0, most = 1;
	for (uint32_t i = first; i < end; i++)
		count += r->c->operations[unit->operations[i]].kind == CAPTURED_KERNEL;
	r->kernel_count = r->event_count = r->running_count = r->waiting_count = 0;
	if (!make_room(r, count, err))
		return false;
	for (uint32_t i = first; i < end; i++)
		if (r->c->operations[unit->operations[i]].kind == CAPTURED_KERNEL &&
			!add_kernel(r, unit, unit->operations[i], err))
			return false;
	for (uint32_t i = 0; i < r->kernel_count; i++)
		most = r->kernels[i].most > most ? r->kernels[i].most : most;
	if (r->event_count > 0)
		qsort(r->events, r->event_count, sizeof(*r->events), compare_events);
	if (r->scratch && ring_mask(most) <= r->scratch_mask)
		return true;
	free(r->scratch);
	r->scratch_mask = ring_mask(most);
	r->scratch = calloc((size_t)r->scratch_mask + 1, sizeof(*r->scratch));
	return r->scratch || error_memory(err, REPLAYING);
}

/* ---- blocks ---- */

static void remove_from(uint32_t *list, uint32_t *count, uint32_t kernel)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < *count; i++)
		if (list[i] != kernel)
			list[kept++] = list[i];
	*count = kept;
}

static void place(struct rooms *r, struct rooms_kernel *k)
{
	uint64_t room = k->most - k->placed;
	uint32_t want = (uint32_t)(k->unplaced < room ? k->unplaced : room);
	uint32_t taken = sm_pool_take(&r->pool, &k->need, want, k->places, k->first + k->placed, k->mask);
	k->placed += taken;
	k->unplaced -= taken;
}

static void leave(struct rooms *r, struct rooms_kernel *k, uint32_t count)
{
	sm_pool_give(&r->pool, &k->need, count, k->places, k->first, k->mask);
	k->first += count;
	k->placed -= count;
}

/* Kernels that started and have blocks without room place them first. */
static bool place_running(struct rooms *r)
{
	for (uint32_t i = 0; i < r->running_count; i++) {
		struct rooms_kernel *k = &r->kernels[r->running[i]];
		if (k->unplaced > 0 && k->has_room)
			place(r, k);
		if (k->unplaced > 0 && k->has_room)
			return false;
	}
	return true;
}

/* ---- who has room ---- */

static void note_room(struct rooms *r, struct rooms_kernel *k, int64_t time_ns, uint32_t by)
{
	struct captured_operation *o = &r->c->operations[k->operation];
	k->has_room = true;
	o->room_ns = time_ns;
	o->room_by = by;
}

/* Up to the last kernel that waits and has not had room: of those behind it everything is known. */
static uint32_t count_unknown(const struct rooms *r)
{
	uint32_t count = r->waiting_count;
	while (count > 0 && r->kernels[r->waiting[count - 1]].has_room)
		count--;
	return count;
}

/* Tries the kernels that wait, in their order, with the room that there is, and gives all of it back. Of the
 * last one block says it. */
static void look_for_room(struct rooms *r, int64_t time_ns, uint32_t by)
{
	if (!place_running(r))
		return;
	uint32_t count = count_unknown(r);
	if (count == 0)
		return;
	sm_pool_save(&r->pool, &r->saved);
	for (uint32_t i = 0; i < count; i++) {
		struct rooms_kernel *k = &r->kernels[r->waiting[i]];
		uint32_t want = i + 1 < count ? k->most : 1;
		uint32_t taken = sm_pool_take(&r->pool, &k->need, want, r->scratch, 0, r->scratch_mask);
		if (taken > 0 && !k->has_room)
			note_room(r, k, time_ns, by);
		if (taken < k->grid)
			break;
	}
	sm_pool_restore(&r->pool, &r->saved);
}

/* Those that have started and now have room wait no more. */
static void settle(struct rooms *r)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < r->waiting_count; i++) {
		const struct rooms_kernel *k = &r->kernels[r->waiting[i]];
		if (!k->ended && !(k->started && k->has_room))
			r->waiting[kept++] = r->waiting[i];
	}
	r->waiting_count = kept;
	place_running(r);
}

/* ---- events ---- */

static bool start(struct rooms *r, uint32_t kernel, struct error *err)
{
	struct rooms_kernel *k = &r->kernels[kernel];
	k->mask = ring_mask(k->most);
	k->places = malloc(((size_t)k->mask + 1) * sizeof(*k->places));
	if (!k->places)
		return error_memory(err, REPLAYING);
	k->started = true;
	k->unplaced = k->grid;
	r->running[r->running_count++] = kernel;
	settle(r);
	return true;
}

static void end(struct rooms *r, const struct rooms_event *e)
{
	struct rooms_kernel *k = &r->kernels[e->kernel];
	leave(r, k, k->placed);
	free(k->places);
	k->places = NULL;
	k->ended = true;
	remove_from(r->running, &r->running_count, e->kernel);
	look_for_room(r, e->time_ns, k->operation);
	settle(r);
}

/* The last round: all blocks have been placed. */
static void tail(struct rooms *r, const struct rooms_event *e)
{
	struct rooms_kernel *k = &r->kernels[e->kernel];
	k->unplaced = 0;
	if (k->placed > k->last)
		leave(r, k, (uint32_t)(k->placed - k->last));
	look_for_room(r, e->time_ns, k->operation);
	settle(r);
}

static bool sweep(struct rooms *r, struct error *err)
{
	for (uint32_t i = 0; i < r->event_count; i++) {
		const struct rooms_event *e = &r->events[i];
		switch (e->kind) {
		case EVENT_ARRIVE:
			r->waiting[r->waiting_count++] = e->kernel;
			look_for_room(r, e->time_ns, CAPTURED_NONE);
			break;
		case EVENT_START:
			if (!start(r, e->kernel, err))
				return false;
			break;
		case EVENT_TAIL:
			tail(r, e);
			break;
		case EVENT_END:
			end(r, e);
			break;
		}
	}
	return true;
}

/* Of memory, with its events. */
#define KERNEL_BYTES (sizeof(struct rooms_kernel) + 4 * sizeof(struct rooms_event) + 2 * sizeof(uint32_t))

/* Each kernel leaves when it ends, so nothing is on the SMs behind a stretch. */
static bool sweep_stretches(struct rooms *r, const struct captured_unit *unit, int64_t *least_ns,
	uint64_t bytes, struct error *err)
{
	int64_t end_ns = INT64_MIN;
	least_ns[unit->count] = INT64_MAX;
	for (uint32_t i = unit->count; i-- > 0;) {
		const struct captured_operation *o = &r->c->operations[unit->operations[i]];
		bool earlier = o->kind == CAPTURED_KERNEL && arrival(o) < least_ns[i + 1];
		least_ns[i] = earlier ? arrival(o) : least_ns[i + 1];
	}
	for (uint32_t first = 0, i = 0; i < unit->count; i++) {
		const struct captured_operation *o = &r->c->operations[unit->operations[i]];
		if (o->kind == CAPTURED_KERNEL && end_of(o) > end_ns)
			end_ns = end_of(o);
		bool small = (i + 1 - first) * (uint64_t)KERNEL_BYTES < bytes && i + 1 < unit->count;
		if (end_ns >= least_ns[i + 1] || small)
			continue;
		if (!list_kernels(r, unit, first, i + 1, err) || !sweep(r, err))
			return false;
		first = i + 1;
	}
	return true;
}

bool captured_find_rooms(
	struct captured *c, const struct captured_unit *unit, uint64_t bytes, struct error *err)
{
	struct arena arena = {0};
	struct rooms r = {.c = c};
	const struct platform *p = &unit->platform;
	if (unit->one_stream || p->pool != POOL_SM)
		return true;
	int64_t *least_ns = malloc(((size_t)unit->count + 1) * sizeof(*least_ns));
	bool ok = sm_pool_init(&r.pool, &arena, p, platform_virtual_sms(p)) &&
		  sm_pool_copy_init(&r.saved, &arena, &r.pool);
	if (!ok || !least_ns)
		ok = error_memory(err, REPLAYING);
	ok = ok && sweep_stretches(&r, unit, least_ns, bytes, err);
	for (uint32_t i = 0; i < r.kernel_count; i++)
		free(r.kernels[i].places);
	free(r.kernels);
	free(r.events);
	free(r.running);
	free(r.waiting);
	free(r.scratch);
	free(least_ns);
	arena_finish(&arena);
	return ok;
}
