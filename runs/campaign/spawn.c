/* runs/campaign/spawn.c - owns the pool's processes: their pipes, signals and shared memory. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "runs/campaign/pool_private.h"

char *pool_recording(const struct worker_pool *p, uint32_t number, const char *suffix)
{
	char *name;
	return asprintf(&name, "%s/%" PRIu32 "%s", p->spec->folder, number, suffix) < 0 ? NULL : name;
}

bool pool_begin(struct worker_pool *p, struct error *err)
{
	const struct pool_spec *s = p->spec;
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	if (!p->loop)
		return error_set(err, STATUS_IO, "no event loop: libev finds no way to wait on this system");
	p->workers = calloc(s->workers, sizeof(*p->workers));
	p->owner = calloc((size_t)s->members + 1, sizeof(*p->owner));
	void *views = mmap(NULL, s->workers * sizeof(*p->views), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	p->views = views == MAP_FAILED ? NULL : views;
	sigaction(SIGPIPE, &ignore, &p->sigpipe);
	if (!p->workers || !p->owner || !p->views) {
		error_memory(err, "starting the workers");
		pool_end(p);
		return false;
	}
	for (uint32_t i = 0; i < s->workers; i++) {
		p->workers[i].pool = p;
		p->workers[i].commands = p->workers[i].reports = -1;
	}
	ev_now_update(p->loop);
	progress_init(&p->progress, "sets", s->quiet, ev_now(p->loop));
	p->progress.rate = true;
	return true;
}

void pool_end(struct worker_pool *p)
{
	if (p->views)
		munmap(p->views, p->spec->workers * sizeof(*p->views));
	free(p->workers);
	free(p->owner);
	troubles_finish(&p->troubles);
	sigaction(SIGPIPE, &p->sigpipe, NULL);
}

/* ---- the child's side ---- */

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* All descriptors but standard ones and these: the loop's, and the other workers' pipes, which would keep
 * them waiting. */
static void close_others(int a, int b, int c)
{
	int keep[] = {2, a, b, c};
	size_t count = sizeof(keep) / sizeof(keep[0]);
	qsort(keep, count, sizeof(keep[0]), compare);
	for (size_t i = 0; i < count; i++) {
		unsigned first = (unsigned)keep[i] + 1;
		unsigned last = i + 1 < count ? (unsigned)keep[i + 1] - 1 : ~0u;
		if (keep[i] >= 2 && first <= last)
			close_range(first, last, 0);
	}
}

/* The terminal's and the system's signals are the parent's. */
static void settle_signals(void)
{
	static const int ignored[] = {SIGINT, SIGTERM};
	const struct sigaction ignore = {.sa_handler = SIG_IGN}, normal = {.sa_handler = SIG_DFL};
	sigset_t none;
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		sigaction(ignored[i], &ignore, NULL);
	sigaction(SIGCHLD, &normal, NULL);
	sigaction(SIGPIPE, &normal, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

_Noreturn static void be_worker(
	struct worker_pool *p, struct pool_worker *w, int commands, int reports, pid_t parent)
{
	char *recording = pool_recording(p, w->recording, "");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || !recording)
		_exit(STATUS_IO);
	close_others(commands, reports, p->spec->lock);
	settle_signals();
	const struct worker_spec spec = {
		.campaign = p->spec->campaign,
		.campaign_name = p->spec->campaign_name,
		.recording = recording,
		.shard = p->spec->shard,
		.commands = commands,
		.reports = reports,
		.troubles = &p->troubles,
		.view = &p->views[w - p->workers],
	};
	_exit(worker_run(&spec));
}

/* ---- the parent's side ---- */

static bool open_pipes(int down[2], int up[2], struct error *err)
{
	if (pipe2(down, O_CLOEXEC) != 0)
		return error_set(err, STATUS_IO, "cannot make a pipe to a worker: %s", strerror(errno));
	if (pipe2(up, O_CLOEXEC) == 0)
		return true;
	error_set(err, STATUS_IO, "cannot make a pipe to a worker: %s", strerror(errno));
	close(down[0]);
	close(down[1]);
	return false;
}

static void begin_worker(struct worker_pool *p, struct pool_worker *w)
{
	struct unit_view *view = &p->views[w - p->workers];
	double now = ev_now(p->loop);
	*w = (struct pool_worker){
		.pool = p,
		.commands = -1,
		.reports = -1,
		.recording = p->recordings++,
		.born = ++p->started,
		.batch = 1,
		.took = now,
		.beat_since = now,
	};
	atomic_store(&view->unit, UNIT_NONE);
	atomic_store(&view->run, TROUBLE_UNIT);
	atomic_store(&view->beat, 0);
	atomic_store(&view->events, 0);
	atomic_store(&view->units, 0);
	atomic_store(&view->stop, false);
}

static void watch_worker(struct worker_pool *p, struct pool_worker *w)
{
	fcntl(w->reports, F_SETFL, O_NONBLOCK);
	ev_io_init(&w->io, p->on_report, w->reports, EV_READ);
	ev_child_init(&w->child, p->on_child, w->pid, 0);
	w->io.data = w->child.data = w;
	ev_io_start(p->loop, &w->io);
	ev_child_start(p->loop, &w->child);
}

/* Signals wait while the child still has the parent's handlers. */
static pid_t fork_quietly(void)
{
	sigset_t all, before;
	fflush(NULL);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid_t pid = fork();
	if (pid != 0) {
		int reason = errno;
		sigprocmask(SIG_SETMASK, &before, NULL);
		errno = reason;
	}
	return pid;
}

bool pool_spawn(struct worker_pool *p, struct pool_worker *w, struct error *err)
{
	int down[2], up[2];
	pid_t parent = getpid();
	if (!open_pipes(down, up, err))
		return false;
	begin_worker(p, w);
	pid_t pid = fork_quietly();
	if (pid == 0)
		be_worker(p, w, down[0], up[1], parent);
	close(down[0]);
	close(up[1]);
	if (pid < 0) {
		error_set(err, STATUS_IO, "cannot start a worker: %s", strerror(errno));
		close(down[1]);
		close(up[0]);
		return false;
	}
	w->pid = pid;
	w->commands = down[1];
	w->reports = up[0];
	p->live++;
	watch_worker(p, w);
	return true;
}
