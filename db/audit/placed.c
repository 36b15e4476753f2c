/* db/audit/placed.c - segments on the GPUs for which a policy may choose (docs/model.md, N4): what each is on
 * every one of them. A section is on the GPU of its first recorded interval. */
#include <string.h>

#include "db/audit/recording.h"

#define VARIANT_SQL                                                                                          \
	"SELECT task_id, segment_idx, stream, direction = 'to_cpu', json_extract(profiles, '$[' || ?2 || "   \
	"']'), json_extract(copy_times, '$[' || ?2 || '][0]'), json_extract(copy_times, '$[' || ?2 || "      \
	"'][1]') FROM segment JOIN task USING (task_id) WHERE taskset_id = ?1 AND kind <> 'cpu'"

/* Columns: task, segment, stream, whether it copies to the CPU; and what it is there: profile, times. */
static bool variant_row(struct recording *r, uint32_t gpu, const struct db_cursor *c, struct error *err)
{
	uint32_t task = recording_task(r, column(c, 0));
	int64_t index = column(c, 1), stream = column(c, 2), profile = column(c, 4);
	if (task == UINT32_MAX || index < 0 || index >= r->task[task].segments ||
		(profile != NOT_GIVEN && (profile < 0 || profile >= (int64_t)r->profiles)) ||
		column(c, 5) > column(c, 6))
		return error_set(err, STATUS_INPUT, "run %lld: a segment is impossible on GPU %u",
			(long long)r->run_id, gpu);
	struct member *t = &r->task[task];
	struct part_of_task *s = &t->on[(size_t)gpu * t->segments + (size_t)index];
	s->engine = column(c, 3) == 1 && r->gpu[gpu].engines == 2 ? 1 : 0;
	s->queue = (stream >= 0 ? (uint32_t)stream : task) % r->gpu[gpu].work_queues;
	if (profile != NOT_GIVEN)
		s->profile = (uint32_t)profile;
	if (column(c, 6) != NOT_GIVEN) {
		s->best_ns = column(c, 5);
		s->worst_ns = column(c, 6);
	}
	return true;
}

static bool load_gpu(struct recording *r, struct db_reader *source, uint32_t gpu, struct error *err)
{
	struct rows q = query_rows(source, VARIANT_SQL, r->taskset_id, err);
	rows_bind(&q, 2, gpu);
	while (rows_next(&q))
		q.ok = variant_row(r, gpu, q.c, err);
	return rows_close(&q);
}

static bool prepare(struct recording *r, struct member *t, struct error *err)
{
	size_t size = t->segments * sizeof(*t->segment);
	t->on = arena_new(&r->arena, struct part_of_task, (size_t)(r->gpus + 1) * t->segments);
	if (!t->on)
		return error_memory(err, "auditing a run");
	for (uint32_t g = 0; g <= r->gpus; g++) {
		struct part_of_task *on = t->on + (size_t)g * t->segments;
		memcpy(on, t->segment, size);
		for (uint32_t k = 0; k < t->segments && g < r->gpus; k++)
			if (on[k].kind != KIND_CPU)
				on[k].gpu = g;
	}
	return true;
}

/* A policy that chooses has a gate, and so refuses operations in flight. */
bool placed_load(struct recording *r, struct db_reader *source, struct error *err)
{
	bool has;
	if (r->gpus == 1 || r->flights || (r->promise && !r->promise->places))
		return true;
	if (!reader_has(source, "segment", "copy_times", &has, err))
		return false;
	for (uint32_t i = 0; i < r->tasks; i++)
		if (!prepare(r, &r->task[i], err))
			return false;
	for (uint32_t g = 0; has && g < r->gpus; g++)
		if (!load_gpu(r, source, g, err))
			return false;
	return true;
}

/* Those of the same section. */
static bool together(const struct member *t, uint32_t a, uint32_t b)
{
	return t->segment[a].kind != KIND_CPU && t->segment[a].named == t->segment[b].named;
}

void placed_bind(struct member *t, uint32_t gpus, uint32_t segment, int64_t gpu)
{
	uint32_t from = segment, to = segment + 1;
	uint32_t which = gpu >= 0 && gpu < (int64_t)gpus ? (uint32_t)gpu : gpus;
	while (from > 0 && together(t, from - 1, segment))
		from--;
	while (to < t->segments && together(t, to, segment))
		to++;
	memcpy(t->segment + from, t->on + (size_t)which * t->segments + from,
		(to - from) * sizeof(*t->segment));
}

void placed_floors(const struct recording *r, struct member *t)
{
	for (uint32_t k = 0; t->on && k < t->segments; k++) {
		for (uint32_t g = 0; g < r->gpus; g++) {
			struct part_of_task *on = &t->on[(size_t)g * t->segments + k];
			on->behind_ns = t->segment[k].behind_ns;
			if (on->floor_ns < t->segment[k].floor_ns)
				t->segment[k].floor_ns = on->floor_ns;
		}
		t->on[(size_t)r->gpus * t->segments + k] = t->segment[k];
	}
}
