/* tests/unit/audit_defects.h - spoiling hand-made recordings one row at a time, for the tests
 * of the audit. */
#ifndef CEGSIM_TESTS_AUDIT_DEFECTS_H
#define CEGSIM_TESTS_AUDIT_DEFECTS_H

#include <stddef.h>

#include "tests/unit/audit_sample.h"

typedef struct audit_sample make_fn(void);
extern make_fn *const samples[]; /* all of audit_sample.h */
extern const size_t sample_count;

/* Rows to spoil; the test fails if there is none. An interval is the first of its segment. */
struct job_row *job(struct audit_sample *s, uint32_t task, uint32_t seq);
struct segment_interval_row *interval(struct audit_sample *s, uint32_t task, uint32_t seq, uint16_t segment);
struct block_interval_row *block(struct audit_sample *s, uint32_t task, uint32_t seq, uint32_t index);
struct block_interval_row *block_of(struct audit_sample *s, uint32_t task, uint16_t segment, uint32_t index);
void shift(int64_t by, int64_t *a, int64_t *b);
/* A kernel of job 0 with its blocks, later or earlier. */
void move_kernel(struct audit_sample *s, uint32_t task, uint16_t segment, int64_t by);

struct defect {
	const char *law;
	make_fn *make;
	void (*spoil)(struct audit_sample *s);
	const char *words; /* that the finding must say */
	bool promised;     /* nothing is wrong with it but that the policy promises otherwise */
};
#define PROMISED true

#define STRANGER "of-a-user" /* a policy of which the audit knows no promises */

/* Those that are not of promises are also found under a policy that is not known, by the same law if it
 * is asked then. */
void assert_defects_found(const struct defect *defects, size_t count);
/* No law of those that are `mine` is without a defect that it finds, and each had something to look at in the
 * correct recordings. */
void assert_laws_tested(
	bool (*mine)(const struct audit_result *law), const struct defect *defects, size_t count);

/* Is it one of the laws that test_audit_sms.c tests: on what single policies promise? */
bool audit_is_of_policies(const char *law);
/* Of test_audit_identity.c: on digests, and on rows that belong to nothing? */
bool audit_is_of_identity(const char *law);

#endif
