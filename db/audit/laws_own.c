/* db/audit/laws_own.c - the laws on SMs that belong to a task: the static sets of stgm, the virtual SMs of
 * rtgpu, the SMs that sbeet chooses (docs/model.md, "Granted SMs", "Gates"). */
#include "db/audit/law.h"
#include "db/audit/sweep.h"

#define TABLE "block_interval"

/* ---- Sets of the tasks ---- */

/* The GPU of which a task has SMs for all of the run: that of its kernels. *apart: they are on several. */
static uint32_t gpu_of_set(const struct member *t, bool *apart)
{
	uint32_t gpu = UINT32_MAX;
	*apart = false;
	for (uint32_t i = 0; i < t->segments; i++) {
		if (t->segment[i].kind != KIND_KERNEL)
			continue;
		*apart |= gpu != UINT32_MAX && gpu != t->segment[i].gpu;
		gpu = gpu == UINT32_MAX ? t->segment[i].gpu : gpu;
	}
	return gpu == UINT32_MAX ? 0 : gpu;
}

/* What is wrong with the SMs of a task; NULL: nothing. */
static const char *wrong_set(const struct recording *r, const struct member *t)
{
	const struct figures *f = &t->figures;
	const struct promise *p = r->promise;
	bool apart;
	uint32_t gpu = gpu_of_set(t, &apart);
	if (f->sms > 0 && apart)
		return "it has SMs of one GPU, and kernels on several";
	for (uint32_t sm = machine_of(r, gpu)->sms; f->sm_set && sm < r->most_sms; sm++)
		if (set_has(f->sm_set, sm))
			return "its set has an SM that its GPU does not have";
	if (f->set_damaged)
		return "its set is no list of SMs of this platform in ascending order";
	if ((f->sms > 0 && !f->sm_set) || (uint64_t)f->sms != f->set_count)
		return "its set is not as large as is said";
	if (f->virtual_sms && (f->virtual_sms < f->sms || f->virtual_sms > f->sms * r->machine.virtual_sms))
		return "so many virtual SMs are not to be had on its SMs";
	if (!p)
		return NULL;
	if (p->grants == GRANTS_NONE || p->grants == GRANTS_CHOSEN)
		return f->sms ? "under this policy no task has SMs for all of the run" : NULL;
	if (t->has_kernels && f->sms == 0)
		return "it has kernels, and no SMs of its own";
	if (f->sms && (f->virtual_sms > 0) != (p->grants == GRANTS_SLOTS))
		return p->grants == GRANTS_SLOTS ? "under this policy SMs are given as virtual SMs"
						 : "under this policy whole SMs are given";
	return NULL;
}

/* An SM of this GPU that belongs to more tasks than it may; -1: none. Each of them has at least one virtual
 * SM of it. */
static int64_t crowded_sm(const struct recording *r, uint32_t gpu)
{
	bool apart;
	enum grants grants = r->promise ? r->promise->grants : GRANTS_NONE;
	uint32_t most = grants == GRANTS_APART ? 1 : r->machine.virtual_sms;
	if (grants != GRANTS_APART && grants != GRANTS_SLOTS)
		return -1;
	for (uint32_t sm = 0; sm < machine_of(r, gpu)->sms; sm++) {
		uint32_t owners = 0;
		for (uint32_t i = 0; i < r->tasks; i++) {
			const uint64_t *set = r->task[i].figures.sm_set;
			owners += set && gpu_of_set(&r->task[i], &apart) == gpu && set_has(set, sm);
		}
		if (owners > most)
			return sm;
	}
	return -1;
}

uint64_t law_sm_sets(struct audit *a, const struct moment *m)
{
	const struct recording *r = a->r;
	int64_t virtual_sms[AUDIT_GPUS_MOST] = {0};
	bool apart;
	for (uint32_t i = 0; i < r->tasks; i++) {
		const struct figures *f = &r->task[i].figures;
		const char *what = wrong_set(r, &r->task[i]);
		struct moment of = *m;
		of.track = &m->sweep->track[i];
		virtual_sms[gpu_of_set(&r->task[i], &apart)] += f->virtual_sms;
		if (what)
			broken(a, "run_task", &of, "%s (%lld SMs, %lld virtual, %u in its set)", what,
				(long long)f->sms, (long long)f->virtual_sms, f->set_count);
	}
	for (uint32_t g = 0; g < r->gpus; g++) {
		int64_t crowded = crowded_sm(r, g);
		int64_t there = (int64_t)machine_of(r, g)->sms * machine_of(r, g)->virtual_sms;
		if (crowded >= 0)
			broken(a, "run_task", m, "SM %lld belongs to more tasks than it can be shared by",
				(long long)crowded);
		else if (r->promise && virtual_sms[g] > there)
			broken(a, "run_task", m, "the tasks have %lld virtual SMs, and there are only %lld",
				(long long)virtual_sms[g], (long long)there);
	}
	return r->tasks;
}

