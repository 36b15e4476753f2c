/* runs/search/workers.c - see runs/search/workers.h. The parent keeps an event loop (libev): signals,
 * progress, the ends of its children. Results lie in memory that is shared from the beginning. */
#include "runs/search/workers.h"

#include <errno.h>
#include <ev.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define TICK_SECONDS 0.1

struct crew_worker {
	struct crew *crew;
	ev_child child;
	pid_t pid; /* 0: has ended */
};

struct crew {
	const struct workers_spec *spec;
	struct workers_shared *shared;
	struct ev_loop *loop;
	struct crew_worker *workers;
	uint32_t live;
	bool interrupted, failed;
	void *results;
	struct error *err;
};

/* ---- in a worker ---- */

static void worker_failed(struct workers_shared *shared, const struct error *err)
{
	if (!atomic_flag_test_and_set(&shared->failing)) {
		shared->err = *err;
		atomic_store(&shared->failed, true);
	}
	atomic_store(&shared->stop, true);
}

_Noreturn static void work(const struct crew *c, pid_t parent)
{
	static const int ignored[] = {SIGINT, SIGTERM};
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct error err;
	sigset_t none;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(STATUS_IO);
	for (size_t i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		sigaction(ignored[i], &ignore, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	while (!atomic_load(&c->shared->stop)) {
		uint32_t piece = atomic_fetch_add(&c->shared->next, 1);
		if (piece >= c->spec->pieces)
			break;
		char *result = (char *)c->results + (size_t)piece * c->spec->result_size;
		if (!c->spec->make(c->spec->self, piece, result, c->shared, &err)) {
			worker_failed(c->shared, &err);
			_exit(STATUS_NO);
		}
		atomic_fetch_add(&c->shared->done, 1);
	}
	_exit(STATUS_OK);
}

/* ---- in the parent ---- */

static void on_child(struct ev_loop *loop, ev_child *child, int revents)
{
	struct crew_worker *w = child->data;
	struct crew *c = w->crew;
	int status = child->rstatus;
	(void)revents;
	ev_child_stop(loop, child);
	w->pid = 0;
	c->live--;
	bool told = WIFEXITED(status) && WEXITSTATUS(status) <= STATUS_NO;
	if (!told && !c->interrupted && !c->failed) {
		c->failed = true;
		atomic_store(&c->shared->stop, true);
		if (WIFSIGNALED(status))
			error_set(c->err, STATUS_IO, "a worker process was ended by signal %d (%s)",
				WTERMSIG(status), strsignal(WTERMSIG(status)));
		else
			error_set(c->err, STATUS_IO, "a worker process ended with status %d",
				WEXITSTATUS(status));
	}
	if (c->live == 0)
		ev_break(loop, EVBREAK_ALL);
}

static void on_signal(struct ev_loop *loop, ev_signal *signal, int revents)
{
	struct crew *c = signal->data;
	(void)loop;
	(void)revents;
	atomic_store(&c->shared->stop, true);
	for (uint32_t i = 0; c->interrupted && i < c->spec->workers; i++)
		if (c->workers[i].pid > 0)
			kill(c->workers[i].pid, SIGKILL);
	c->interrupted = true;
}

static void on_tick(struct ev_loop *loop, ev_timer *timer, int revents)
{
	struct crew *c = timer->data;
	(void)revents;
	if (c->spec->tick)
		c->spec->tick(c->spec->tick_self, ev_now(loop), atomic_load(&c->shared->evaluations),
			atomic_load(&c->shared->done));
}

/* Signals wait while the child still has the parent's handlers. */
static bool spawn(struct crew *c, struct crew_worker *w)
{
	sigset_t all, before;
	pid_t parent = getpid();
	fflush(NULL);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid_t pid = fork();
	if (pid == 0)
		work(c, parent);
	int reason = errno;
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (pid < 0)
		return error_set(c->err, STATUS_IO, "cannot start a worker: %s", strerror(reason));
	w->pid = pid;
	ev_child_init(&w->child, on_child, pid, 0);
	w->child.data = w;
	ev_child_start(c->loop, &w->child);
	c->live++;
	return true;
}

static void attend(struct crew *c)
{
	ev_signal interrupt, terminate;
	ev_timer tick;
	ev_signal_init(&interrupt, on_signal, SIGINT);
	ev_signal_init(&terminate, on_signal, SIGTERM);
	ev_timer_init(&tick, on_tick, TICK_SECONDS, TICK_SECONDS);
	interrupt.data = terminate.data = tick.data = c;
	ev_signal_start(c->loop, &interrupt);
	ev_signal_start(c->loop, &terminate);
	ev_timer_start(c->loop, &tick);
	for (uint32_t i = 0; i < c->spec->workers && !c->failed; i++) {
		c->workers[i].crew = c;
		c->failed = !spawn(c, &c->workers[i]);
	}
	if (c->failed)
		atomic_store(&c->shared->stop, true);
	while (c->live > 0)
		ev_run(c->loop, 0);
	ev_signal_stop(c->loop, &interrupt);
	ev_signal_stop(c->loop, &terminate);
	ev_timer_stop(c->loop, &tick);
}

static bool map(size_t size, void **memory, struct error *err)
{
	*memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return *memory != MAP_FAILED || error_memory(err, "the results of a search");
}

static bool run(struct crew *c, struct workers_results *r)
{
	c->loop = ev_default_loop(0);
	if (!c->loop)
		return error_set(
			c->err, STATUS_IO, "no event loop: libev finds no way to wait on this system");
	c->workers = calloc(c->spec->workers, sizeof(*c->workers));
	if (!c->workers)
		return error_memory(c->err, "the workers");
	ev_now_update(c->loop);
	double begun = ev_now(c->loop);
	attend(c);
	ev_now_update(c->loop);
	free(c->workers);
	r->seconds = ev_now(c->loop) - begun;
	r->interrupted = c->interrupted;
	r->evaluations = atomic_load(&c->shared->evaluations);
	if (!c->failed && atomic_load(&c->shared->failed)) {
		*c->err = c->shared->err;
		return false;
	}
	return !c->failed;
}

bool workers_run(const struct workers_spec *spec, struct workers_results *r, struct error *err)
{
	struct crew c = {.spec = spec, .err = err};
	void *shared;
	*r = (struct workers_results){.mapped = (size_t)spec->pieces * spec->result_size + 1};
	if (!map(sizeof(*c.shared), &shared, err))
		return false;
	c.shared = shared;
	bool ok = map(r->mapped, &r->results, err);
	if (ok) {
		c.results = r->results;
		ok = run(&c, r);
		if (!ok)
			workers_finish(r);
	}
	munmap(shared, sizeof(*c.shared));
	return ok;
}

void workers_finish(struct workers_results *r)
{
	if (r->results)
		munmap(r->results, r->mapped);
	r->results = NULL;
}
