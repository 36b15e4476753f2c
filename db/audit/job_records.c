/* db/audit/job_records.c - what is kept of the jobs of a task that have been read: the figures that its rows
 * in run_task and run_task_hist must have. */
#include "db/audit/sweep.h"

/* The bucket of a response. Log-linear: exact below 32 ns, then 16 buckets for every power of two
 * (docs/recording.md). */
static uint32_t bucket_of(int64_t response)
{
	uint32_t power = 0;
	if (response < 0)
		return 0;
	while (response >> power >= 32)
		power++;
	return response < 16 ? (uint32_t)response : (power + 1) * 16 + ((uint32_t)(response >> power) & 15);
}

/* Adds a job to the figures of its task. The laws have seen the job already. */
void job_record_add(const struct sweep *s, struct job_record *record, const struct job *job)
{
	record->count++;
	record->misses += job->missed;
	record->last_release = job->release;
	if (job->state == STATE_UNFINISHED) {
		int64_t waited = s->r->stop_ns - job->release;
		record->any_unfinished = true;
		if (record->lower_bound == NOT_GIVEN || waited > record->lower_bound)
			record->lower_bound = waited;
	}
	if (job->finish > record->last_finish)
		record->last_finish = job->finish;
	if (job->first_start != NOT_GIVEN && job->finish > record->last_end)
		record->last_end = job->finish;
	if (job->state != STATE_FINISHED || job->finish == NOT_GIVEN)
		return;
	int64_t response = job->finish - job->release;
	if (record->responses == 0 || response < record->minimum)
		record->minimum = response;
	if (record->responses == 0 || response > record->maximum)
		record->maximum = response;
	record->responses++;
	record->sum += response;
	record->bucket[bucket_of(response)]++;
}
