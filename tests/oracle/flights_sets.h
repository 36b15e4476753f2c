/* tests/oracle/flights_sets.h - random sets with operations in flight, tick by tick
 * (tests/oracle/flights_plain.h) and as the simulator runs them. */
#ifndef CEGSIM_TESTS_ORACLE_FLIGHTS_SETS_H
#define CEGSIM_TESTS_ORACLE_FLIGHTS_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes the set: one core, no overheads. Names are those of the last set that was made. */
struct maker;
void flights_make(struct maker *k, uint64_t number);
/* One with more: graphs and overheads in half of them, two GPUs that are not alike in a third, power. */
void flights_make_more(struct maker *k, uint64_t number);
/* Whether all starts, ends and outcomes of set `number` agree; else *text says which does not. */
bool flights_agree(uint64_t number, char *text, size_t size);

/* Whether set `number`, with graphs and a launch that takes time, runs as one where launches are segments of
 * the CPU; else *text says where it does not. */
bool graphs_agree(uint64_t number, char *text, size_t size);

#endif
