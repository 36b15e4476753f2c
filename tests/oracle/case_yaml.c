/* tests/oracle/case_yaml.c - writes a random case as a scenario file, so that `cegsim run` can replay it.
 * Release traces go to a file of their own. */
#include <inttypes.h>

#include "tests/oracle/random_sets.h"

/* "[low, high]", or one number if both are equal. */
static void print_interval(FILE *out, const char *key, const struct segment *s)
{
	if (s->best_ns == s->worst_ns)
		fprintf(out, "%s: %" PRId64, key, s->worst_ns);
	else
		fprintf(out, "%s: [%" PRId64 ", %" PRId64 "]", key, s->best_ns, s->worst_ns);
}

/* "[a, b]" */
static void print_awaits(FILE *out, const struct segment *s)
{
	for (uint32_t i = 0; i < s->await_count; i++)
		fprintf(out, "%s%s", i ? ", " : "[", s->awaits[i]);
	fputs(s->await_count ? "]" : "", out);
}

static void print_flight(FILE *out, const struct segment *s)
{
	if (s->name)
		fprintf(out, ", name: %s", s->name);
	if (s->async)
		fputs(", async: true", out);
	if (s->graph)
		fprintf(out, ", graph: %s", s->graph);
	if (s->await_count) {
		fputs(", after: ", out);
		print_awaits(out, s);
	}
}

static void print_stream(FILE *out, const struct segment *s)
{
	if (s->idempotent)
		fputs(", idempotent: true", out);
	if (s->stream == STREAM_NULL)
		fputs(", stream: null", out);
	else if (s->stream >= 0)
		fprintf(out, ", stream: %" PRId32, s->stream);
	if (s->stream_high)
		fputs(", stream_priority: high", out);
}

static void print_block_times(FILE *out, const struct segment *s)
{
	const struct block_times *times = s->times;
	if (!times || !times->own_draws)
		print_interval(out, "block_time", s);
	for (uint32_t b = 0; times && b < times->count; b++) {
		const struct block_time *t = &times->block[b];
		if (b == 0)
			fputs(times->own_draws ? "block_times: [" : ", block_shares: [", out);
		if (times->own_draws)
			fprintf(out, "%s[%" PRId64 ", %" PRId64 "]", b ? ", " : "", t->best_ns, t->worst_ns);
		else
			fprintf(out, "%s%" PRId64 ".%06" PRId64, b ? ", " : "", t->share_ppm / 1000000,
				t->share_ppm % 1000000);
	}
	fputs(times ? "]" : "", out);
}

static void print_kernel(const struct random_case *c, FILE *out, const struct segment *s)
{
	fputs("kernel: {", out);
	if (s->form == KERNEL_GRID) {
		fprintf(out, "grid: %" PRIu32 ", block: %" PRIu32 ", ", s->grid, s->block);
		print_block_times(out, s);
		if (s->registers)
			fprintf(out, ", registers: %" PRId64, s->registers);
		if (s->shared_memory)
			fprintf(out, ", shared_memory: %" PRId64, s->shared_memory);
		if (s->carveout)
			fprintf(out, ", carveout: %" PRId64, s->carveout);
	} else if (s->form == KERNEL_WORK) {
		print_interval(out, "work", s);
		fprintf(out, ", overhead: %" PRId64, s->overhead_ns);
		for (uint32_t i = 0; i < s->interleaves; i++) {
			const struct interleave *alpha = &s->interleave[i];
			int64_t tenths = alpha->numerator * 10 / alpha->denominator;
			fprintf(out, "%s%" PRIu32 ": %" PRId64 ".%" PRId64, i ? ", " : ", interleave: {",
				alpha->virtual_sms, tenths / 10, tenths % 10);
		}
		fputs(s->interleaves ? "}" : "", out);
	} else {
		fprintf(out, "profile: %s", s->profile_count ? "[" : c->set.profiles[s->profile].name);
		for (uint32_t i = 0; i < s->profile_count; i++)
			fprintf(out, "%s%s%s", i ? ", " : "", c->set.profiles[s->profiles[i]].name,
				i + 1 < s->profile_count ? "" : "]");
	}
	for (uint32_t i = 0; i < s->sm_count; i++)
		fprintf(out, "%s%" PRIu32 "%s", i ? ", " : ", sms: [", s->sms[i],
			i + 1 < s->sm_count ? "" : "]");
	bool powered = s->form == KERNEL_PROFILE && c->set.profiles[s->profile].total_power_uw;
	for (uint32_t i = 0; i < s->profile_count; i++)
		powered |= c->set.profiles[s->profiles[i]].total_power_uw != NULL;
	if (!powered)
		fprintf(out, ", power: %" PRId64 "uW", s->power_uw);
	print_stream(out, s);
	fputs("}", out);
}

