/* runs/store.c - see runs/store.h. The stored data are enough to run the set again and to audit it. */
#include "runs/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "policies/use/use.h"
#include "runs/store_programs.h"
#include "runs/store_warps.h"

static int64_t or_null(int64_t value)
{
	return value ? value : DB_NULL;
}

bool store_policy(struct db_writer *w, const struct policy *policy, const struct params *params, int64_t *id,
	struct error *err)
{
	char json[PARAMS_JSON_MAX];
	const struct policy_row row = {
		.name = policy->name,
		.params = policy_json(policy, params, json),
		.version = policy->version,
	};
	return writer_policy(w, &row, id, err);
}

/* ---- release rules ---- */

static bool store_trace(struct db_writer *w, const struct release_rule *rule, int64_t *id, struct error *err)
{
	*id = DB_NULL;
	if (rule->kind != RELEASE_TRACE || !w)
		return true;
	struct trace_duration_row *rows = calloc(rule->duration_count + 1, sizeof(*rows));
	if (!rows)
		return error_memory(err, "a release trace");
	for (uint32_t i = 0; i < rule->duration_count; i++)
		rows[i] = (struct trace_duration_row){
			.seq = rule->durations[i].job,
			.segment_idx = rule->durations[i].segment,
			.duration_ns = rule->durations[i].duration_ns,
		};
	bool ok = writer_trace(w, rule->trace_ns, rule->trace_count, rows, rule->duration_count, id, err);
	free(rows);
	return ok;
}

bool store_traces(
	struct db_writer *w, const struct run_setup *setup, const struct taskset *set, struct error *err)
{
	int64_t id;
	bool ok = store_trace(w, &setup->release, &id, err);
	for (uint32_t i = 0; ok && i < set->task_count; i++)
		ok = !set->tasks[i].release || store_trace(w, set->tasks[i].release, &id, err);
	return ok;
}

static int64_t max_delay(const struct release_rule *rule)
{
	return rule->kind == RELEASE_SPORADIC ? rule->max_delay_ppm : DB_NULL;
}

bool store_setup(struct db_writer *w, const struct run_setup *setup, struct run_row *row, struct error *err)
{
	int64_t trace;
	if (!store_trace(w, &setup->release, &trace, err))
		return false;
	row->seed = (int64_t)setup->seed;
	row->set_number = setup->set;
	row->horizon_ns = setup->horizon_ns;
	row->stop_rule = stop_rule_name(setup->stop);
	row->limit_ns = setup->limit_ns;
	row->release_kind = release_kind_name(setup->release.kind);
	row->max_delay_ppm = max_delay(&setup->release);
	row->trace_id = trace;
	row->execution = execution_kind_name(setup->execution);
	row->scale_ppm = setup->execution == EXECUTION_SCALED ? setup->scale_ppm : DB_NULL;
	row->on_miss = on_miss_name(setup->on_miss);
	row->ties = ties_name(setup->ties);
	return true;
}

void store_no_figures(struct run_row *row)
{
	row->virtual_sms_per_sm = DB_NULL;
	row->stop_ns = row->window_ns = row->cycles = row->events = row->jobs = row->misses = DB_NULL;
	row->energy_uj = row->energy_rest_uwns = row->gpu_active_ns = row->sm_active_ns = DB_NULL;
	row->digest = row->events_digest = NULL;
}

/* ---- task sets ---- */

struct set_rows {
	struct task_row *tasks;
	struct segment_row *segments;
	struct profile_row *profiles;
	struct text *interleaves; /* [segments] */
	struct text *awaits;      /* [segments] */
	struct text *masks;       /* [segments] */
	struct segment_block_row *blocks;
	struct segment_sample_row *samples;
	struct task_after_row *afters;
	struct chain_row *chains;
	struct chain_task_row *chain_tasks;
	size_t after_count, chain_task_count;
	size_t segment_count, profile_count, block_count, sample_count;
	struct warp_rows warps;
};

static void add_interleave(struct text *out, const struct segment *s)
{
	for (uint32_t i = 0; i < s->interleaves; i++)
		text_printf(out, "%s\"%u\": [%" PRId64 ", %" PRId64 "]", i ? ", " : "{",
			s->interleave[i].virtual_sms, s->interleave[i].numerator,
			s->interleave[i].denominator);
	if (s->interleaves)
		text_add(out, "}");
}

static const char *profiles_text(struct text *out, const struct segment *s)
{
	for (uint32_t i = 0; i < s->profile_count; i++)
		text_printf(out, "%s%" PRId32, i ? ", " : "[", s->profiles[i]);
	text_add(out, s->profile_count ? "]" : "");
	return s->profile_count ? text_data(out) : NULL;
}

