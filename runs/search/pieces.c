/* runs/search/pieces.c - see runs/search/pieces.h. Results are in memory that all processes share. */
#include "runs/search/pieces.h"

#include <sys/mman.h>
#include <sys/wait.h>

#include "runs/progress.h"

struct pieces {
	const struct pieces_spec *spec;
	struct pieces_shared *shared;
	struct workers workers;
	struct pieces_results *r;
	struct progress progress;
	bool failed;
	struct error *err;
};

static int work(void *self, uint32_t worker)
{
	const struct pieces *p = self;
	struct pieces_shared *shared = p->shared;
	struct error err;
	(void)worker;
	while (!atomic_load(&shared->stop)) {
		uint32_t piece = atomic_fetch_add(&shared->next, 1);
		if (piece >= p->spec->pieces)
			break;
		if (!p->spec->make(p->spec->self, piece, pieces_result(p->spec, p->r, piece), shared, &err)) {
			if (!atomic_flag_test_and_set(&shared->failing)) {
				shared->err = err;
				atomic_store(&shared->failed, true);
			}
			atomic_store(&shared->stop, true);
			return STATUS_NO;
		}
		atomic_fetch_add(&shared->done, 1);
	}
	return STATUS_OK;
}

static void ended(void *self, uint32_t worker, int status)
{
	struct pieces *p = self;
	char end[WORKER_EXIT_TEXT_MAX];
	bool told = WIFEXITED(status) && WEXITSTATUS(status) <= STATUS_NO;
	(void)worker;
	if (told || p->workers.interrupted || p->failed)
		return;
	p->failed = !error_set(p->err, STATUS_IO, "a worker process %s", worker_exit_text(status, end));
	atomic_store(&p->shared->stop, true);
}

static void interrupted(void *self)
{
	const struct pieces *p = self;
	atomic_store(&p->shared->stop, true);
}

static void tick(void *self)
{
	struct pieces *p = self;
	uint64_t all = p->spec->evaluations ? p->spec->evaluations : p->spec->pieces;
	uint64_t done =
		p->spec->evaluations ? atomic_load(&p->shared->evaluations) : atomic_load(&p->shared->done);
	double fraction = (double)done / (double)all;
	progress_update(&p->progress, ev_now(p->workers.loop.ev), done, all, fraction > 1 ? 1 : fraction, 0);
}

static bool run(struct pieces *p)
{
	static const struct workers_calls calls = {
		.work = work, .ended = ended, .interrupted = interrupted, .tick = tick};
	if (!workers_open(&p->workers, p->spec->workers, &calls, p, p->err))
		return false;
	progress_init(&p->progress, p->spec->evaluations ? "evaluations" : "sets", p->spec->quiet,
		ev_now(p->workers.loop.ev));
	p->progress.rate = true;
	for (uint32_t i = 0; i < p->spec->workers && !p->failed; i++)
		p->failed = !workers_start(&p->workers, i, NULL, 0, p->err);
	if (p->failed)
		atomic_store(&p->shared->stop, true);
	workers_wait(&p->workers);
	progress_clear(&p->progress);
	p->r->seconds = workers_seconds(&p->workers);
	p->r->interrupted = p->workers.interrupted;
	p->r->evaluations = atomic_load(&p->shared->evaluations);
	uint32_t next = atomic_load(&p->shared->next);
	p->r->begun = next < p->spec->pieces ? next : p->spec->pieces;
	if (p->failed || !atomic_load(&p->shared->failed))
		return !p->failed;
	*p->err = p->shared->err;
	return false;
}

bool pieces_run(const struct pieces_spec *spec, struct pieces_results *r, struct error *err)
{
	struct pieces p = {.spec = spec, .r = r, .err = err};
	*r = (struct pieces_results){.mapped = (size_t)spec->pieces * spec->result_size + 1};
	p.shared = workers_memory(sizeof(*p.shared), "the results of a search", err);
	if (!p.shared)
		return false;
	r->results = workers_memory(r->mapped, "the results of a search", err);
	bool ok = r->results && run(&p);
	workers_close(&p.workers);
	if (!ok)
		pieces_finish(r);
	munmap(p.shared, sizeof(*p.shared));
	return ok;
}

void pieces_finish(struct pieces_results *r)
{
	if (r->results)
		munmap(r->results, r->mapped);
	r->results = NULL;
}
