/* tests/fault/fail_nth.c - runs a program and lets the Nth call of a kind fail, in any of its processes.
 *
 *   fail_nth RESULT SECONDS KIND ERROR N PROGRAM ARGUMENT...
 *
 * KIND is one of the names below; ERROR is a number of errno(3); N is a number, 0 (all are counted, none
 * fails), or a number and a "+": it fails, and so do all after it. RESULT is a descriptor that takes a line:
 * "COUNT FAILED STATUS ORPHANS HANG": how many calls there were and how many failed, the status as waitpid(2)
 * has it, whether processes were left when the program had ended, and whether it took longer than SECONDS
 * (then all are killed).
 *
 * System calls are stopped by a filter (seccomp(2)) and answered here, so those within the C library are
 * seen, too. Allocations, short reads and writes, and closing (which reports a failure, but closes) are
 * those of fail_preload.so, which lies beside this program. Calls of programs that the program starts, and
 * writing to standard error or to counters of the kernel's, are not counted. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "tests/fault/fail_plan.h"

#define CALLS_MAX 12
#define WRONG 99 /* exit status: this program has failed */
#define PATH_SIZE 4096
#define LINGER_SECONDS 3.0 /* what processes may take to end after the program */

/* What only some machines have. */
#ifndef SYS_open
#define SYS_open -1
#define SYS_rename -1
#define SYS_renameat -1
#define SYS_link -1
#define SYS_unlink -1
#define SYS_mkdir -1
#define SYS_rmdir -1
#define SYS_fork -1
#define SYS_vfork -1
#define SYS_access -1
#define SYS_stat -1
#define SYS_lstat -1
#endif

static const struct kind {
	const char *name;
	int calls[CALLS_MAX + 1]; /* up to 0; -1: there is none here */
} kinds[] = {
	{"malloc", {0}},
	{"short-read", {0}},
	{"short-write", {0}},
	{"close", {0}},
	{"open", {SYS_openat, SYS_open, 0}},
	{"read", {SYS_read, SYS_pread64, SYS_readv, SYS_preadv, 0}},
	{"write", {SYS_write, SYS_pwrite64, SYS_writev, SYS_pwritev, SYS_pwritev2, 0}},
	{"fsync", {SYS_fsync, SYS_fdatasync, 0}},
	{"rename", {SYS_rename, SYS_renameat, SYS_renameat2, SYS_link, SYS_linkat, 0}},
	{"unlink", {SYS_unlink, SYS_unlinkat, SYS_rmdir, 0}},
	{"folder", {SYS_mkdir, SYS_mkdirat, SYS_getdents64, 0}},
	{"fork", {SYS_fork, SYS_vfork, SYS_clone, SYS_clone3, 0}},
	{"pipe", {SYS_pipe2, SYS_socketpair, SYS_eventfd2, SYS_epoll_create1, SYS_memfd_create, 0}},
	{"truncate", {SYS_ftruncate, SYS_fallocate, 0}},
	{"copy", {SYS_copy_file_range, SYS_sendfile, 0}},
	{"mmap", {SYS_mmap, 0}},
	{"stat", {SYS_fstat, SYS_newfstatat, SYS_statx, SYS_faccessat, SYS_faccessat2, SYS_access, SYS_stat,
			 SYS_lstat, 0}},
	{"lock", {SYS_flock, SYS_fcntl, 0}},
};

struct request {
	int result;
	double seconds;
	const struct kind *kind;
	int error;
	char **command;
};

static struct fail_plan *plan;
static char under_test[PATH_SIZE]; /* the program's file, once it has begun */

_Noreturn static void give_up(const char *what)
{
	perror(what);
	exit(WRONG);
}

/* ---- in the new process ---- */

static int install_filter(const struct kind *kind)
{
	struct sock_filter code[2 * CALLS_MAX + 8];
	unsigned short n = 0;
	code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	for (const int *call = kind->calls; *call; call++)
		if (*call > 0) {
			code[n++] = (struct sock_filter)BPF_JUMP(
				BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)*call, 0, 1);
			code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
		}
	code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 1);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	const struct sock_fprog program = {n, code};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		give_up("prctl");
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

union control {
	char bytes[CMSG_SPACE(sizeof(int))];
	struct cmsghdr head;
};

static void send_descriptor(int channel, int fd)
{
	char byte = 0;
	struct iovec piece = {&byte, 1};
	union control control = {0};
	struct msghdr message = {.msg_iov = &piece,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control)};
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);
	*head = (struct cmsghdr){
		.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
	memcpy(CMSG_DATA(head), &fd, sizeof(fd));
	if (sendmsg(channel, &message, 0) != 1)
		give_up("sendmsg");
}

static int receive_descriptor(int channel)
{
	char byte;
	int fd = -1;
	struct iovec piece = {&byte, 1};
	union control control = {0};
	struct msghdr message = {.msg_iov = &piece,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control)};
	if (recvmsg(channel, &message, MSG_CMSG_CLOEXEC) != 1 || !CMSG_FIRSTHDR(&message))
		give_up("recvmsg");
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(fd));
	return fd;
}

