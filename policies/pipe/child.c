/* policies/pipe/child.c - see policies/pipe/child.h. The process has a process group of its own: a signal
 * from the terminal is for us alone, and what it starts ends with it. */
#include "policies/pipe/child.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interrupt.h"

/* How long a process that has closed its output is given to end, ms. */
#define LAST_WORDS_MS 500
/* How long to wait at a time. */
#define WAIT_SECONDS 3600.0
#define WAIT_SECONDS_INTERRUPTIBLE 0.1

bool child_runs(const struct child *c)
{
	return c->pid > 0 && c->owner == getpid();
}

/* ---- its beginning ---- */

struct ends {
	int in[2], out[2],
		failed[2]; /* of pipes: [0] to read, [1] to write; failed: why it could not be started */
};

static void close_ends(struct ends *e)
{
	int *fds[] = {&e->in[0], &e->in[1], &e->out[0], &e->out[1], &e->failed[0], &e->failed[1]};
	for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++)
		if (*fds[i] >= 0)
			close(*fds[i]);
}

/* In the new process: only calls that are safe after fork(2). */
_Noreturn static void become(
	const struct ends *e, const struct child *c, char *const *words, const char *folder, pid_t parent)
{
	sigset_t none;
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	interrupt_reset();
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	int silent = c->mute ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
	if (getppid() == parent && dup2(e->in[0], STDIN_FILENO) >= 0 && dup2(e->out[1], STDOUT_FILENO) >= 0 &&
		(silent < 0 || dup2(silent, STDERR_FILENO) >= 0) && (!folder || chdir(folder) == 0))
		execvp(words[0], words);
	int reason = errno;
	bool told = write(e->failed[1], &reason, sizeof(reason)) == (ssize_t)sizeof(reason);
	_exit(told ? STATUS_INPUT : STATUS_IO);
}

/* Our ends, behind standard error: a closed standard stream must not become one of them. */
static bool make_pipe(int fds[2], struct error *err)
{
	if (pipe2(fds, O_CLOEXEC) != 0) {
		fds[0] = fds[1] = -1;
		return error_set(err, STATUS_IO, "cannot be started: %s", strerror(errno));
	}
	for (int i = 0; i < 2; i++) {
		int moved =
			fds[i] > STDERR_FILENO ? fds[i] : fcntl(fds[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		if (moved < 0)
			return error_set(err, STATUS_IO, "cannot be started: %s", strerror(errno));
		if (moved != fds[i])
			close(fds[i]);
		fds[i] = moved;
	}
	return true;
}

/* Waits until the program runs; 0: it does, else errno of what failed. */
static int wait_for_start(int failed)
{
	int reason = 0;
	ssize_t got;
	do
		got = read(failed, &reason, sizeof(reason));
	while (got < 0 && errno == EINTR);
	return got == (ssize_t)sizeof(reason) ? reason : 0;
}

static bool fork_child(
	struct child *c, struct ends *e, char *const *words, const char *folder, struct error *err)
{
	pid_t parent = getpid();
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0)
		become(e, c, words, folder, parent);
	if (pid < 0)
		return error_set(err, STATUS_IO, "cannot be started: %s", strerror(errno));
	setpgid(pid, pid); /* both do it: whoever is first */
	c->pid = pid;
	c->owner = parent;
	c->fresh = true;
	c->in = e->in[1];
	c->out = e->out[0];
	close(e->failed[1]);
	int reason = (e->failed[1] = -1, wait_for_start(e->failed[0]));
	e->in[1] = e->out[0] = -1;
	if (reason) {
		child_stop(c);
		return error_set(err, STATUS_INPUT, "cannot be started: %s", strerror(reason));
	}
	return true;
}

bool child_start(struct child *c, char *const *words, const char *folder, struct error *err)
{
	struct ends e = {{-1, -1}, {-1, -1}, {-1, -1}};
	bool ok = make_pipe(e.in, err) && make_pipe(e.out, err) && make_pipe(e.failed, err) &&
		  fork_child(c, &e, words, folder, err);
	if (ok && (fcntl(c->in, F_SETFL, O_NONBLOCK) != 0 || fcntl(c->out, F_SETFL, O_NONBLOCK) != 0)) {
		ok = error_set(err, STATUS_IO, "cannot be started: %s", strerror(errno));
		child_stop(c);
	}
	close_ends(&e);
	return ok;
}

/* ---- its end ---- */

/* Kills it and what it started. Returns the status of waitpid(2); -1: not known. */
static int end(struct child *c)
{
	int status = -1;
	pid_t pid = c->pid;
	if (!child_runs(c))
		return -1;
	close(c->in);
	close(c->out);
	c->pid = 0;
	kill(-pid, SIGKILL);
	kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}

void child_stop(struct child *c)
{
	end(c);
}

void child_finish(struct child *c)
{
	end(c);
	text_finish(&c->answer);
}

/* It has closed its output: is about to end, or has ended. Its own status is better than that of our signal.
 */
static bool gone(struct child *c, struct error *err)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	siginfo_t how = {.si_pid = 0};
	for (int i = 0; i < LAST_WORDS_MS && how.si_pid == 0; i++) {
		if (waitid(P_PID, (id_t)c->pid, &how, WEXITED | WNOHANG | WNOWAIT) != 0)
			break;
		if (how.si_pid == 0)
			nanosleep(&moment, NULL);
	}
	bool alive = how.si_pid == 0;
	int status = end(c);
	if (alive)
		return error_set(err, STATUS_INPUT, "closed its standard output");
	if (status >= 0 && WIFSIGNALED(status))
		return error_set(err, STATUS_INPUT, "was ended by signal %d (%s)", WTERMSIG(status),
			strsignal(WTERMSIG(status)));
	return error_set(err, STATUS_INPUT, "ended with status %d", status < 0 ? -1 : WEXITSTATUS(status));
}

