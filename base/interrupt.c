/* base/interrupt.c - see base/interrupt.h. The handlers call only what is allowed in one (signal-safety(7)),
 * and setitimer(2), which is a system call and nothing else. */
#include "base/interrupt.h"

#include <linux/limits.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/error.h"

#define FILES 16
#define TICK_US 10000 /* often enough to find a plug-in in its own code, though it calls much */
#define COMPLETES_SECONDS 1.0

volatile sig_atomic_t interrupt_came;
atomic_bool interrupt_stops;

static struct {
	char path[PATH_MAX];
	volatile sig_atomic_t used;
} files[FILES];
static volatile pid_t owner, child; /* owner: of the files and the child */
static volatile sig_atomic_t noted, completes, told;
static void (*volatile wake)(void *self);
static void *volatile wake_self;
static bool (*volatile may_leave)(uintptr_t code);
static sigjmp_buf *volatile leave_to;
static struct timespec came_at, last_at, used_by_then; /* the first signal, the last one; processor time */

static double seconds_since(clockid_t clock, const struct timespec *then)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) * 1e-9;
}

/* Leaves nothing behind. */
static void clean(void)
{
	pid_t ours = child;
	if (owner != getpid())
		return;
	if (ours > 0 && kill(ours, SIGKILL) == 0)
		waitpid(ours, NULL, 0);
	for (int i = 0; i < FILES; i++)
		if (files[i].used)
			unlink(files[i].path);
}

static void end(void)
{
	static const char words[] = "cegsim: interrupted\n",
			  line[] = "\r\033[K"; /* over the bar of a progress */
	clean();
	if ((isatty(STDERR_FILENO) && write(STDERR_FILENO, line, sizeof(line) - 1) < 0) ||
		write(STDERR_FILENO, words, sizeof(words) - 1) < 0)
		_exit(STATUS_INTERRUPTED);
	_exit(STATUS_INTERRUPTED);
}

void interrupt_quit(int status)
{
	clean();
	_exit(status);
}

static void begin_to_wait(void)
{
	const struct itimerval tick = {.it_interval.tv_usec = TICK_US, .it_value.tv_usec = TICK_US};
	clock_gettime(CLOCK_MONOTONIC, &came_at);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used_by_then);
	setitimer(ITIMER_REAL, &tick, NULL);
}

static void on_signal(int number)
{
	(void)number;
	if (!noted || (completes && interrupt_came > 0 &&
			      seconds_since(CLOCK_MONOTONIC, &last_at) >= COMPLETES_SECONDS))
		end();
	clock_gettime(CLOCK_MONOTONIC, &last_at);
	if (interrupt_came == 0)
		begin_to_wait();
	interrupt_came = interrupt_came + 1;
	atomic_store(&interrupt_stops, true);
	if (wake)
		wake(wake_self);
}

static void tell(void)
{
	static const char words[] = "cegsim: completing what has finished; interrupt once more to lose it\n";
	if (told || write(STDERR_FILENO, words, sizeof(words) - 1) < 0)
		return;
	told = 1;
}

/* Where the signal came; 0: not known. */
static uintptr_t code_at(const void *context)
{
#if defined(__x86_64__)
	return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.pc;
#else
	(void)context;
	return 0;
#endif
}

static void leave(void)
{
	sigjmp_buf *to = leave_to;
	may_leave = NULL;
	completes = 1;
	siglongjmp(*to, 1);
}

/* Only after a signal that was noted. */
static void on_tick(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	double waited = seconds_since(CLOCK_MONOTONIC, &came_at);
	double used = seconds_since(CLOCK_PROCESS_CPUTIME_ID, &used_by_then);
	if (may_leave && may_leave(code_at(context)))
		leave();
	if (completes && waited >= COMPLETES_SECONDS)
		tell();
	if (!completes && ((waited >= INTERRUPT_SECONDS && used >= INTERRUPT_SECONDS / 2) ||
				  waited >= INTERRUPT_PATIENCE_SECONDS))
		end();
}

/* As if there were no handler, but for the files. */
static void on_pipe(int number)
{
	clean();
	signal(number, SIG_DFL);
	raise(number); /* is delivered when this handler returns */
}

static void install(int number, struct sigaction *action)
{
	action->sa_flags |= SA_RESTART;
	sigfillset(&action->sa_mask);
	sigaction(number, action, NULL);
}

static void handle(int number, void (*handler)(int number))
{
	struct sigaction action = {.sa_handler = handler};
	install(number, &action);
}

void interrupt_begin(void)
{
	struct sigaction hangup;
	owner = getpid();
	handle(SIGINT, on_signal);
	handle(SIGTERM, on_signal);
	/* nohup(1) has it ignored */
	if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
		handle(SIGHUP, on_signal);
	handle(SIGPIPE, on_pipe);
}

void interrupt_leave_to_parent(void)
{
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGALRM, SIG_DFL);
}

void interrupt_reset(void)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGALRM, SIGXFSZ};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		signal(numbers[i], SIG_DFL);
}

bool interrupt_note(bool now)
{
	bool before = noted;
	struct sigaction action = {.sa_sigaction = on_tick, .sa_flags = SA_SIGINFO};
	if (now)
		install(SIGALRM, &action);
	noted = now;
	return before;
}

void interrupt_completes(bool now)
{
	completes = now;
}

void interrupt_wake(void (*call)(void *self), void *self)
{
	sigset_t before;
	interrupt_hold(&before);
	wake = call;
	wake_self = self;
	interrupt_release(&before);
}

void interrupt_leaves(bool (*may)(uintptr_t code), sigjmp_buf *to)
{
	may_leave = NULL;
	leave_to = to;
	atomic_signal_fence(memory_order_seq_cst);
	may_leave = may;
}

void interrupt_hold(sigset_t *before)
{
	sigset_t ending;
	sigemptyset(&ending);
	sigaddset(&ending, SIGINT);
	sigaddset(&ending, SIGTERM);
	sigaddset(&ending, SIGHUP);
	sigaddset(&ending, SIGALRM);
	sigprocmask(SIG_BLOCK, &ending, before);
}

void interrupt_release(const sigset_t *before)
{
	sigprocmask(SIG_SETMASK, before, NULL);
}

int interrupt_removes(const char *path)
{
	size_t size = strlen(path) + 1;
	for (int i = 0; i < FILES && size <= sizeof(files[i].path); i++) {
		if (files[i].used)
			continue;
		memcpy(files[i].path, path, size);
		atomic_signal_fence(memory_order_release);
		files[i].used = 1;
		return i + 1;
	}
	return 0;
}

void interrupt_keeps(int file)
{
	if (file > 0)
		files[file - 1].used = 0;
}

void interrupt_kills(pid_t pid)
{
	child = pid;
}
