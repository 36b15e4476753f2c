/* report/gnuplot.c - see report/gnuplot.h. */
#include "report/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interrupt.h"

/* Adds the last lines of gnuplot's messages to an error. */
static bool complain(FILE *words, int status, struct error *err)
{
	char said[512];
	long end = fseek(words, 0, SEEK_END) == 0 ? ftell(words) : 0;
	long from = end > (long)sizeof(said) - 1 ? end - (long)sizeof(said) + 1 : 0;
	size_t length = fseek(words, from, SEEK_SET) == 0 ? fread(said, 1, sizeof(said) - 1, words) : 0;
	while (length > 0 && (said[length - 1] == '\n' || said[length - 1] == ' '))
		length--;
	said[length] = '\0';
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		return error_set(err, STATUS_IO, "gnuplot took longer than %d s", GNUPLOT_SECONDS);
	if (WIFSIGNALED(status))
		return error_set(err, STATUS_IO, "gnuplot was ended by signal %d", WTERMSIG(status));
	return error_set(err, STATUS_IO, "gnuplot could not draw the figure: %s", said + strspn(said, " \n"));
}

/* Our environment, but with the time of Greenwich: the length of a PDF's date depends on the zone. NULL: out
 * of memory. */
static char **plain_environment(void)
{
	static char zone[] = "TZ=UTC0";
	size_t count = 0, kept = 0;
	while (environ[count])
		count++;
	char **all = calloc(count + 2, sizeof(*all));
	for (size_t i = 0; all && i < count; i++)
		if (strncmp(environ[i], "TZ=", 3) != 0)
			all[kept++] = environ[i];
	if (all)
		all[kept] = zone;
	return all;
}

struct start {
	int input, words, failed; /* failed: of a pipe, to tell why it could not be started */
	char **environment;
	pid_t parent;
};

/* In the new process: only calls that are safe after fork(2). A terminal's signals are for us, who kill it.
 */
_Noreturn static void become(const struct start *s)
{
	static char name[] = "gnuplot", plain[] = "--default-settings";
	char *const argv[] = {name, plain, NULL};
	sigset_t none;
	sigemptyset(&none);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	interrupt_reset();
	sigprocmask(SIG_SETMASK, &none, NULL);
	alarm(GNUPLOT_SECONDS);
	/* The parent may have ended before it could be asked to tell. */
	if (getppid() == s->parent && dup2(s->input, STDIN_FILENO) >= 0 && dup2(s->words, STDERR_FILENO) >= 0)
		execvpe(name, argv, s->environment);
	int reason = errno;
	bool told = write(s->failed, &reason, sizeof(reason)) == (ssize_t)sizeof(reason);
	_exit(told ? STATUS_INPUT : STATUS_IO);
}

/* Why it could not be started; 0: it runs. */
static int wait_for_start(int failed)
{
	int reason = 0;
	ssize_t got;
	do
		got = read(failed, &reason, sizeof(reason));
	while (got < 0 && errno == EINTR);
	return got < 0 ? errno : got == (ssize_t)sizeof(reason) ? reason : 0;
}

/* Until it is registered, no signal ends us. */
static pid_t fork_registered(const struct start *s)
{
	sigset_t before;
	fflush(NULL);
	interrupt_hold(&before);
	pid_t child = fork();
	if (child == 0)
		become(s);
	if (child > 0)
		interrupt_kills(child);
	interrupt_release(&before);
	return child;
}

static bool wait_for_end(pid_t child, int *status)
{
	pid_t got;
	do
		got = waitpid(child, status, 0);
	while (got < 0 && errno == EINTR);
	interrupt_kills(0);
	return got == child;
}

static bool run(struct start *s, const int failed[2], FILE *words, struct error *err)
{
	int status = 0;
	pid_t child = fork_registered(s);
	close(failed[1]);
	if (child < 0)
		return error_set(err, STATUS_IO, "cannot start gnuplot: %s", strerror(errno));
	int reason = wait_for_start(failed[0]);
	bool ended = wait_for_end(child, &status);
	if (reason)
		return error_set(err, STATUS_IO,
			reason == ENOENT ? "there is no gnuplot here; it is Debian's package "
					   "gnuplot-nox (with --script the script is written without it)"
					 : "cannot start gnuplot: %s",
			strerror(reason));
	if (!ended)
		return error_set(err, STATUS_IO, "cannot wait for gnuplot: %s", strerror(errno));
	return status == 0 || complain(words, status, err);
}

bool gnuplot_run(FILE *input, FILE *words, struct error *err)
{
	int failed[2];
	char **environment = plain_environment();
	if (!environment)
		return error_memory(err, "starting gnuplot");
	bool ok = pipe2(failed, O_CLOEXEC) == 0 ||
		  error_set(err, STATUS_IO, "cannot start gnuplot: %s", strerror(errno));
	if (ok) {
		struct start s = {fileno(input), fileno(words), failed[1], environment, getpid()};
		ok = run(&s, failed, words, err);
		close(failed[0]);
	}
	free(environment);
	return ok;
}