static void print_copy_times(FILE *out, const struct segment *s)
{
	for (uint32_t g = 0; g < s->copy_time_count; g++)
		fprintf(out, "%s[%" PRId64 "ns, %" PRId64 "ns]", g ? ", " : "times: [",
			s->copy_times[g].best_ns, s->copy_times[g].worst_ns);
	fputs("]", out);
}

static void print_segment(const struct random_case *c, FILE *out, const struct segment *s)
{
	static const char *const directions[] = {"to_gpu", "to_cpu", "both"};
	fputs("      - {", out);
	if (s->kind == SEGMENT_CPU) {
		print_interval(out, "cpu", s);
	} else if (s->kind == SEGMENT_WAIT) {
		fputs("wait: ", out);
		print_awaits(out, s);
		if (s->stream != STREAM_OWN)
			fprintf(out, "{stream: %" PRId32 "}", s->stream);
		else if (!s->await_count)
			fputs("all", out);
	} else if (s->kind == SEGMENT_COPY) {
		fprintf(out, "copy: %s, ", directions[s->direction]);
		if (s->bytes >= 0)
			fprintf(out, "bytes: %" PRId64, s->bytes);
		else if (s->copy_time_count > 0)
			print_copy_times(out, s);
		else
			print_interval(out, "time", s);
		print_stream(out, s);
	} else {
		print_kernel(c, out, s);
	}
	if (s->kind == SEGMENT_COPY || s->kind == SEGMENT_KERNEL)
		print_flight(out, s);
	bool placed = s->kind == SEGMENT_COPY || s->kind == SEGMENT_KERNEL ||
		      (s->kind == SEGMENT_WAIT && s->stream != STREAM_OWN);
	if (s->gpu > 0 && placed)
		fprintf(out, ", gpu: %" PRIu32, s->gpu);
	fputs("}\n", out);
}

static void print_ppm(FILE *out, int64_t ppm)
{
	fprintf(out, "%" PRId64 ".%06" PRId64, ppm / 1000000, ppm % 1000000);
}

/* "[t1, t2]" */
static void print_names(const struct random_case *c, FILE *out, const uint32_t *tasks, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		fprintf(out, "%s%s", i ? ", " : "[", c->set.tasks[tasks[i]].name);
	fputs("]", out);
}

static void print_release(
	const struct random_case *c, FILE *out, const struct release_rule *rule, const char *indent)
{
	fprintf(out, "%srelease: ", indent);
	if (rule->kind == RELEASE_PERIODIC) {
		fputs("periodic\n", out);
	} else if (rule->kind == RELEASE_SPORADIC) {
		fputs("{sporadic: {max_delay: ", out);
		print_ppm(out, rule->max_delay_ppm);
		fputs("}}\n", out);
	} else if (rule->kind == RELEASE_JITTER) {
		fprintf(out, "{jitter: %" PRId64 "}\n", rule->jitter_ns);
	} else if (rule->kind == RELEASE_AFTER) {
		fputs("{after: ", out);
		print_names(c, out, rule->after, rule->after_count);
		fputs("}\n", out);
	} else {
		fputs("{trace: trace.csv}\n", out);
	}
}

static void print_task(const struct random_case *c, FILE *out, const struct task *t)
{
	fprintf(out, "  - name: %s\n    period: %" PRId64 "\n    deadline: %" PRId64 "\n", t->name,
		t->period_ns, t->deadline_ns);
	if (!t->release || t->release->kind != RELEASE_AFTER)
		fprintf(out, "    offset: %" PRId64 "\n", t->offset_ns);
	if (c->set.priorities)
		fprintf(out, "    priority: %" PRId64 "\n", t->priority);
	if (c->set.cores && t->core != CORE_NOT_SAID)
		fprintf(out, "    core: %" PRId32 "\n", t->core);
	if (t->process)
		fprintf(out, "    process: %s\n", t->process);
	if (c->set.gpu_priorities)
		fprintf(out, "    gpu_priority: %" PRId64 "\n", t->gpu_priority);
	if (t->best_effort)
		fputs("    best_effort: true\n", out);
	if (t->release)
		print_release(c, out, t->release, "    ");
	fputs("    segments:\n", out);
	for (uint32_t i = 0; i < t->segment_count; i++)
		print_segment(c, out, &t->segments[i]);
}

static void print_limit(FILE *out, const char *key, int64_t value)
{
	if (value)
		fprintf(out, ", %s: %" PRId64, key, value);
}

