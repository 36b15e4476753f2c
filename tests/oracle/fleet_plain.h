/* tests/oracle/fleet_plain.h - what sbeet-mg decides (docs/policies.md, "sbeet-mg"), computed slowly, from
 * tables of numbers: it shares no code with policies/sbeet. Each task has one GPU section with one kernel.
 * Times are ns, powers uW. */
#ifndef CEGSIM_TESTS_ORACLE_FLEET_PLAIN_H
#define CEGSIM_TESTS_ORACLE_FLEET_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/int128.h"

#define PLAIN_GPUS 3
#define PLAIN_SMS 8
#define PLAIN_TASKS 6

struct plain_gpu {
	int sms;
	int64_t still, idle; /* static power; of an idle SM */
};

struct plain_task {
	int64_t period, deadline, offset;
	int64_t before, after;                     /* on the CPU */
	int64_t to_gpu, to_cpu;                    /* copies */
	int64_t kernel[PLAIN_GPUS][PLAIN_SMS + 1]; /* its time on m SMs */
	int64_t power[PLAIN_GPUS][PLAIN_SMS + 1];  /* P_d(m) */
	int named;                                 /* GPU */
	/* Set by plain_homes(). */
	int home, m_opt[PLAIN_GPUS];
	int128 cost[PLAIN_GPUS];
	/* How far it is: */
	int seen; /* the last job whose section was at the gate; -1: none */
	bool runs, waits;
	int64_t ready; /* of the section that waits */
	int64_t due;   /* its deadline */
	/* of the section that runs: */
	int gpu, sms;
	int64_t start, end;
};

enum plain_assign { PLAIN_ENERGY, PLAIN_FIRST, PLAIN_BEST, PLAIN_WORST, PLAIN_GIVEN };
enum plain_choice { PLAIN_MIGRATE, PLAIN_STAY, PLAIN_PLAN, PLAIN_LITTLE, PLAIN_BIG, PLAIN_BALANCED };

struct plain_fleet {
	int gpus, tasks, workers;
	enum plain_assign assign;
	enum plain_choice choice;
	bool common, fastest;
	struct plain_gpu gpu[PLAIN_GPUS];
	struct plain_task task[PLAIN_TASKS];
	char *said; /* what was decided: see plain_say() */
	size_t room;
};

void plain_homes(struct plain_fleet *f);
/* Looks at the tasks of queue[0 .. count - 1], which wait, in this order. What is started gets runs, gpu,
 * sms, start and end. */
void plain_decide(struct plain_fleet *f, int64_t now, const int *queue, int count);

/* One word for each number of SMs that was weighed, and for each start (sms < 0: of -sms SMs). */
void plain_say(char *said, size_t room, int task, int gpu, int sms, int64_t end, int128 energy, bool feasible,
	bool chosen);

#endif