static const char *copy_times_text(struct text *out, const struct segment *s)
{
	for (uint32_t i = 0; i < s->copy_time_count; i++)
		text_printf(out, "%s[%" PRId64 ", %" PRId64 "]", i ? ", " : "[", s->copy_times[i].best_ns,
			s->copy_times[i].worst_ns);
	text_add(out, s->copy_time_count ? "]" : "");
	return s->copy_time_count ? text_data(out) : NULL;
}

static const char *awaits_text(struct text *out, const struct segment *s)
{
	if (s->await_count == 0)
		return NULL;
	for (uint32_t i = 0; i < s->await_count; i++) {
		text_add(out, i ? ", " : "[");
		text_add_json(out, s->awaits[i]);
	}
	text_add(out, "]");
	return text_data(out);
}

static const char *mask_text(struct text *out, const struct segment *s)
{
	for (uint32_t i = 0; i < s->sm_count; i++)
		text_printf(out, "%s%" PRIu32, i ? "," : "[", s->sms[i]);
	text_add(out, s->sm_count ? "]" : "");
	return s->sm_count ? text_data(out) : NULL;
}

static struct segment_row segment_row(const struct taskset *set, uint32_t task, uint32_t index,
	const struct segment *s, struct text *interleave, struct text *awaits)
{
	/* Other columns have its time */
	bool timed = s->kind != SEGMENT_KERNEL || s->form == KERNEL_GRID || s->form == KERNEL_WORK;
	struct segment_row row = {
		.task = task,
		.segment_idx = index,
		.kind = segment_kind_name(s->kind),
		.name = s->name,
		.best_ns = timed ? s->best_ns : DB_NULL,
		.worst_ns = timed ? s->worst_ns : DB_NULL,
		.stream = DB_NULL,
		.bytes = DB_NULL,
		.grid_blocks = DB_NULL,
		.block_threads = DB_NULL,
		.registers = DB_NULL,
		.shared_memory = DB_NULL,
		.carveout = DB_NULL,
		.overhead_ns = DB_NULL,
		.profile_idx = DB_NULL,
		.dynamic_uw = DB_NULL,
		.idempotent = or_null(s->idempotent),
		.async = s->async ? 1 : DB_NULL,
		.awaits = awaits_text(awaits, s),
		.gpu = or_null(s->gpu),
		.graph = s->graph,
	};
	if (s->kind == SEGMENT_CPU)
		return row;
	row.stream = s->stream;
	if (s->kind == SEGMENT_WAIT)
		return row;
	row.stream_priority = s->stream_high ? "high" : "low";
	if (s->kind == SEGMENT_COPY) {
		row.direction = copy_direction_name(s->direction);
		row.bytes = s->bytes >= 0 ? s->bytes : DB_NULL;
		row.copy_times = copy_times_text(interleave, s); /* which no copy has */
		return row;
	}
	row.form = kernel_form_name(s->form);
	row.dynamic_uw = s->power_uw;
	if (s->form == KERNEL_GRID || s->form == KERNEL_WARPS || s->form == KERNEL_PROGRAM) {
		row.grid_blocks = s->grid;
		row.block_threads = s->block;
		row.registers = s->registers;
		row.shared_memory = s->shared_memory;
		row.carveout = or_null(s->carveout);
		row.program = program_text(interleave, set, s); /* which no such kernel has */
	} else if (s->form == KERNEL_WORK) {
		row.overhead_ns = s->overhead_ns;
		add_interleave(interleave, s);
		row.interleave = s->interleaves ? text_data(interleave) : NULL;
	} else {
		row.profile_idx = s->profile;
		row.profiles = profiles_text(interleave, s); /* which no profile kernel has */
	}
	return row;
}

static void block_rows(uint32_t task, uint32_t index, const struct block_times *times, struct set_rows *rows)
{
	for (uint32_t b = 0; times && b < times->count; b++) {
		const struct block_time *t = &times->block[b];
		bool own = times->own_draws;
		rows->blocks[rows->block_count++] = (struct segment_block_row){
			.task = task,
			.segment_idx = index,
			.block = b,
			.share_ppm = own ? DB_NULL : t->share_ppm,
			.best_ns = own ? t->best_ns : DB_NULL,
			.worst_ns = own ? t->worst_ns : DB_NULL,
		};
	}
}

static void sample_rows(uint32_t task, uint32_t index, const struct segment *s, struct set_rows *rows)
{
	for (uint32_t i = 0; s->samples && i < s->sample_count; i++)
		rows->samples[rows->sample_count++] = (struct segment_sample_row){
			.task = task, .segment_idx = index, .sample = i, .value_ns = s->samples[i]};
}