static void print_gpu(FILE *out, const struct platform *p)
{
	fprintf(out, "sms: %" PRIu32 ", pool: %s, sms_per_tpc: %" PRIu32 ", work_queues: %" PRIu32, p->sms,
		p->pool == POOL_GPU ? "gpu" : "sm", p->sms_per_tpc, p->work_queues);
	print_limit(out, "threads_per_sm", p->threads_per_sm);
	print_limit(out, "blocks_per_sm", p->blocks_per_sm);
	print_limit(out, "warps_per_sm", p->warps_per_sm);
	print_limit(out, "registers_per_sm", p->registers_per_sm);
	print_limit(out, "shared_memory_per_sm", p->shared_memory_per_sm);
	for (uint32_t i = 0; i < p->divisions.count; i++)
		fprintf(out, "%s%" PRId64 "%s", i ? ", " : ", carveout: [", p->divisions.bytes[i],
			i + 1 < p->divisions.count ? "" : "]");
	print_limit(out, "resident_kernels", p->resident_kernels);
	print_limit(out, "virtual_sms_per_sm", p->virtual_sms_per_sm);
	print_limit(out, "pin_overhead", p->pin_overhead_ns);
	print_limit(out, "preemption_delay", p->preemption_delay_ns);
	print_limit(out, "timeslice", p->contexts.timeslice_ns);
	print_limit(out, "switch", p->contexts.switch_ns);
	print_limit(out, "reset", p->contexts.reset_ns);
}

/* What else there is of a GPU, `before` and `behind` each of the two. */
static void print_around(FILE *out, const struct platform *p, const char *before, const char *behind)
{
	static const char *const engines[] = {"unlimited", "1", "2"};
	fprintf(out, "%scopy: {engines: %s, bandwidth: %" PRId64 "B/s, latency: %" PRId64 "}%s", before,
		engines[p->engines], p->copy_bandwidth, p->copy_latency_ns, behind);
	fprintf(out, "%spower: {static: %" PRId64 "uW, idle_per_sm: %" PRId64 "uW}%s", before, p->static_uw,
		p->idle_per_sm_uw, behind);
}

static void print_platform(FILE *out, const struct platform *p)
{
	fprintf(out, "platform:\n  cores: {count: %" PRIu32 ", scheduling: %s}\n", p->cores,
		core_scheduling_name(p->scheduling));
	if (p->gpu_count > 1) {
		fputs("  gpus:\n", out);
		for (uint32_t gpu = 0; gpu < p->gpu_count; gpu++) {
			fputs("    - {", out);
			print_gpu(out, platform_gpu(p, gpu));
			print_around(out, platform_gpu(p, gpu), ", ", "");
			fputs("}\n", out);
		}
	} else {
		fputs("  gpu: {", out);
		print_gpu(out, p);
		fputs("}\n", out);
		print_around(out, p, "  ", "\n");
	}
	const struct overheads *o = &p->overheads;
	fprintf(out,
		"  overheads: {launch: %" PRId64 ", latency: %" PRId64 ", gap: %" PRId64 ", sync: %" PRId64
		", switch: %" PRId64 ", release: %" PRId64 "}\n",
		o->launch_ns, o->latency_ns, o->gap_ns, o->sync_ns, o->switch_ns, o->release_ns);
}

static void print_list(FILE *out, const char *key, const int64_t *values, uint32_t count, const char *unit)
{
	fprintf(out, "%s: [", key);
	for (uint32_t i = 0; i < count; i++)
		fprintf(out, "%s%" PRId64 "%s", i ? ", " : "", values[i], unit);
	fputs("]", out);
}

static void print_profiles(const struct random_case *c, FILE *out)
{
	fputs("profiles:\n", out);
	for (uint32_t i = 0; i < c->set.profile_count; i++) {
		const struct profile *p = &c->set.profiles[i];
		fprintf(out, "  %s: {", p->name);
		print_list(out, "time", p->worst_ns, p->count, "");
		print_list(out, ", best_time", p->best_ns, p->count, "");
		if (p->total_power_uw)
			print_list(out, ", total_power", p->total_power_uw, p->count, "uW");
		fputs("}\n", out);
	}
}

/* sampled: a segment has samples. Without any, the times between best and worst case are drawn. */
static void print_setup(const struct random_case *c, FILE *out, const struct run_setup *s, bool sampled)
{
	static const char *const misses[] = {"continue", "drop", "abort"};
	static const char *const modes[] = {"worst", "best", "uniform"};
	fprintf(out,
		"horizon: %" PRId64 "\nlimit: %" PRId64 "\nstop: %s\nseed: %" PRIu64
		"\nties: %s\non_miss: %s\n",
		s->horizon_ns, s->limit_ns, s->stop == STOP_DRAINED ? "drained" : "horizon", s->seed,
		s->ties == TIES_LOWER_FIRST ? "lower-first" : "task-order", misses[s->on_miss]);
	if (s->execution == EXECUTION_SCALED) {
		fputs("execution: {scale: ", out);
		print_ppm(out, s->scale_ppm);
		fputs("}\n", out);
	} else if (s->execution == EXECUTION_SAMPLES || s->execution == EXECUTION_TOGETHER) {
		fprintf(out, "execution: %s\n",
			!sampled                            ? "uniform"
			: s->execution == EXECUTION_SAMPLES ? "{samples: samples.csv}"
							    : "{samples: samples.csv, together: true}");
	} else {
		fprintf(out, "execution: %s\n", modes[s->execution]);
	}
	print_release(c, out, &s->release, "");
	if (s->set)
		fprintf(out, "# number of the task set (part of every draw): %" PRIu32 "\n", s->set);
}

