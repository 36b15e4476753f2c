/* tests/fault/test_pipe_fault.c - every allocation and every system call of the analyses in pipes fails once:
 * nothing crashes, leaks or hangs, no process is left, and either the caller is told or the set has an error.
 * Linked with --wrap for the allocators of tests/support/failing_memory.h and for the calls below. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "policies/pipe/child.h"
#include "policies/pipe/command.h"
#include "policies/pipe/pipe.h"
#include "tests/support/failing_memory.h"
#include "tests/unit/pipe_plans.h"

/* ---- system calls that fail ---- */

enum call { CALL_FORK, CALL_PIPE2, CALL_READ, CALL_WRITE, CALL_POLL, CALL_FCNTL, CALLS };
static const char *const names[CALLS] = {"fork", "pipe2", "read", "write", "poll", "fcntl"};
static long countdown[CALLS] = {-1, -1, -1, -1, -1, -1}; /* negative: none fails */
static int reason;                                       /* errno of the failure */
static bool call_failed;

static bool fails_now(enum call call)
{
	if (countdown[call] < 0 || countdown[call]-- > 0)
		return false;
	errno = reason;
	call_failed = true;
	return true;
}

pid_t __real_fork(void);
int __real_pipe2(int fds[2], int flags);
ssize_t __real_read(int fd, void *data, size_t size);
ssize_t __real_write(int fd, const void *data, size_t size);
int __real_poll(struct pollfd *fds, nfds_t count, int timeout);
int __real_fcntl64(int fd, int command, ...);
pid_t __wrap_fork(void);
int __wrap_pipe2(int fds[2], int flags);
ssize_t __wrap_read(int fd, void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout);
int __wrap_fcntl64(int fd, int command, ...);

pid_t __wrap_fork(void)
{
	return fails_now(CALL_FORK) ? -1 : __real_fork();
}

int __wrap_pipe2(int fds[2], int flags)
{
	return fails_now(CALL_PIPE2) ? -1 : __real_pipe2(fds, flags);
}

ssize_t __wrap_read(int fd, void *data, size_t size)
{
	return fails_now(CALL_READ) ? -1 : __real_read(fd, data, size);
}

ssize_t __wrap_write(int fd, const void *data, size_t size)
{
	return fails_now(CALL_WRITE) ? -1 : __real_write(fd, data, size);
}

int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
	return fails_now(CALL_POLL) ? -1 : __real_poll(fds, count, timeout);
}

int __wrap_fcntl64(int fd, int command, ...)
{
	va_list args;
	va_start(args, command);
	int argument = va_arg(args, int);
	va_end(args);
	return fails_now(CALL_FCNTL) ? -1 : __real_fcntl64(fd, command, argument);
}

/* ---- what is done again and again ---- */

static struct asking asking;
static struct error err;

/* The descriptors of this process. */
static int descriptors(void)
{
	int count = 0;
	for (int fd = 0; fd < 256; fd++)
		count += __real_fcntl64(fd, F_GETFD) >= 0;
	return count;
}

/* A process is started, asked twice, and stopped. */
static bool exchange(void)
{
	char sh[] = "sh", c[] = "-c", script[] = "while read x; do echo \"$x\"; done";
	char *words[] = {sh, c, script, NULL};
	const struct patience patience = {.timeout_s = 600};
	struct child child = {0};
	bool ended, ok = child_start(&child, words, "/", &err);
	for (int i = 0; ok && i < 2; i++)
		ok = child_ask(&child, "a line\n", 7, &patience, &ended, &err) &&
		     strcmp(text_data(&child.answer), "a line") == 0;
	child_finish(&child);
	return ok;
}

static bool make_command(void)
{
	static const char *const files[] = {"sh", __FILE__, "and so on"};
	struct command c = {0};
	char **words;
	size_t count;
	if (!command_split("python3 'a b' c d e f g h i j k", &words, &count, &err))
		return false;
	command_free_words(words, count);
	bool ok = command_init(&c, files, 3, "/tmp", &err);
	command_finish(&c);
	return ok;
}

/* A set is bounded by an analysis that exists already. *gave_up: the set has an error. */
static const struct analysis *analysis;

