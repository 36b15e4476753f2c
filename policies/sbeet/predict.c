/* policies/sbeet/predict.c - makes the schedule that sBEET predicts for a unit that gets so many SMs now
 * (Algorithm 3, for any number of workers). See policies/sbeet/sbeet.h; docs/policies.md says how we settle
 * what the paper leaves open. */
#include "policies/sbeet/sbeet.h"

bool sbeet_schedule_init(
	struct sbeet_schedule *s, struct arena *arena, uint32_t workers, uint32_t capacity, struct error *err)
{
	*s = (struct sbeet_schedule){
		.placed = arena_new(arena, struct sbeet_placed, (size_t)capacity + workers + 1),
		.late = arena_new(arena, bool, capacity),
		.occupied = arena_new(arena, struct sbeet_occupied, workers),
	};
	return (s->placed && s->late && s->occupied) || error_memory(err, "planning sbeet");
}

int64_t sbeet_end(int64_t now, const struct sbeet_unit *unit, uint32_t sms)
{
	int64_t start = latest(now, later(unit->ready, unit->section->hd));
	return later(start, sbeet_body(unit->section, sms));
}

/* Which SMs are occupied while other units are placed: `t` only grows. */
struct sbeet_occupancy {
	struct sbeet_occupied *by; /* units that hold SMs at `t` */
	uint32_t count, workers;
	uint32_t free;
	int64_t t;
	int64_t end; /* the latest end of all placed units */
};

static void occupy(struct sbeet_occupancy *o, uint32_t sms, int64_t end)
{
	o->end = latest(o->end, end);
	if (end <= o->t)
		return;
	o->by[o->count++] = (struct sbeet_occupied){.end = end, .sms = sms};
	o->free -= sms;
}

/* Moves t to the first instant, now or later, at which fewer than `workers` units hold SMs. */
static void find_slot(struct sbeet_occupancy *o)
{
	int64_t earliest = INT64_MAX;
	if (o->count < o->workers)
		return;
	for (uint32_t i = 0; i < o->count; i++)
		earliest = o->by[i].end < earliest ? o->by[i].end : earliest;
	o->t = earliest;
}

/* Units that have ended by t release their SMs. */
static void release_ended(struct sbeet_occupancy *o)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < o->count; i++) {
		if (o->by[i].end > o->t)
			o->by[kept++] = o->by[i];
		else
			o->free += o->by[i].sms;
	}
	o->count = kept;
}

static bool in_time(const struct sbeet_unit *unit, int64_t end)
{
	return later(end, unit->section->dh) <= unit->deadline;
}

static void place(struct sbeet_schedule *s, const struct sbeet_section *section, uint32_t sms, int64_t start,
	int64_t end)
{
	s->placed[s->count++] =
		(struct sbeet_placed){.section = section, .sms = sms, .start = start, .end = end};
}

/* Places the unit beside the placed ones, before `end` (R5, R6). False: it would start too late for that. */
static bool place_beside(struct sbeet_occupancy *o, struct sbeet_schedule *s, const struct sbeet_unit *unit)
{
	const struct sbeet_section *section = unit->section;
	find_slot(o);
	if (o->t >= s->end)
		return false;
	release_ended(o);
	uint32_t sms = o->free < section->m_opt ? o->free : section->m_opt;
	int64_t start = latest(o->t, later(unit->ready, section->hd));
	if (sms == 0 || start >= s->end)
		return false;
	int64_t end = later(start, sbeet_body(section, sms));
	place(s, section, sms, start, end);
	occupy(o, sms, end);
	s->feasible = s->feasible && in_time(unit, end);
	return true;
}

/* Places the late units behind all others, one after the other, by deadline, on all SMs (R4). */
static void place_late(const struct sbeet_timetable *timetable, uint32_t seen, uint32_t count, int64_t from,
	struct sbeet_schedule *s)
{
	uint32_t sms = timetable->model->sms;
	for (uint32_t i = 0; count > 0; i++) {
		uint32_t which = timetable->by_deadline[i];
		if (which >= seen || !s->late[which])
			continue;
		const struct sbeet_unit *unit = &timetable->unit[which];
		int64_t start = latest(from, later(unit->ready, unit->section->hd));
		from = later(start, sbeet_body(unit->section, sms));
		place(s, unit->section, sms, start, from);
		s->feasible = s->feasible && in_time(unit, from);
		count--;
	}
}

void sbeet_predict(const struct sbeet_situation *situation, const struct sbeet_timetable *timetable,
	const struct sbeet_unit *unit, uint32_t sms, struct sbeet_schedule *schedule)
{
	struct sbeet_schedule *s = schedule;
	struct sbeet_occupancy o = {
		.by = s->occupied,
		.workers = situation->workers,
		.free = situation->model->sms,
		.t = situation->now,
		.end = situation->now,
	};
	s->count = 0;
	s->end = sbeet_end(situation->now, unit, sms);
	s->feasible = in_time(unit, s->end);
	place(s, unit->section, sms, latest(situation->now, later(unit->ready, unit->section->hd)), s->end);
	occupy(&o, sms, s->end);
	for (uint32_t i = 0; i < situation->running_count; i++) {
		const struct sbeet_placed *r = &situation->running[i];
		s->placed[s->count++] = *r;
		occupy(&o, r->sms, r->end);
	}

	uint32_t seen = 0, late = 0;
	for (; seen < timetable->count; seen++) {
		const struct sbeet_unit *other = &timetable->unit[seen];
		if (seen >= timetable->waiting && other->ready >= s->end)
			break;
		s->late[seen] = false;
		if (other->section->task == unit->section->task || situation->busy[other->section->task])
			continue;
		s->late[seen] = !place_beside(&o, s, other);
		late += s->late[seen];
	}
	place_late(timetable, seen, late, o.end, s);
}