static bool traced(const struct task *t)
{
	return t->release && t->release->kind == RELEASE_TRACE;
}

static void print_jobs(FILE *out, const struct task *t, const char *before)
{
	const struct release_rule *rule = t->release;
	for (uint32_t job = 0; job < rule->trace_count; job++) {
		bool any = false;
		for (uint32_t i = 0; i < rule->duration_count; i++) {
			const struct trace_duration *d = &rule->durations[i];
			if (d->job != job)
				continue;
			any = true;
			fprintf(out, "%s%s,%" PRIu32 ",%" PRId64 ",%" PRIu32 ",%" PRId64 "\n", before,
				t->name, job, rule->trace_ns[job], d->segment, d->duration_ns);
		}
		if (!any)
			fprintf(out, "%s%s,%" PRIu32 ",%" PRId64 "\n", before, t->name, job,
				rule->trace_ns[job]);
	}
}

bool random_case_print_trace(const struct random_case *c, const char *before, FILE *out)
{
	bool any = false;
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		if (!traced(&c->set.tasks[i]))
			continue;
		if (!any)
			fprintf(out, "%stask,seq,release,segment,duration\n", before);
		any = true;
		print_jobs(out, &c->set.tasks[i], before);
	}
	return any;
}

bool random_case_print_samples(const struct random_case *c, const char *before, FILE *out)
{
	bool any = false;
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		for (uint32_t k = 0; k < c->set.tasks[i].segment_count; k++) {
			const struct segment *s = &c->set.tasks[i].segments[k];
			for (uint32_t n = 0; s->samples && n < s->sample_count; n++, any = true)
				fprintf(out, "%s%s,%" PRIu32 ",%" PRId64 "\n", before, c->set.tasks[i].name,
					k, s->samples[n]);
		}
	}
	return any;
}

static bool has_samples(const struct random_case *c)
{
	bool any = false;
	for (uint32_t i = 0; i < c->set.task_count; i++)
		for (uint32_t k = 0; k < c->set.tasks[i].segment_count; k++)
			any |= c->set.tasks[i].segments[k].samples != NULL;
	return any;
}

static void print_policy(const struct random_case *c, const struct oracle_policy *policy, FILE *out)
{
	char list[RANDOM_ALLOCATION_MAX];
	fprintf(out, "policies: [{name: %s", policy->name);
	if (policy->option)
		fprintf(out, ", %s: %s", policy->option, policy->value);
	for (size_t i = 0; i < sizeof(policy->more) / sizeof(policy->more[0]); i++) {
		if (policy->more[i].name)
			fprintf(out, ", %s: %s", policy->more[i].name, policy->more[i].value);
	}
	if (policy->allocation && random_case_allocation(c, policy, list))
		fprintf(out, ", allocation: %s", list);
	fputs(policy->of_tests ? "}] # a policy of the tests (context_policies.c)\n" : "}]\n", out);
}

static void print_chains(const struct random_case *c, FILE *out)
{
	fputs(c->set.chain_count ? "chains:\n" : "", out);
	for (uint32_t i = 0; i < c->set.chain_count; i++) {
		const struct effect_chain *e = &c->set.chains[i];
		fprintf(out, "  - {name: %s, tasks: ", e->name);
		print_names(c, out, e->tasks, e->task_count);
		fprintf(out, ", communication: %s, sample: %s",
			e->communication == CHAIN_LET ? "let" : "implicit",
			e->sample == CHAIN_RELEASE ? "release" : "start");
		print_limit(out, "reaction", e->reaction_ns);
		print_limit(out, "age", e->age_ns);
		fputs("}\n", out);
	}
}

void random_case_print(const struct random_case *c, const struct oracle_policy *policy, FILE *out)
{
	fprintf(out, "cegsim: 1\nname: %s\ntime_unit: ns\n", c->set.name);
	print_setup(c, out, &c->setup, has_samples(c));
	print_platform(out, &c->platform);
	print_profiles(c, out);
	fputs("tasks:\n", out);
	for (uint32_t i = 0; i < c->set.task_count; i++)
		print_task(c, out, &c->set.tasks[i]);
	print_chains(c, out);
	print_policy(c, policy, out);
	if (random_case_print_trace(c, "#   ", out))
		fputs("# (the lines above are trace.csv)\n", out);
	if (random_case_print_samples(c, "#   ", out))
		fputs("# (the lines above are samples.csv)\n", out);
}
