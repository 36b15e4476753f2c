/* tests/unit/test_pipe_child.c - policies/pipe/child.h: a process that answers, and everything else that it
 * may do. The programs are lines for sh. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "policies/pipe/child.h"
#include "tests/support/test.h"

/* Only what hangs takes so long. */
#define PATIENT 600.0

static struct child child;
static struct error err;
static bool ended;

static int finish(void **state)
{
	child_finish(&child);
	child = (struct child){0};
	/* Nothing is left: neither running nor dead. */
	return waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD ? 0 : 1;
}

EACH_TEST(NULL, finish);

static void start(const char *script)
{
	char sh[] = "sh", c[] = "-c", copy[1000];
	snprintf(copy, sizeof(copy), "%s", script);
	char *words[] = {sh, c, copy, NULL};
	if (!child_start(&child, words, NULL, &err))
		fail_msg("%s", err.text);
	assert_true(child_runs(&child));
}

static bool ask(const char *line, double timeout_s)
{
	const struct patience patience = {.timeout_s = timeout_s};
	err = (struct error){.status = STATUS_OK};
	return child_ask(&child, line, strlen(line), &patience, &ended, &err);
}

static void answers(const char *line, const char *answer)
{
	if (!ask(line, PATIENT))
		fail_msg("%s", err.text);
	assert_string_equal(text_data(&child.answer), answer);
	assert_false(ended);
}

static void fails(const char *line, double timeout_s, const char *why)
{
	assert_false(ask(line, timeout_s));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_string_equal(err.text, why);
	assert_false(child_runs(&child));
}

TEST("lines are answered one by one")
{
	start("while read x; do echo \"<$x>\"; done");
	answers("one\n", "<one>");
	answers("two\n", "<two>");
	answers("\n", "<>");
	pid_t before = child.pid;
	answers("three\n", "<three>");
	assert_int_equal(child.pid, before);
}

TEST("a process that ends says how")
{
	start("exit 3");
	fails("x\n", PATIENT, "ended with status 3");
	assert_true(ended);
	start("read x; kill -9 $$");
	fails("x\n", PATIENT, "was ended by signal 9 (Killed)");
	start("read x; printf 'half\\nmore'");
	fails("x\n", PATIENT, "gave more than one line as its answer");
}

TEST("it may die at the third question")
{
	start("read x; echo 1; read x; echo 2; read x; exit 7");
	answers("a\n", "1");
	answers("b\n", "2");
	assert_false(child.fresh);
	fails("c\n", PATIENT, "ended with status 7");
	assert_true(ended);
}

TEST("it may die between two questions")
{
	start("read x; echo 1; exit 5");
	answers("a\n", "1");
	/* Until it is dead: the next question then meets nobody. */
	siginfo_t how;
	assert_int_equal(waitid(P_PID, (id_t)child.pid, &how, WEXITED | WNOWAIT), 0);
	fails("b\n", PATIENT, "ended with status 5");
	assert_true(ended);
}

TEST("an answer without an end of line is none")
{
	start("read x; printf half; exit 0");
	fails("x\n", PATIENT, "ended with status 0");
}

TEST("one that sleeps is given up")
{
	start("read x; sleep 1000");
	fails("x\n", 0.05, "gave no answer within 0.05 s");
	assert_false(ended);
}

TEST("one that closes its output and goes on is stopped")
{
	start("exec >&-; sleep 1000");
	fails("x\n", PATIENT, "closed its standard output");
}

/* A question that fits into no pipe. */
static char *long_line(size_t length)
{
	char *line = malloc(length + 2);
	assert_non_null(line);
	memset(line, 'x', length);
	memcpy(line + length, "\n", 2);
	return line;
}

TEST("one that closes its input may still answer")
{
	start("exec <&-; echo anyway; sleep 1000");
	char *line = long_line(1 << 20);
	assert_true(ask("short\n", PATIENT));
	assert_string_equal(text_data(&child.answer), "anyway");
	child_stop(&child);
	start("exec <&-; exit 4");
	fails(line, PATIENT, "ended with status 4");
	free(line);
}