/* ---- Kernels ---- */

uint64_t law_grants(struct audit *a, const struct moment *m)
{
	const struct figures *f = &m->track->task->figures;
	const struct promise *p = a->r->promise;
	const struct unit *u = &m->track->unit;
	int64_t granted = m->interval->granted;
	int64_t most = (int64_t)a->r->machine.sms * a->r->machine.virtual_sms;
	bool chosen = p && p->grants == GRANTS_CHOSEN && f->sms == 0;
	if (m->track->op.info->kind != KIND_KERNEL)
		return 0;
	if (chosen && u->state == UNIT_ADMITTED && u->sms != granted)
		broken(a, "segment_interval", m, "it was given %lld SMs, but its section has %lld",
			(long long)granted, (long long)u->sms);
	else if (chosen && (granted < 1 || granted > a->r->machine.sms))
		broken(a, "segment_interval", m, "it was given %lld SMs, of %u", (long long)granted,
			a->r->machine.sms);
	else if (!chosen && (p || f->sms) && granted != (f->virtual_sms ? f->virtual_sms : f->sms))
		broken(a, "segment_interval", m, "it was given %lld SMs, but its task has %lld%s",
			(long long)granted, (long long)(f->virtual_sms ? f->virtual_sms : f->sms),
			f->virtual_sms ? ", virtual ones" : "");
	else if (!p && f->sms == 0 && granted != NOT_GIVEN && (granted < 0 || granted > most))
		broken(a, "segment_interval", m, "it was given %lld SMs, or virtual ones, of %lld",
			(long long)granted, (long long)most);
	return 1;
}

/* ---- Blocks ---- */

static int64_t count_set(const struct recording *r, const uint64_t *set)
{
	int64_t count = 0;
	for (uint32_t i = 0; i < set_words(r); i++)
		count += __builtin_popcountll(set[i]);
	return count;
}

/* Does an admitted unit of another task hold this SM? */
static const struct track *other_owner(const struct sweep *s, const struct track *t, uint32_t sm)
{
	for (uint32_t i = 0; i < s->r->tasks; i++) {
		const struct unit *u = &s->track[i].unit;
		if (&s->track[i] != t && u->gpu == s->shown && u->state == UNIT_ADMITTED && u->held &&
			set_has(u->held, sm))
			return &s->track[i];
	}
	return NULL;
}

/* SMs chosen for a unit: the free ones of lowest index, or as many as its blocks were seen on. */
static void check_chosen(struct audit *a, const struct moment *m, uint32_t sm)
{
	const struct sweep *s = m->sweep;
	const struct track *t = m->track, *other = other_owner(s, t, sm);
	const uint64_t *own = sweep_own_sms(t);
	if (other)
		broken(a, TABLE, m, "it is on an SM that task '%s' has for itself then", other->task->name);
	else if (own && !set_has(own, sm) &&
		 (s->promise->admits != ADMITS_UNSEEN || count_set(a->r, own) >= t->unit.sms))
		broken(a, TABLE, m, "it is on none of the %lld SMs that its section has",
			(long long)t->unit.sms);
}

/* Whole SMs or virtual ones: blocks are on no more SMs than were granted. */
static void check_granted(struct audit *a, const struct moment *m, uint32_t sm)
{
	const struct track *t = m->track;
	int64_t granted = t->op.parts ? t->op.part[0].granted : 0;
	if (granted > 0 && !set_has(t->chosen, sm) && count_set(a->r, t->chosen) >= granted)
		broken(a, TABLE, m, "blocks of its kernel are on %lld SMs, and it was given no more",
			(long long)count_set(a->r, t->chosen));
}

/* Virtual SMs. It is not recorded how many a task has on which SM. But an SM has at most V_SM in use, and
 * each SM of the set has one of the task's. Two tasks do not share one only if the policy promises it. */