static void after_rows(uint32_t task, const struct release_rule *rule, struct set_rows *rows)
{
	for (uint32_t i = 0; rule && i < rule->after_count; i++)
		rows->afters[rows->after_count++] =
			(struct task_after_row){.task = task, .place = i, .after_idx = rule->after[i]};
}

static void chain_rows(const struct taskset *set, struct set_rows *rows)
{
	for (uint32_t i = 0; i < set->chain_count; i++) {
		const struct effect_chain *c = &set->chains[i];
		rows->chains[i] = (struct chain_row){
			.chain_idx = i,
			.name = c->name,
			.communication = chain_communication_name(c->communication),
			.sample = chain_sample_name(c->sample),
			.age_limit_ns = or_null(c->age_ns),
			.reaction_limit_ns = or_null(c->reaction_ns),
		};
		for (uint32_t k = 0; k < c->task_count; k++)
			rows->chain_tasks[rows->chain_task_count++] = (struct chain_task_row){
				.chain_idx = i, .stage = k, .member_idx = c->tasks[k]};
	}
}

static bool task_rows(
	struct db_writer *w, const struct taskset *set, struct set_rows *rows, struct error *err)
{
	for (uint32_t i = 0; i < set->task_count; i++) {
		const struct task *t = &set->tasks[i];
		struct task_row *row = &rows->tasks[i];
		*row = (struct task_row){
			.task = i,
			.name = t->name,
			.period_ns = or_null(t->period_ns),
			.deadline_ns = or_null(t->deadline_ns),
			.offset_ns = t->offset_ns,
			.priority = set->priorities ? t->priority : DB_NULL,
			.max_delay_ppm = DB_NULL,
			.jitter_ns = DB_NULL,
			.misses_at_most = t->misses_in ? t->misses_at_most : DB_NULL,
			.misses_in = t->misses_in ? t->misses_in : DB_NULL,
			.core = set->cores && t->core != CORE_NOT_SAID ? t->core : DB_NULL,
			.process = t->process,
			.gpu_priority = set->gpu_priorities ? t->gpu_priority : DB_NULL,
			.best_effort = or_null(t->best_effort),
			.trace_id = DB_NULL,
		};
		if (t->release) {
			row->release_kind = release_kind_name(t->release->kind);
			row->max_delay_ppm = max_delay(t->release);
			row->jitter_ns = t->release->kind == RELEASE_JITTER ? t->release->jitter_ns : DB_NULL;
			if (!store_trace(w, t->release, &row->trace_id, err))
				return false;
		}
		after_rows(i, t->release, rows);
		for (uint32_t j = 0; j < t->segment_count; j++) {
			size_t at = rows->segment_count++;
			rows->segments[at] = segment_row(
				set, i, j, &t->segments[j], &rows->interleaves[at], &rows->awaits[at]);
			rows->segments[at].sms = mask_text(&rows->masks[at], &t->segments[j]);
			if (!text_ok(&rows->interleaves[at], "a segment's row", err) ||
				!text_ok(&rows->awaits[at], "a segment's row", err) ||
				!text_ok(&rows->masks[at], "a segment's row", err))
				return false;
			block_rows(i, j, t->segments[j].times, rows);
			sample_rows(i, j, &t->segments[j], rows);
		}
	}
	return true;
}

static void profile_rows(const struct taskset *set, struct set_rows *rows)
{
	for (uint32_t i = 0; i < set->profile_count; i++) {
		const struct profile *p = &set->profiles[i];
		for (uint32_t m = 0; m < p->count; m++)
			rows->profiles[rows->profile_count++] = (struct profile_row){
				.profile_idx = i,
				.name = p->name,
				.sms = m + 1,
				.best_ns = p->best_ns[m],
				.worst_ns = p->worst_ns[m],
				.total_power_uw = p->total_power_uw ? p->total_power_uw[m] : DB_NULL,
			};
	}
}

