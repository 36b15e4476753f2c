/* tests/fault/fail_preload.c - loaded into the program under test by tests/fault/fail_nth.c: lets allocations
 * and closing fail, lets read(2) and write(2) do half of what they were asked, and tells when the program
 * itself begins: what the loader did before is not counted.
 *
 * CEGSIM_FAIL is the number of a descriptor of memory that is shared with fail_nth and with all processes
 * that are forked: struct fail_plan. */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tests/fault/fail_plan.h"

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

#define EXPORT __attribute__((visibility("default")))

static struct fail_plan *plan;

/* Programs that this one starts are not under test. */
__attribute__((constructor)) static void begin(void)
{
	const char *fd = getenv("CEGSIM_FAIL");
	if (!fd)
		return;
	void *memory = mmap(NULL, sizeof(*plan), PROT_READ | PROT_WRITE, MAP_SHARED, atoi(fd), 0);
	close(atoi(fd));
	unsetenv("CEGSIM_FAIL");
	unsetenv("LD_PRELOAD");
	if (memory == MAP_FAILED)
		_exit(99);
	plan = memory;
	prctl(FAIL_BEGIN, 0, 0, 0, 0);
}

static bool fails(enum fail_kind kind)
{
	return plan && plan->kind == kind && fail_plan_next(plan);
}

#define ALLOCATE(call)                                                                                       \
	do {                                                                                                 \
		if (!fails(FAIL_MALLOC))                                                                     \
			return call;                                                                         \
		errno = ENOMEM;                                                                              \
		return NULL;                                                                                 \
	} while (0)

EXPORT void *malloc(size_t size)
{
	ALLOCATE(__libc_malloc(size));
}

EXPORT void *calloc(size_t count, size_t size)
{
	ALLOCATE(__libc_calloc(count, size));
}

EXPORT void *realloc(void *memory, size_t size)
{
	ALLOCATE(__libc_realloc(memory, size));
}

/* Half of it, but something. */
static size_t some(enum fail_kind kind, size_t size)
{
	return size > 1 && fails(kind) ? size / 2 : size;
}

/* What fits a pipe is written whole (POSIX, write()), and so are counters of the kernel's. */
static bool is_whole(int fd, size_t size)
{
	struct stat status;
	return fd == STDERR_FILENO || fail_is_counter(getpid(), fd) ||
	       (size <= PIPE_BUF && fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode));
}

static size_t some_to(int fd, size_t size)
{
	bool planned = plan && plan->kind == FAIL_SHORT_WRITE;
	return planned && !is_whole(fd, size) ? some(FAIL_SHORT_WRITE, size) : size;
}

/* Counters of the kernel's are read whole. */
EXPORT ssize_t read(int fd, void *bytes, size_t size)
{
	bool planned = plan && plan->kind == FAIL_SHORT_READ && !fail_is_counter(getpid(), fd);
	return syscall(SYS_read, fd, bytes, planned ? some(FAIL_SHORT_READ, size) : size);
}

EXPORT ssize_t write(int fd, const void *bytes, size_t size)
{
	return syscall(SYS_write, fd, bytes, some_to(fd, size));
}

EXPORT ssize_t pread64(int fd, void *bytes, size_t size, off_t at)
{
	return syscall(SYS_pread64, fd, bytes, some(FAIL_SHORT_READ, size), at);
}

EXPORT ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t at)
{
	return syscall(SYS_pwrite64, fd, bytes, some(FAIL_SHORT_WRITE, size), at);
}

/* Half of the first piece. */
EXPORT ssize_t pwritev64(int fd, const struct iovec *pieces, int count, off_t at)
{
	size_t size = count > 0 ? some(FAIL_SHORT_WRITE, pieces[0].iov_len) : 0;
	if (count > 0 && size < pieces[0].iov_len)
		return syscall(SYS_pwrite64, fd, pieces[0].iov_base, size, at);
	return syscall(SYS_pwritev, fd, pieces, count, at, 0);
}

/* As the system does it: the descriptor is closed, whatever it says. */
EXPORT int close(int fd)
{
	int result = (int)syscall(SYS_close, fd);
	if (result != 0 || !fails(FAIL_CLOSE))
		return result;
	errno = plan->error;
	return -1;
}

EXPORT int fclose(FILE *file)
{
	static int (*next)(FILE * file);
	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "fclose");
	int result = next(file);
	if (result != 0 || !fails(FAIL_CLOSE))
		return result;
	errno = plan->error;
	return EOF;
}