static void check_slots(struct audit *a, const struct moment *m, uint32_t at)
{
	const struct track *t = m->track;
	const struct sm *sm = &m->sweep->sm[at];
	const struct figures *f = &t->task->figures;
	bool apart = a->r->promise && a->r->promise->grants == GRANTS_SLOTS;
	int64_t most = f->virtual_sms - f->sms + 1;
	uint32_t mine = sweep_gpu_blocks_of(sm, t->index), more = mine + 1 > t->most[at];
	if (most > a->r->machine.virtual_sms)
		most = a->r->machine.virtual_sms;
	if (t->op.resident >= f->virtual_sms)
		broken(a, TABLE, m, "%u blocks of its task are there, and it has only %lld virtual SMs",
			t->op.resident, (long long)f->virtual_sms);
	else if (mine >= most)
		broken(a, TABLE, m, "%u of its task are there, and it has at most %lld virtual SMs on an SM",
			mine, (long long)most);
	else if (apart && sm->claimed + more > a->r->machine.virtual_sms)
		broken(a, TABLE, m, "it takes a virtual SM of another task: %u were in use on this SM, of %u",
			sm->claimed, a->r->machine.virtual_sms);
}

uint64_t law_own_sms(struct audit *a, const struct moment *m)
{
	const struct track *t = m->track;
	const struct promise *p = a->r->promise;
	if (!t || !sweep_gpu_is_current(t, m->block) || m->block->sm < 0 || m->block->sm >= a->r->machine.sms)
		return 0; /* reported by other laws */
	uint32_t sm = (uint32_t)m->block->sm;
	if (t->task->figures.sm_set && !set_has(t->task->figures.sm_set, sm))
		broken(a, TABLE, m, "it is on an SM that its task does not have");
	else if (t->most)
		check_slots(a, m, sm);
	else if (p && p->grants == GRANTS_CHOSEN)
		check_chosen(a, m, sm);
	else if (!p)
		check_granted(a, m, sm);
	return 1;
}

/* Is there room for one more block of the kernel, wherever its task may have a free virtual SM? */
static bool has_room(const struct sweep *s, const struct track *t)
{
	const struct audit_machine *machine = &s->r->machine;
	const struct audit_shape *shape = &t->op.shape;
	const uint64_t *own = sweep_own_sms(t);
	int64_t slots = t->task->figures.virtual_sms;
	bool any = false;
	if (!own || machine->pooled || (slots && t->op.resident >= slots))
		return false;
	for (uint32_t sm = 0; sm < machine->sms; sm++) {
		if (!set_has(own, sm))
			continue;
		bool fits = sweep_gpu_surely_fits(s, sm, shape);
		bool full = slots && sweep_gpu_blocks_of(&s->sm[sm], t->index) >= machine->virtual_sms;
		if (slots && !full && !fits)
			return false; /* the free one may be on this SM */
		any |= fits && !full;
	}
	return any;
}

/* Is it known that the kernel has got its SMs? Under a policy that is not known: once a block of it was
 * placed. */
static bool came_to_own(const struct sweep *s, const struct track *t)
{
	const struct audit_operation *op = &t->op;
	if (s->promise)
		return waits_on_own(op) && op->length > 0;
	return op->active && op->info->kind == KIND_KERNEL && t->task->figures.sm_set && op->placed > 0 &&
	       !op->withdrawn;
}

/* A kernel with SMs for itself never waits; on SMs that it may share it places all blocks that fit. */
uint64_t law_own_work(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	uint64_t asked = 0;
	for (uint32_t i = 0; i < a->r->tasks; i++) {
		const struct track *t = &s->track[i];
		struct moment of = *m;
		of.track = t;
		if (!came_to_own(s, t) || !on_shown(s, &t->op))
			continue;
		asked++;
		bool alone = s->promise && s->promise->grants != GRANTS_SLOTS;
		if (!t->op.running && (alone || (s->with_blocks && has_room(s, t))))
			broken(a, "segment_interval", &of,
				"at %s it has been admitted, its SMs are free, and it does not start",
				when(a, m->time));
		else if (s->with_blocks && t->op.placed < t->op.shape.blocks && has_room(s, t))
			broken(a, TABLE, &of, "at %s %u of its %u blocks wait, and its SMs have room for one",
				when(a, m->time), t->op.shape.blocks - t->op.placed, t->op.shape.blocks);
	}
	return asked;
}