static bool make_rows(const struct taskset *set, struct set_rows *rows)
{
	size_t segments = 1, profiles = 1, blocks = 0, samples = 0, afters = 0, stages = 0;
	for (uint32_t i = 0; i < set->task_count; i++) {
		segments += set->tasks[i].segment_count;
		afters += set->tasks[i].release ? set->tasks[i].release->after_count : 0;
		for (uint32_t j = 0; j < set->tasks[i].segment_count; j++) {
			const struct segment *s = &set->tasks[i].segments[j];
			blocks += s->times ? s->times->count : 0;
			samples += s->samples ? s->sample_count : 0;
		}
	}
	for (uint32_t i = 0; i < set->profile_count; i++)
		profiles += set->profiles[i].count;
	for (uint32_t i = 0; i < set->chain_count; i++)
		stages += set->chains[i].task_count;
	rows->tasks = calloc(set->task_count + 1, sizeof(*rows->tasks));
	rows->segments = calloc(segments, sizeof(*rows->segments));
	rows->profiles = calloc(profiles, sizeof(*rows->profiles));
	rows->interleaves = calloc(segments, sizeof(*rows->interleaves));
	rows->awaits = calloc(segments, sizeof(*rows->awaits));
	rows->masks = calloc(segments, sizeof(*rows->masks));
	rows->blocks = blocks ? calloc(blocks, sizeof(*rows->blocks)) : NULL;
	rows->samples = samples ? calloc(samples, sizeof(*rows->samples)) : NULL;
	rows->afters = afters ? calloc(afters, sizeof(*rows->afters)) : NULL;
	rows->chains = stages ? calloc(set->chain_count, sizeof(*rows->chains)) : NULL;
	rows->chain_tasks = stages ? calloc(stages, sizeof(*rows->chain_tasks)) : NULL;
	return rows->tasks && rows->segments && rows->profiles && rows->interleaves && rows->awaits &&
	       rows->masks && (rows->blocks || !blocks) && (rows->samples || !samples) &&
	       (rows->afters || !afters) && ((rows->chains && rows->chain_tasks) || !stages) &&
	       (!set->warps || warp_rows_make(set->warps, &rows->warps));
}

static void free_rows(struct set_rows *rows)
{
	for (size_t i = 0; i < rows->segment_count; i++) {
		text_finish(&rows->interleaves[i]);
		text_finish(&rows->awaits[i]);
		text_finish(&rows->masks[i]);
	}
	free(rows->tasks);
	free(rows->segments);
	free(rows->profiles);
	free(rows->interleaves);
	free(rows->awaits);
	free(rows->masks);
	free(rows->blocks);
	free(rows->samples);
	free(rows->afters);
	free(rows->chains);
	free(rows->chain_tasks);
	warp_rows_free(&rows->warps);
}

static bool make_set(struct db_writer *w, const struct taskset *set, const struct set_origin *origin,
	struct stored_set *out, struct error *err)
{
	struct set_rows *rows = calloc(1, sizeof(*rows));
	*out = (struct stored_set){.rows = rows};
	if (!rows || !make_rows(set, rows))
		return error_memory(err, "a task set");
	if (!task_rows(w, set, rows, err))
		return false;
	profile_rows(set, rows);
	chain_rows(set, rows);
	out->row = (struct taskset_row){
		.name = set->name,
		.explicit_priorities = set->priorities,
		.target_utilisation_ppm = origin ? origin->target_utilisation_ppm : DB_NULL,
		.recipe = origin ? origin->recipe : NULL,
		.recipe_index = origin ? origin->index : DB_NULL,
		.tasks = rows->tasks,
		.task_count = set->task_count,
		.segments = rows->segments,
		.segment_count = rows->segment_count,
		.profiles = rows->profiles,
		.profile_count = rows->profile_count,
		.machine = set->warps ? &rows->warps.machine : NULL,
		.units = rows->warps.units,
		.unit_count = WARP_UNITS,
		.kernels = rows->warps.kernels,
		.kernel_count = rows->warps.kernel_count,
		.steps = rows->warps.steps,
		.step_count = rows->warps.step_count,
		.blocks = rows->blocks,
		.block_count = rows->block_count,
		.samples = rows->samples,
		.sample_count = rows->sample_count,
		.afters = rows->afters,
		.after_count = rows->after_count,
		.chains = rows->chains,
		.chain_count = set->chain_count,
		.chain_tasks = rows->chain_tasks,
		.chain_task_count = rows->chain_task_count,
	};
	return true;
}

bool store_set_rows(
	const struct taskset *set, const struct set_origin *origin, struct stored_set *out, struct error *err)
{
	return make_set(NULL, set, origin, out, err);
}

void stored_set_finish(struct stored_set *stored)
{
	if (stored->rows)
		free_rows(stored->rows);
	free(stored->rows);
	*stored = (struct stored_set){0};
}

bool store_taskset(struct db_writer *w, const struct taskset *set, const struct set_origin *origin,
	int64_t *id, struct error *err)
{
	struct stored_set stored;
	bool ok = make_set(w, set, origin, &stored, err) && writer_taskset(w, &stored.row, id, err);
	stored_set_finish(&stored);
	return ok;
}
