/* tests/oracle/inside_cases.h - small random sets of tasks whose kernels are programs of warps, run by the
 * engine and by the plain simulation (tests/oracle/inside_plain.h). */
#ifndef CEGSIM_TESTS_ORACLE_INSIDE_CASES_H
#define CEGSIM_TESTS_ORACLE_INSIDE_CASES_H

#include <stdint.h>

enum inside_verdict {
	INSIDE_NONE, /* no set, or too long for the plain simulation */
	INSIDE_AGREES,
	INSIDE_DIFFERS
};

/* What happened in the cases so far. */
struct inside_counts {
	uint64_t blocks;
	uint64_t between; /* blocks that ended in a cycle that begins between two nanoseconds */
	uint64_t beside;  /* blocks placed where blocks of another program were */
};

/* Compares every block of case `index` of the sequence of `seed`, with its SM, start and end, and the digest
 * of the run in slices with that of the whole one. A difference is printed on stderr. */
enum inside_verdict inside_case_verdict(uint64_t seed, uint64_t index, struct inside_counts *counts);

#endif
