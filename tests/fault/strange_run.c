/* tests/fault/strange_run.c - one process under limits (tests/fault/strange.h). */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/fault/strange.h"
#include "tests/support/test.h"

/* Seconds of processor time; on a machine with much else to do a process may be there for longer. A build
 * with sanitizers gets as many more as it is slower, and its memory is not limited: that of its shadow is not
 * ours. */
#define SECONDS (TEST_CASES(4) < 4 ? 40 : 5)
#define SECONDS_THERE (TEST_CASES(4) < 4 ? 400 : 120)
#define MEMORY_KIB (256L * 1024)

static void set_limit(__rlimit_resource_t what, rlim_t value)
{
	struct rlimit limit = {value, value + (what == RLIMIT_CPU)};
	setrlimit(what, &limit);
}

static void become(const char *program, const char *folder, const char *const *arguments)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), said = -1;
	setpgid(0, 0);
	if (chdir(folder) == 0)
		said = open("said", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (null < 0 || said < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(said, 2) < 0)
		_exit(126);
	set_limit(RLIMIT_CPU, SECONDS);
	set_limit(RLIMIT_CORE, 0);
	set_limit(RLIMIT_FSIZE, 1 << 28);
	if (TEST_CASES(4) == 4)
		set_limit(RLIMIT_AS, (rlim_t)4 * MEMORY_KIB * 1024);
	setenv("PATH", "/nonexistent", 1); /* no gnuplot: what it is given has been made before */
	setenv("ASAN_OPTIONS", "exitcode=99:detect_leaks=0:allocator_may_return_null=1", 1);
	setenv("UBSAN_OPTIONS", "halt_on_error=1:exitcode=99", 1);
	const char *argv[24] = {program};
	for (int i = 0; arguments[i] && i < 22; i++)
		argv[i + 1] = arguments[i];
	execv(program, (char *const *)(uintptr_t)argv);
	_exit(126);
}

static bool ended_in_time(pid_t child, int *status, struct rusage *used)
{
	struct timespec pause = {.tv_nsec = 2000000};
	struct timespec from, now;
	clock_gettime(CLOCK_MONOTONIC, &from);
	for (;;) {
		pid_t done = wait4(child, status, WNOHANG, used);
		if (done == child)
			return true;
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (now.tv_sec - from.tv_sec > SECONDS_THERE)
			break;
		nanosleep(&pause, NULL);
	}
	kill(-child, SIGKILL);
	while (wait4(child, status, 0, used) < 0 && errno == EINTR) {
	}
	return false;
}

static void read_said(const char *folder, struct strange_end *end)
{
	char path[600];
	snprintf(path, sizeof(path), "%s/said", folder);
	FILE *f = fopen(path, "r");
	size_t length = f ? fread(end->said, 1, sizeof(end->said) - 1, f) : 0;
	end->said[length] = '\0';
	if (f)
		fclose(f);
}

/* What is wrong with how it ended; "": nothing. */
static const char *wrong(const struct strange_end *end, bool in_time)
{
	if (!in_time || end->status == -SIGXCPU || end->status == -SIGKILL)
		return "hangs";
	if (end->status < 0)
		return "is killed by a signal";
	if (end->status > 3 || strstr(end->said, "runtime error:") || strstr(end->said, "AddressSanitizer"))
		return "crashes";
	if (end->status >= 2 && !end->said[0])
		return "says nothing";
	if (strstr(end->said, "out of memory"))
		return "runs out of memory";
	if (TEST_CASES(4) == 4 && end->kib > MEMORY_KIB)
		return "takes too much memory";
	return "";
}

void strange_run(
	const char *program, const char *folder, const char *const *arguments, struct strange_end *end)
{
	struct rusage used = {0};
	int status = 0;
	*end = (struct strange_end){0};
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0)
		become(program, folder, arguments);
	bool in_time = ended_in_time(child, &status, &used);
	kill(-child, SIGKILL); /* workers that it has left */
	end->status = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
	end->kib = used.ru_maxrss;
	read_said(folder, end);
	snprintf(end->what, sizeof(end->what), "%s", wrong(end, in_time));
}
