/* tests/oracle/warp_show.c - a random case for people: what is wrong with it, and all of it. */
#include "tests/oracle/warp_random.h"

struct complaint {
	char *text;
	size_t size;
};

static void complain(void *self, uint32_t kernel, const char *what)
{
	const struct complaint *c = self;
	snprintf(c->text, c->size, "kernel %u: %s", kernel, what);
}

bool warp_case_is_valid(const struct warp_case *c, char *text, size_t size)
{
	struct complaint complaint = {text, size};
	return warp_set_check(&c->set, &c->platform, complain, &complaint) == 0;
}

static void print_step(const struct warp_step *s, FILE *out)
{
	static const char *const names[] = {
		"compute", "load", "store", "shared_load", "shared_store", "barrier", "loop"};
	fprintf(out, "    %s x%u", names[s->kind], s->count);
	if (s->kind == STEP_LOOP)
		fprintf(out, " body %u%s%s", s->body, s->rounds ? " shared by " : "",
			warp_rounds_name(s->rounds));
	else
		fprintf(out,
			" threads %u distance %u first %u unit %d latency %lld l1 %lld l2 %lld coal %lld "
			"bytes %u reuse %u",
			s->threads, s->distance, s->first, (int)s->unit, (long long)s->latency,
			(long long)s->l1_hit_ppm, (long long)s->l2_hit_ppm, (long long)s->coalescing_ppm,
			s->bytes, s->reuse);
	fprintf(out, "\n");
}

static void print_machine(const struct warp_case *c, FILE *out)
{
	const struct warp_machine *m = &c->set.machine;
	const struct platform *p = &c->platform;
	fprintf(out,
		"clock %lld sms %u sub_cores %u shared %lld l1 %lld l2 %lld dram %lld bandwidth %lld "
		"l1_bytes %lld l2_bytes %lld requests %lld; unit",
		(long long)m->clock_hz, p->sms, m->sub_cores, (long long)m->shared_latency,
		(long long)m->l1_latency, (long long)m->l2_latency, (long long)m->dram_latency,
		(long long)m->bandwidth, (long long)m->l1_bytes, (long long)m->l2_bytes,
		(long long)m->requests);
	for (int unit = 0; unit < WARP_UNITS; unit++)
		fprintf(out, " %lld/%lld", (long long)m->latency[unit], (long long)m->interval[unit]);
	fprintf(out, "\nSM: threads %u blocks %u warps %u registers %lld shared %lld\n", p->threads_per_sm,
		p->blocks_per_sm, p->warps_per_sm, (long long)p->registers_per_sm,
		(long long)p->shared_memory_per_sm);
}

static void print_options(const struct warp_case *c, FILE *out)
{
	static const char *const schedulers[] = {"lrr", "gto", "oldest", "two-level", "qaws"};
	static const char *const managers[] = {
		"smk", "naive", "history", "elastic", "rollover", "rollover-time", "spart"};
	const struct warp_options *o = &c->options;
	fprintf(out, "%s%s active %u%s budgets", schedulers[o->scheduler],
		o->rotate_cycle ? " (rotate: cycle)" : "", o->active, o->inner_gto ? ", inner: gto" : "");
	for (uint32_t k = 0; k < c->set.kernel_count; k++)
		fprintf(out, " %lld", (long long)o->budget[k]);
	fprintf(out, "; %s, %s, epoch %lld, samples %u%s%s%s\n", managers[o->manager],
		o->blocks == BLOCKS_FILL ? "fill" : "even", (long long)o->epoch, o->samples,
		o->history ? ", history" : "", o->adjust ? ", adjust" : "",
		o->free_swaps ? ", swap: free" : "");
	fprintf(out, "adjust_margin %lld ppm, epoch_cost %lld\n", (long long)o->adjust_margin,
		(long long)o->epoch_cost);
	fprintf(out, "horizon %lld ns, limit %lld ns, stop: %s, seed %llu\n", (long long)c->setup.horizon_ns,
		(long long)c->setup.limit_ns, c->setup.stop == STOP_DRAINED ? "drained" : "horizon",
		(unsigned long long)c->setup.seed);
}

static void print_part(const struct warp_kernel *k, uint32_t part, FILE *out)
{
	if (part > 0)
		fprintf(out, "   then %u blocks of %u threads, registers %lld, shared %lld\n", k->blocks,
			k->block_threads, (long long)k->registers, (long long)k->shared_memory);
	for (uint32_t s = 0; s < k->step_count; s++)
		print_step(&k->steps[s], out);
}

void warp_case_print(const struct warp_case *c, FILE *out)
{
	print_options(c, out);
	print_machine(c, out);
	for (uint32_t i = 0; i < c->set.kernel_count; i++) {
		const struct warp_kernel *k = &c->kernel[i];
		fprintf(out,
			"kernel %u: %u blocks of %u threads, registers %lld, shared %lld, stream %d%s, "
			"launch %lld, "
			"period %lld%s, goal kind %d ipc %lld share %lld ns %lld, alone %lld\n",
			i, k->blocks, k->block_threads, (long long)k->registers, (long long)k->shared_memory,
			k->stream, k->stream_high ? " high" : "", (long long)k->launch, (long long)k->period,
			k->repeat ? " repeat" : "", (int)k->goal.kind, (long long)k->goal.ipc,
			(long long)k->goal.share_ppm, (long long)k->goal.kernel_ns, (long long)c->alone[i]);
		for (uint32_t part = 0; part < warp_parts(k); part++)
			print_part(warp_part(k, part), part, out);
	}
}
