/* runs/workers.c - see runs/workers.h. */
#include "runs/workers.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interrupt.h"

/* Descriptors that are closed if the system names no limit. */
#define FDS_UNLIMITED 65536
/* How long workers may take to end after the first signal. Then they are killed, as after the second. */
#define GRACE_SECONDS 0.5

/* ---- in a worker ---- */

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* Closes the descriptors from first to last, whether open or not. The call needs Linux 5.9; without it they
 * are closed one by one. */
static void close_all(unsigned first, unsigned last)
{
#ifdef SYS_close_range
	if (syscall(SYS_close_range, first, last, 0) == 0)
		return;
#endif
	long limit = sysconf(_SC_OPEN_MAX);
	unsigned long end = limit < 0 ? FDS_UNLIMITED : (unsigned long)limit;
	for (unsigned fd = first; fd <= last && fd < end; fd++)
		close((int)fd);
}

/* Closes all descriptors but the standard ones and these: those of the loop, and other workers' pipes, which
 * would otherwise never reach their end. */
static void close_others(const int *keep, size_t kept)
{
	int fds[WORKER_KEEPS_MAX + 1] = {STDERR_FILENO};
	size_t count = 1;
	for (size_t i = 0; i < kept; i++)
		if (keep[i] > STDERR_FILENO)
			fds[count++] = keep[i];
	qsort(fds, count, sizeof(fds[0]), compare);
	for (size_t i = 0; i < count; i++) {
		unsigned first = (unsigned)fds[i] + 1, last = i + 1 < count ? (unsigned)fds[i + 1] - 1 : ~0u;
		if (first <= last)
			close_all(first, last);
	}
}

/* Signals of the terminal and the system are for the parent. */
static void reset_signals(void)
{
	sigset_t none;
	interrupt_leave_to_parent();
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

_Noreturn static void be_worker(
	const struct workers *w, uint32_t worker, const int *keep, size_t kept, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(STATUS_IO);
	close_others(keep, kept);
	reset_signals();
	_exit(w->calls->work(w->self, worker));
}

/* ---- in this process ---- */

static void on_child(struct ev_loop *ev, ev_child *child, int revents)
{
	struct worker_process *process = child->data;
	struct workers *w = process->pool;
	(void)revents;
	ev_child_stop(ev, child);
	process->pid = 0;
	w->live--;
	w->calls->ended(w->self, (uint32_t)(process - w->processes), child->rstatus);
	if (w->live == 0)
		ev_break(ev, EVBREAK_ALL);
}

static void kill_all(struct workers *w)
{
	for (uint32_t i = 0; i < w->count; i++)
		workers_kill(w, i);
}

static void on_interrupt(void *self)
{
	struct workers *w = self;
	if (w->interrupted) {
		kill_all(w);
		return;
	}
	w->interrupted = true;
	w->interrupted_at = ev_now(w->loop.ev);
	w->calls->interrupted(w->self);
}

static void on_tick(void *self)
{
	struct workers *w = self;
	if (w->interrupted && ev_now(w->loop.ev) - w->interrupted_at >= GRACE_SECONDS)
		kill_all(w);
	w->calls->tick(w->self);
}

bool workers_open(
	struct workers *w, uint32_t count, const struct workers_calls *calls, void *self, struct error *err)
{
	*w = (struct workers){
		.calls = calls,
		.self = self,
		.count = count,
		.loop = {.self = w, .interrupted = on_interrupt, .tick = on_tick},
	};
	w->processes = calloc(count, sizeof(*w->processes));
	if (!w->processes)
		return error_memory(err, "starting the workers");
	if (!event_loop_open(&w->loop, err))
		return false;
	w->began = ev_now(w->loop.ev);
	return true;
}

void workers_close(struct workers *w)
{
	event_loop_close(&w->loop);
	free(w->processes);
	w->processes = NULL;
}

/* Signals are blocked while the child still has the parent's handlers. */
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

bool workers_start(struct workers *w, uint32_t worker, const int *keep, size_t kept, struct error *err)
{
	struct worker_process *process = &w->processes[worker];
	pid_t parent = getpid(), pid = fork_quietly();
	if (pid == 0)
		be_worker(w, worker, keep, kept, parent);
	if (pid < 0)
		return error_set(err, STATUS_IO, "cannot start a worker: %s", strerror(errno));
	*process = (struct worker_process){.pool = w, .pid = pid};
	ev_child_init(&process->child, on_child, pid, 0);
	process->child.data = process;
	ev_child_start(w->loop.ev, &process->child);
	w->live++;
	return true;
}

void workers_kill(struct workers *w, uint32_t worker)
{
	if (w->processes[worker].pid > 0)
		kill(w->processes[worker].pid, SIGKILL);
}

void workers_wait(struct workers *w)
{
	while (w->live > 0)
		ev_run(w->loop.ev, 0);
}

double workers_seconds(struct workers *w)
{
	ev_now_update(w->loop.ev);
	return ev_now(w->loop.ev) - w->began;
}

const char *worker_exit_text(int status, char text[WORKER_EXIT_TEXT_MAX])
{
	if (WIFSIGNALED(status))
		snprintf(text, WORKER_EXIT_TEXT_MAX, "was ended by signal %d (%s)", WTERMSIG(status),
			strsignal(WTERMSIG(status)));
	else
		snprintf(text, WORKER_EXIT_TEXT_MAX, "ended with status %d", WEXITSTATUS(status));
	return text;
}

void *workers_memory(size_t size, const char *what, struct error *err)
{
	void *memory =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory != MAP_FAILED)
		return memory;
	error_memory(err, what);
	return NULL;
}