static bool bound(bool *gave_up)
{
	struct arena arena = {0};
	struct analysis_result result = {0};
	bool ok = analysis->ask(analysis, &asking.plan, NULL, &arena, &result, &err);
	*gave_up = ok && result.gave_up;
	if (ok && !result.gave_up)
		assert_int_equal(result.task[0].response_ns, 90);
	arena_finish(&arena);
	return ok;
}

/* The first allocation fails, then the second, ... until none does. Either the work fails with STATUS_IO, or
 * nothing failed. */
static long fail_each(bool (*work)(void))
{
	int before = descriptors();
	for (long n = 0;; n++) {
		err = (struct error){.status = STATUS_OK};
		memory_failed = false;
		memory_countdown = n;
		bool ok = work();
		memory_countdown = -1;
		assert_int_equal(descriptors(), before);
		assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
		assert_int_equal(ok, !memory_failed);
		if (!memory_failed)
			return n;
		assert_int_equal(err.status, STATUS_IO);
	}
}

TEST("allocations")
{
	assert_in_range(fail_each(exchange), 1, 50);
	assert_in_range(fail_each(make_command), 15, 200);
}

/* Number 0 of the call fails, then number 1, ... Either the answers are right, or the caller is told. */
static void fail_calls(enum call call, int with, bool tried_again)
{
	int before = descriptors();
	long told = 0;
	reason = with;
	for (long n = 0;; n++) {
		err = (struct error){.status = STATUS_OK};
		call_failed = false;
		countdown[call] = n;
		bool ok = exchange();
		countdown[call] = -1;
		if (descriptors() != before || waitpid(-1, NULL, WNOHANG) != -1)
			fail_msg("%s number %ld leaves something", names[call], n);
		if (!ok && (!call_failed || tried_again || err.status != STATUS_IO || !err.text[0]))
			fail_msg("%s number %ld: %s", names[call], n, err.text);
		told += !ok;
		if (call_failed)
			continue;
		assert_true(n > 0);
		assert_true(tried_again || told > 0);
		return;
	}
}

TEST("processes and pipes that cannot be made")
{
	fail_calls(CALL_FORK, EAGAIN, false);
	fail_calls(CALL_PIPE2, EMFILE, false);
	fail_calls(CALL_FCNTL, EINVAL, false);
}

TEST("reading, writing and waiting that fail")
{
	fail_calls(CALL_READ, EIO, false);
	fail_calls(CALL_WRITE, EIO, false);
	fail_calls(CALL_POLL, ENOMEM, false);
}

TEST("what is tried again after a signal")
{
	fail_calls(CALL_READ, EINTR, true);
	fail_calls(CALL_WRITE, EINTR, true);
	fail_calls(CALL_WRITE, EAGAIN, true);
	fail_calls(CALL_POLL, EINTR, true);
}

/* ---- a whole analysis ---- */

static bool make(void)
{
	analysis =
		pipe_parse("pipe:sh -c 'while read x; do echo \"{\\\"bounds\\\": [40, 90]}\"; done'", &err);
	return analysis;
}

static bool bound_one(void)
{
	bool gave_up;
	return bound(&gave_up) && !gave_up;
}

static int begin(void **state)
{
	json_set_alloc_funcs(malloc, free); /* those that fail */
	asking_two(&asking);
	return 0;
}

static int finish(void **state)
{
	asking_finish(&asking);
	return 0;
}

ALL_TESTS(begin, finish);

TEST("making an analysis, and asking it")
{
	long n = 0;
	for (;; n++) {
		memory_failed = false;
		memory_countdown = n;
		bool made = make();
		memory_countdown = -1;
		assert_int_equal(made, !memory_failed);
		if (made)
			break;
		assert_int_equal(err.status, STATUS_IO);
	}
	assert_in_range(n, 15, 200);
	assert_true(bound_one());
	for (n = 0;; n++) {
		bool gave_up;
		memory_failed = false;
		memory_countdown = n;
		bool ok = bound(&gave_up);
		memory_countdown = -1;
		if (!ok)
			assert_int_equal(err.status, STATUS_IO);
		if (!memory_failed)
			break;
		/* Never a wrong verdict: told, or the set has no bound. */
		assert_true(!ok || gave_up);
		assert_true(bound_one());
	}
	assert_in_range(n, 5, 100);
}