TEST("an answer in front of the question is none")
{
	char *line = long_line(1 << 20);
	start("echo early; sleep 1000");
	fails(line, PATIENT, "gave an answer before it had read the question");
	free(line);
}

TEST("a line that nobody asked for is noticed")
{
	start("read x; echo 1; sleep 0.05; echo 2; sleep 1000");
	answers("a\n", "1");
	struct pollfd ready = {.fd = child.out, .events = POLLIN};
	assert_int_equal(poll(&ready, 1, -1), 1);
	fails("b\n", PATIENT, "wrote a line that nobody asked for");
}

/* Both write before they read: a megabyte each way, which no pipe holds. */
TEST("long lines in both directions do not block")
{
	char *line = long_line(1 << 20);
	start("exec tee /dev/null");
	for (int i = 0; i < 3; i++) {
		if (!ask(line, PATIENT))
			fail_msg("%s", err.text);
		assert_int_equal(child.answer.length, 1 << 20);
	}
	free(line);
}

TEST("an endless answer is cut")
{
	start("read x; exec tr '\\0' x </dev/zero");
	fails("x\n", PATIENT, "gave an answer of more than 64 MiB");
}

TEST("endless lines are more than one")
{
	start("read x; exec yes");
	fails("x\n", PATIENT, "gave more than one line as its answer");
}

TEST("it is told when it is mute")
{
	child.mute = true;
	start("echo heard >&2; read x; echo done");
	answers("x\n", "done");
}

TEST("a program that cannot be run is no answer")
{
	char name[] = "/nowhere/at/all";
	char *words[] = {name, NULL};
	assert_false(child_start(&child, words, NULL, &err));
	assert_string_equal(err.text, "cannot be started: No such file or directory");
	assert_int_equal(err.status, STATUS_INPUT);
	char sh[] = "sh";
	words[0] = sh;
	assert_false(child_start(&child, words, "/nowhere", &err));
	assert_string_equal(err.text, "cannot be started: No such file or directory");
}

/* What it started ends with it. */
TEST("its own children are ended, too")
{
	start("sleep 1000 & read x; echo $!; read x");
	assert_true(ask("x\n", PATIENT));
	pid_t grandchild = (pid_t)strtol(text_data(&child.answer), NULL, 10);
	assert_int_equal(kill(grandchild, 0), 0);
	child_stop(&child);
	struct timespec moment = {.tv_nsec = 1000000};
	for (;;) {
		char path[64], how = 'X';
		snprintf(path, sizeof(path), "/proc/%d/stat", grandchild);
		FILE *f = fopen(path, "r");
		if (f && fscanf(f, "%*d (%*[^)]) %c", &how) != 1)
			how = 'X';
		if (f)
			fclose(f);
		if (how == 'X' || how == 'Z')
			return;
		nanosleep(&moment, NULL);
	}
}

static int asked;

static bool third_time(void *self)
{
	int *count = self;
	return ++*count == 3;
}

TEST("it is given up when nobody waits any more")
{
	const struct patience patience = {.over = third_time, .self = &asked};
	start("read x; sleep 1000");
	assert_false(child_ask(&child, "x\n", 2, &patience, &ended, &err));
	assert_int_equal(err.status, STATUS_INTERRUPTED);
	assert_int_equal(asked, 3);
	assert_false(child_runs(&child));
}

TEST("signals that were blocked or ignored are not")
{
	sigset_t set, before;
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, &before);
	signal(SIGINT, SIG_IGN);
	start("read x; kill -INT $$; echo alive");
	fails("x\n", PATIENT, "was ended by signal 2 (Interrupt)");
	start("read x; kill -TERM $$; echo alive");
	fails("x\n", PATIENT, "was ended by signal 15 (Terminated)");
	signal(SIGINT, SIG_DFL);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

TEST("a fork has no part in it")
{
	start("while read x; do echo $x; done");
	pid_t pid = fork();
	if (pid == 0) {
		bool mine = child_runs(&child);
		child_stop(&child);
		_exit(mine);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	answers("still there\n", "still there");
}
