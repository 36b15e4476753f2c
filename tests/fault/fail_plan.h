/* tests/fault/fail_plan.h - which call of a kind fails: in memory that fail_nth shares with the program under
 * test. */
#ifndef CEGSIM_TESTS_FAULT_FAIL_PLAN_H
#define CEGSIM_TESTS_FAULT_FAIL_PLAN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* An option of prctl(2) that there is not: the program under test begins. */
#define FAIL_BEGIN 0x43454753

/* Those from FAIL_CALLS on are system calls, which fail_nth lets fail; the others are failed in the process.
 */
enum fail_kind { FAIL_NONE, FAIL_MALLOC, FAIL_SHORT_READ, FAIL_SHORT_WRITE, FAIL_CLOSE, FAIL_CALLS };

struct fail_plan {
	enum fail_kind kind;
	int error;       /* of a close(2) that fails */
	long nth;        /* 1: the first; 0: none, all are counted */
	bool all_others; /* also those after it */
	atomic_long count, failed;
};

/* Whether a descriptor of a process is a counter of the kernel's (eventfd(2)): writing to one does not fail.
 */
static inline bool fail_is_counter(int pid, int fd)
{
	static const char counter[] = "anon_inode:[eventfd]";
	char link[64], target[sizeof(counter)];
	snprintf(link, sizeof(link), "/proc/%d/fd/%d", pid, fd);
	ssize_t length = readlink(link, target, sizeof(target));
	return length == (ssize_t)sizeof(counter) - 1 && memcmp(target, counter, sizeof(counter) - 1) == 0;
}

/* Counts a call. True: it fails. */
static inline bool fail_plan_next(struct fail_plan *plan)
{
	long n = atomic_fetch_add(&plan->count, 1) + 1;
	bool fails = plan->nth > 0 && (n == plan->nth || (plan->all_others && n > plan->nth));
	if (fails)
		atomic_fetch_add(&plan->failed, 1);
	return fails;
}

#endif
