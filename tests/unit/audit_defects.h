/* tests/unit/audit_defects.h - changes hand-made recordings one row at a time, for the tests of the audit. */
#ifndef CEGSIM_TESTS_AUDIT_DEFECTS_H
#define CEGSIM_TESTS_AUDIT_DEFECTS_H

#include <stddef.h>

#include "tests/unit/audit_sample.h"

typedef struct audit_sample make_fn(void);
extern make_fn *const samples[]; /* all of audit_sample.h */
extern const size_t sample_count;

/* Rows to change; the test fails if there is no such row. An interval is the first of its segment. */
struct job_row *job(struct audit_sample *s, uint32_t task, uint32_t seq);
struct segment_interval_row *interval(struct audit_sample *s, uint32_t task, uint32_t seq, uint16_t segment);
struct block_interval_row *block(struct audit_sample *s, uint32_t task, uint32_t seq, uint32_t index);
struct block_interval_row *block_of(struct audit_sample *s, uint32_t task, uint16_t segment, uint32_t index);
void shift(int64_t by, int64_t *a, int64_t *b);
/* Moves a kernel of job 0 with its blocks, later or earlier. */
void move_kernel(struct audit_sample *s, uint32_t task, uint16_t segment, int64_t by);

struct defect {
	const char *law;
	make_fn *make;
	void (*spoil)(struct audit_sample *s);
	const char *words; /* words that the finding must contain */
	bool promised;     /* wrong only because the policy promises otherwise */
};
#define PROMISED true

#define STRANGER "of-a-user" /* a policy whose promises the audit does not know */

/* Checks that every defect is found. Defects that do not depend on promises must also be found under an
 * unknown policy, by the same law if it is checked then. AddressSanitizer: a quarter of them. */
void assert_defects_found(const struct defect *defects, size_t count);
/* For each law for which `mine` is true: there is a defect that it finds, and it was checked on something in
 * the correct recordings. */
void assert_laws_tested(
	bool (*mine)(const struct audit_result *law), const struct defect *defects, size_t count);

/* Does test_audit_sms.c test this law? It is about what single policies promise. */
bool audit_is_of_policies(const char *law);
/* Does test_audit_overheads.c test this law? */
bool audit_is_of_overheads(const char *law);
/* Does test_audit_cores.c test this law? */
bool audit_is_of_cores(const char *law);

/* Does test_audit_gpus.c test this law? */
bool audit_is_of_gpus(const char *law);
/* Does test_audit_contexts.c test this law? */
bool audit_is_of_contexts(const char *law);

/* Does test_audit_masks.c test this law? */
bool audit_is_of_masks(const struct audit_result *law);

/* Does test_audit_chains.c test this law? */
bool audit_is_of_chains(const char *law);
/* Does test_audit_identity.c test this law? It is about digests, and about rows that belong to nothing. */
bool audit_is_of_identity(const char *law);

#endif