_Noreturn static void become(const struct request *q, int channel, int memory)
{
	char preload[PATH_SIZE], number[16];
	ssize_t length = readlink("/proc/self/exe", preload, sizeof(preload) - 32);
	char *slash = length > 0 ? memrchr(preload, '/', (size_t)length) : NULL;
	if (!slash)
		give_up("/proc/self/exe");
	strcpy(slash, "/fail_preload.so");
	snprintf(number, sizeof(number), "%d", memory);
	setenv("LD_PRELOAD", preload, 1);
	setenv("CEGSIM_FAIL", number, 1);
	setsid();
	close(q->result);
	int listener = install_filter(q->kind);
	if (listener < 0)
		give_up("seccomp");
	send_descriptor(channel, listener);
	close(channel);
	close(listener);
	execv(q->command[0], q->command);
	give_up(q->command[0]);
}

/* ---- here ---- */

static bool is_under_test(pid_t pid)
{
	char link[64], file[PATH_SIZE];
	snprintf(link, sizeof(link), "/proc/%d/exe", pid);
	ssize_t length = readlink(link, file, sizeof(file) - 1);
	if (length < 0)
		return false;
	file[length] = '\0';
	if (!under_test[0])
		strcpy(under_test, file);
	return strcmp(file, under_test) == 0;
}

/* Errors may be told, and counters counted. */
static bool is_exempt(const struct request *q, const struct seccomp_notif *call)
{
	int fd = (int)call->data.args[0];
	return strcmp(q->kind->name, "write") == 0 &&
	       (fd == STDERR_FILENO || fail_is_counter((int)call->pid, fd));
}

/* Answers one call. */
static void answer(const struct request *q, int listener)
{
	struct seccomp_notif call = {0};
	struct seccomp_notif_resp response = {0};
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0)
		return; /* the process has been killed */
	response.id = call.id;
	response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	if (call.data.nr == SYS_prctl) {
		if (call.data.args[0] == FAIL_BEGIN)
			is_under_test((pid_t)call.pid);
	} else if (under_test[0] && is_under_test((pid_t)call.pid) && !is_exempt(q, &call) &&
		   fail_plan_next(plan)) {
		response.flags = 0;
		response.error = -q->error;
	}
	ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

/* Answers calls until no process is left. */
static void watch(const struct request *q, int listener, pid_t child)
{
	double began = clock_seconds(), ended = 0;
	int status = 0, orphans = 0, hang = 0;
	for (;;) {
		struct pollfd ready = {.fd = listener, .events = POLLIN};
		int count = poll(&ready, 1, 20);
		if (count > 0 && (ready.revents & POLLIN))
			answer(q, listener);
		if (ended == 0 && waitpid(child, &status, WNOHANG) == child)
			ended = clock_seconds();
		if (count > 0 && !(ready.revents & POLLIN) && (ready.revents & (POLLHUP | POLLERR)) &&
			ended > 0)
			break;
		if (ended == 0 && !hang && clock_seconds() - began > q->seconds)
			hang = kill(-child, SIGKILL) == 0;
		if (ended > 0 && !orphans && clock_seconds() - ended > LINGER_SECONDS)
			orphans = kill(-child, SIGKILL) == 0;
	}
	dprintf(q->result, "%ld %ld %d %d %d\n", atomic_load(&plan->count), atomic_load(&plan->failed),
		status, orphans, hang);
}

static const struct kind *find_kind(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	fprintf(stderr, "fail_nth: there is no kind '%s'\n", name);
	exit(WRONG);
}

int main(int argc, char **argv)
{
	int channel[2];
	if (argc < 7) {
		fprintf(stderr, "fail_nth RESULT SECONDS KIND ERROR N[+] PROGRAM ARGUMENT...\n");
		return WRONG;
	}
	const struct request q = {atoi(argv[1]), atof(argv[2]), find_kind(argv[3]), atoi(argv[4]), argv + 6};
	int memory = memfd_create("plan", 0);
	if (memory < 0 || ftruncate(memory, sizeof(*plan)) != 0)
		give_up("memfd_create");
	plan = mmap(NULL, sizeof(*plan), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
	if (plan == MAP_FAILED || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) != 0)
		give_up("mmap, or socketpair");
	size_t kind = (size_t)(q.kind - kinds) + 1;
	plan->kind = kind < FAIL_CALLS ? (enum fail_kind)kind : FAIL_CALLS;
	plan->error = q.error;
	plan->nth = atol(argv[5]);
	plan->all_others = strchr(argv[5], '+') != NULL;
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	pid_t child = fork();
	if (child == 0)
		become(&q, channel[1], memory);
	close(channel[1]);
	if (child < 0)
		give_up("fork");
	watch(&q, receive_descriptor(channel[0]), child);
	return 0;
}
