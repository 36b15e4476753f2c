/* base/random.h - counter-based random numbers (Philox4x32-10; Salmon, Moraes,
 * Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC'11), from the
 * Random123 library.
 *
 * A draw is a pure function of (seed; set, task, job, segment, purpose): any draw can be repeated alone, in
 * any order, on any machine. There is no state. */
#ifndef CEGSIM_BASE_RANDOM_H
#define CEGSIM_BASE_RANDOM_H

#include <stdint.h>

enum random_purpose {
	RANDOM_EXECUTION = 1,  /* length of a segment instance */
	RANDOM_SEPARATION = 2, /* extra separation of a sporadic job */
	RANDOM_GENERATOR = 3,  /* task-set generators */
	RANDOM_SEARCH = 4,
	RANDOM_TEST = 5,
	RANDOM_HIT = 6,     /* where a warp's access to memory is served */
	RANDOM_BLOCKS = 7,  /* seed of a launch whose blocks have draws of their own, ... */
	RANDOM_BLOCK = 8,   /* ... and the time of one of them; its number takes the place of the job */
	RANDOM_JITTER = 9,  /* delay of a job's release behind its nominal instant */
	RANDOM_SAMPLE = 10, /* which of the measured times a segment instance, or a job, takes */
};

struct random_key {
	uint64_t seed;
	uint32_t set, task, job;
	uint16_t segment;
	uint8_t purpose; /* enum random_purpose */
};

/* 64 uniform bits; `draw` numbers the draws of one key. */
uint64_t random_bits(const struct random_key *key, uint8_t draw);

/* Uniform integer in [0, bound], exactly (rejection; Lemire, "Fast random integer
 * generation in an interval", ACM TOMACS 2019). bound >= 0. */
int64_t random_upto(const struct random_key *key, int64_t bound);

#endif
