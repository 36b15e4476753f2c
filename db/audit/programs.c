/* db/audit/programs.c - kernels of tasks that are programs of warps (docs/model.md, "Programs of warps"):
 * reads what a recording says about them, and the least time of a block. Nothing but a run says how long a
 * block takes; but a warp issues at most one instruction a cycle, and so does a sub-core. */
#include <jansson.h>

#include "db/audit/recording.h"

#define BILLION 1000000000
#define LONGEST_NS (INT64_C(1) << 62)
#define NESTED 4

struct programs_loader {
	struct recording *r;
	struct error *err;
};

static bool damaged(const struct programs_loader *l)
{
	return error_set(l->err, STATUS_INPUT, "run %lld: a kernel's program has impossible numbers",
		(long long)l->r->run_id);
}

static int64_t number(const json_t *of, const char *key)
{
	return json_integer_value(json_object_get(of, key));
}

/* Instructions of the steps from *at up to `end`; -1: they are none of a program. */
static int64_t instructions(const json_t *steps, size_t *at, size_t end, int depth)
{
	int64_t sum = 0;
	while (*at < end) {
		const json_t *step = json_array_get(steps, (*at)++);
		const char *kind = json_string_value(json_object_get(step, "kind"));
		const char *rounds = json_string_value(json_object_get(step, "rounds"));
		int64_t count = number(step, "count"), body = number(step, "body"), each = 1;
		if (!kind || count < 1 || count > BILLION)
			return -1;
		if (kind[0] == 'l' && kind[1] == 'o' && kind[2] == 'o') {
			if (body < 1 || body > (int64_t)(end - *at) || depth == NESTED)
				return -1;
			each = instructions(steps, at, *at + (size_t)body, depth + 1);
			count = rounds && *rounds ? 1 : count; /* of a shared loop a warp has one for sure */
		}
		if (each < 0 || each > UINT32_MAX || (int128)each * count + sum > UINT32_MAX)
			return -1;
		sum += each * count;
	}
	return sum;
}

/* The least number of cycles, from the one in which it is placed to that in which it has ended. */
static int64_t least_cycles(const json_t *program, const struct part_of_task *s)
{
	const json_t *steps = json_object_get(program, "steps");
	int64_t warps = (s->threads + 31) / 32, cores = number(program, "sub_cores");
	size_t at = 0;
	int64_t issues = instructions(steps, &at, json_array_size(steps), 0);
	if (issues < 1 || cores < 1 || warps < 1)
		return -1;
	int64_t dealt = (int64_t)(((int128)issues * warps + cores - 1) / cores);
	return dealt > issues ? dealt : issues;
}

/* task, segment, program */
static bool load_row(struct programs_loader *l, const struct db_cursor *q)
{
	struct part_of_task *s = recording_segment(l->r, column(q, 0), column(q, 1));
	const char *text = cursor_text(q, 2);
	if (!s || !text || s->kind != KIND_KERNEL || s->form != FORM_PROGRAM)
		return damaged(l);
	json_t *program = json_loads(text, 0, NULL);
	int64_t cycles = least_cycles(program, s);
	s->clock_hz = number(program, "clock_hz");
	json_decref(program);
	if (cycles < 1 || s->clock_hz < 1)
		return damaged(l);
	int128 least = ((int128)cycles * BILLION + s->clock_hz - 1) / s->clock_hz;
	if (least > LONGEST_NS)
		return damaged(l);
	s->best_ns = s->worst_ns = (int64_t)least;
	return true;
}

bool programs_load(struct recording *r, struct db_reader *source, struct error *err)
{
	struct programs_loader l = {r, err};
	bool has;
	if (!reader_has(source, "segment", "program", &has, err))
		return false;
	if (!has)
		return true;
	struct rows q = query_rows(source,
		"SELECT task_id, segment_idx, program FROM segment JOIN task USING (task_id) WHERE "
		"taskset_id = ?1 AND program NOT NULL",
		r->taskset_id, err);
	while (rows_next(&q))
		q.ok = load_row(&l, q.c);
	return rows_close(&q);
}

bool program_ends_at(const struct part_of_task *s, int64_t end)
{
	int128 cycle = (int128)end * s->clock_hz / BILLION;
	return (cycle * BILLION + s->clock_hz - 1) / s->clock_hz == end;
}