/* ---- a line each way ---- */

/* write(2), whose SIGPIPE nobody sees. */
static ssize_t write_quietly(int fd, const char *data, size_t size)
{
	static const struct timespec now = {0};
	sigset_t pipe, before, waiting;
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	sigpending(&waiting);
	sigprocmask(SIG_BLOCK, &pipe, &before);
	ssize_t written = write(fd, data, size);
	int reason = errno;
	if (written < 0 && reason == EPIPE && !sigismember(&waiting, SIGPIPE))
		while (sigtimedwait(&pipe, NULL, &now) < 0 && errno == EINTR)
			;
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = reason;
	return written;
}

struct exchange {
	const char *line;
	size_t length, written;
	const struct patience *patience;
	double until; /* by clock_seconds() */
	bool deaf;    /* it does not read any more */
};

static bool stop_with(struct child *c, struct error *err, const char *what)
{
	error_set(err, STATUS_IO, "%s: %s", what, strerror(errno));
	child_stop(c);
	return false;
}

static bool write_some(struct child *c, struct exchange *x, struct error *err)
{
	ssize_t n = write_quietly(c->in, x->line + x->written, x->length - x->written);
	if (n >= 0)
		x->written += (size_t)n;
	else if (errno == EPIPE)
		x->deaf = true; /* the end of its output says why */
	else if (errno != EAGAIN && errno != EINTR)
		return stop_with(c, err, "cannot be written to");
	return true;
}

/* *over: the answer is complete. */
static bool read_some(struct child *c, const struct exchange *x, bool *over, bool *ended, struct error *err)
{
	char buffer[1 << 16];
	ssize_t n = read(c->out, buffer, sizeof(buffer));
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (n < 0)
		return stop_with(c, err, "cannot be read from");
	*ended = n == 0;
	if (n == 0)
		return gone(c, err);
	const char *newline = memchr(buffer, '\n', (size_t)n);
	text_add_bytes(&c->answer, buffer, newline ? (size_t)(newline - buffer) : (size_t)n);
	bool more = newline && newline + 1 < buffer + n,
	     early = newline && x->written < x->length && !x->deaf;
	bool ok = c->answer.length > CHILD_ANSWER_MAX
			  ? error_set(err, STATUS_INPUT, "gave an answer of more than %zu MiB",
				    CHILD_ANSWER_MAX >> 20)
		  : more || early ? error_set(err, STATUS_INPUT,
					    more ? "gave more than one line as its answer"
						 : "gave an answer before it had read the question")
				  : text_ok(&c->answer, "reading an answer", err);
	*over = newline;
	if (!ok)
		child_stop(c);
	return ok;
}

/* Waits until something can be read or written, or for a while. */
static bool wait_for(struct child *c, const struct exchange *x, struct pollfd fds[2], struct error *err)
{
	const struct patience *p = x->patience;
	double left = x->until - clock_seconds(), most = p->over ? WAIT_SECONDS_INTERRUPTIBLE : WAIT_SECONDS;
	fds[0] = (struct pollfd){.fd = c->out, .events = POLLIN};
	fds[1] = (struct pollfd){.fd = x->written < x->length && !x->deaf ? c->in : -1, .events = POLLOUT};
	if (p->over && p->over(p->self)) {
		child_stop(c);
		return error_set(err, STATUS_INTERRUPTED, "interrupted");
	}
	if (left <= 0) {
		child_stop(c);
		return error_set(err, STATUS_INPUT, "gave no answer within %g s", p->timeout_s);
	}
	int ready = poll(fds, 2, (int)ceil((left < most ? left : most) * 1e3));
	if (ready < 0 && errno != EINTR)
		return stop_with(c, err, "cannot be waited for");
	if (ready <= 0)
		fds[0].revents = fds[1].revents = 0;
	return true;
}

/* Something that it wrote after its last answer belongs to no question. */
static bool check_silence(struct child *c, bool *ended, struct error *err)
{
	struct pollfd ready = {.fd = c->out, .events = POLLIN};
	char byte;
	if (poll(&ready, 1, 0) <= 0)
		return true;
	*ended = read(c->out, &byte, 1) == 0;
	if (*ended)
		return gone(c, err);
	child_stop(c);
	return error_set(err, STATUS_INPUT, "wrote a line that nobody asked for");
}

bool child_ask(struct child *c, const char *line, size_t length, const struct patience *patience, bool *ended,
	struct error *err)
{
	double seconds = patience->timeout_s;
	struct exchange x = {
		line, length, 0, patience, seconds > 0 ? clock_seconds() + seconds : INFINITY, false};
	bool over = false;
	*ended = false;
	text_clear(&c->answer);
	/* What a new process writes first is its answer, whether it has read the question or not. */
	if (!c->fresh && !check_silence(c, ended, err))
		return false;
	while (!over) {
		struct pollfd fds[2];
		if (!wait_for(c, &x, fds, err) || (fds[1].revents && !write_some(c, &x, err)) ||
			(fds[0].revents && !read_some(c, &x, &over, ended, err)))
			return false;
	}
	c->fresh = false;
	return true;
}
