/* scenarios/import/times.c - what the segments of a task took in each of its jobs, and the task's period. */
#include "scenarios/import/flights.h"
#include "scenarios/import/losses.h"

static const char what[] = "importing a capture";

static int64_t cpu_ns(const struct part_losses *losses, int64_t start, int64_t end)
{
	return end <= start ? 0 : end - start - part_lost_ns(losses, start, end);
}

/* Time of the CPU before an operation that could begin at `at`. If it waited for other threads on the GPU,
 * which the model makes it do again: up to its call, and from the end of what it waited for. */
static int64_t before_ns(const struct part_losses *losses, const struct part_operation *p, int64_t at)
{
	if (p->waited_ns <= at || p->waited_ns <= p->call_ns)
		return cpu_ns(losses, at, p->op->start_ns);
	return cpu_ns(losses, at, p->call_ns) + cpu_ns(losses, p->waited_ns, p->op->start_ns);
}

static void fill_operation(
	const struct part_operation *p, const struct import_segment *s, struct import_job *job, uint32_t k)
{
	int64_t length = p->own_ns, waves = s->waves;
	job->spans[k] = (struct import_span){p->op->start_ns, p->op->end_ns};
	job->values[k] = length;
	if (waves > 0) {
		int64_t block = (length + waves / 2) / waves;
		job->values[k] = block > 0 ? block : 1;
	}
}

static void fill_cpu(
	const struct part_losses *losses, struct import_job *job, uint32_t k, int64_t start, int64_t end)
{
	job->values[k] = cpu_ns(losses, start, end);
	job->spans[k] = (struct import_span){start, end > start ? end : start};
}

/* Operations that were issued before the one in front had ended, and how much of their time that was. */
static void count_ahead(
	const struct part_thread *thread, const struct part_job *from, struct import_task *t, int64_t before)
{
	int64_t at = from->release_ns > before ? from->release_ns : before;
	for (uint32_t i = 0; i < from->count; i++) {
		const struct part_operation *p = &thread->operations[from->first + i];
		const struct capture_operation *op = p->op;
		t->gpu_ns += p->own_ns;
		t->operations++;
		t->ahead += i > 0 && p->call_ns < at;
		if (op->start_ns < at)
			t->overlap_ns += (op->end_ns < at ? op->end_ns : at) - op->start_ns;
		at = op->end_ns > at ? op->end_ns : at;
	}
}

/* The job as a chain from what was before it to its end. `before`: end of the thread's last operation. */
static void fill_job(const struct part_losses *losses, const struct part_thread *thread,
	const struct part_job *from, struct import_task *t, struct import_job *job, int64_t before)
{
	int64_t at = from->release_ns > before ? from->release_ns : before;
	for (uint32_t i = 0; i < from->count; i++) {
		const struct part_operation *p = &thread->operations[from->first + i];
		const struct capture_operation *op = p->op;
		job->values[2 * i] = before_ns(losses, p, at);
		job->spans[2 * i] = (struct import_span){at, op->start_ns};
		fill_operation(p, &t->segments[2 * i + 1], job, 2 * i + 1);
		at = op->end_ns > at ? op->end_ns : at;
	}
	fill_cpu(losses, job, t->segment_count - 1, at, from->end_ns);
}

/* ---- With operations in flight ---- */

struct flying {
	const struct part_losses *losses;
	const struct part_thread *thread;
	const struct part_links *links;
	const struct part_flights *flights;
	int64_t *issue_ns; /* [operations of a job] */
};

/* The latest end of what a wait is for. */
static int64_t end_of_waited(const struct flying *f, const struct part_job *from, uint32_t place)
{
	const struct part_places *waits = &f->flights->waits;
	int64_t end = INT64_MIN;
	for (uint32_t k = waits->first[place]; k < waits->first[place + 1]; k++) {
		int64_t other = f->thread->operations[from->first + waits->place[k]].op->end_ns;
		end = other > end ? other : end;
	}
	return end;
}

static int64_t latest(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Begins earlier than it did, but for what its call and its stream take: those behind it were issued, and
 * began, before it did. */
static void note_early(const struct flying *f, const struct part_operation *p, uint32_t at, int64_t issue,
	struct import_task *t)
{
	int64_t ready = latest(f->links->ready_ns[at], issue), early = p->op->start_ns - ready;
	if (early <= HANDED_OVER_NS)
		return;
	t->early++;
	t->early_ns = latest(t->early_ns, early);
}

/* The CPU's times are those of the thread: from issue to issue, to the call of a wait, and from the end of
 * what it waited for. */
static void fill_flying(const struct flying *f, const struct part_job *from, struct import_task *t,
	struct import_job *job, int64_t before)
{
	int64_t at = latest(from->release_ns, before), last = INT64_MIN;
	uint32_t k = 0;
	part_issues(f->thread, from, f->links, f->issue_ns);
	for (uint32_t i = 0; i < from->count; i++) {
		const struct part_operation *p = &f->thread->operations[from->first + i];
		int64_t issue = latest(f->issue_ns[i], at);
		fill_cpu(f->losses, job, k++, at, issue);
		fill_operation(p, &t->segments[k], job, k);
		k++;
		note_early(f, p, from->first + i, issue, t);
		at = f->flights->waited[i] ? latest(issue, p->op->end_ns) : issue;
		last = latest(last, p->op->end_ns);
		if (!part_waits(f->flights, i))
			continue;
		/* A job that ends with an operation has nobody who goes on. */
		bool ends = i + 1 == from->count && from->end_ns <= last;
		int64_t call = f->links->wait_ns[from->first + i];
		call = call == INT64_MAX || ends ? at : latest(at, call);
		fill_cpu(f->losses, job, k++, at, call);
		at = latest(call, end_of_waited(f, from, i));
		job->spans[k++] = (struct import_span){at, at};
	}
	fill_cpu(f->losses, job, k, at, from->end_ns > last ? from->end_ns : at);
}

/* ---- Jobs ---- */

/* Calls `before` for each job: the end of the thread's last operation before it. */
static int64_t end_before(
	const struct part_thread *thread, uint32_t *at, const struct part_job *job, int64_t before)
{
	for (; *at < job->first; (*at)++)
		before = latest(before, thread->operations[*at].op->end_ns);
	return before;
}

bool part_flights(struct import *im, const struct import_request *request, const struct part_thread *thread,
	const struct part_task *from, const struct part_links *links, struct part_flights *f,
	struct import_task *t, struct error *err)
{
	int64_t before = INT64_MIN;
	uint32_t at = 0;
	for (uint32_t j = 0; j < from->count; j++) {
		before = end_before(thread, &at, &from->jobs[j], before);
		t->queued += before > from->jobs[j].release_ns;
		count_ahead(thread, &from->jobs[j], t, before);
	}
	*f = (struct part_flights){0};
	if (t->ahead > 0 && !request->chain && !part_flights_of(im, thread, from, links, f, err))
		return false;
	t->flies = f->count > 0;
	return true;
}

bool part_fill_jobs(struct import *im, const struct part_thread *thread, const struct part_task *from,
	const struct part_links *links, const struct part_flights *flights, struct import_task *t,
	struct error *err)
{
	struct part_losses losses;
	struct flying f = {
		&losses, thread, links, flights, arena_new(&im->arena, int64_t, from->jobs[0].count)};
	int64_t before = INT64_MIN;
	uint32_t at = 0;
	if (!part_losses_of_thread(im, thread->thread, &losses, err))
		return false;
	t->jobs = arena_new(&im->arena, struct import_job, from->count);
	if (!t->jobs || !f.issue_ns)
		return error_memory(err, what);
	t->job_count = from->count;
	for (uint32_t j = 0; j < from->count; j++) {
		struct import_job *job = &t->jobs[j];
		*job = (struct import_job){
			.release_ns = from->jobs[j].release_ns,
			.end_ns = from->jobs[j].end_ns,
			.values = arena_new(&im->arena, int64_t, t->segment_count),
			.spans = arena_new(&im->arena, struct import_span, t->segment_count),
		};
		if (!job->values || !job->spans)
			return error_memory(err, what);
		before = end_before(thread, &at, &from->jobs[j], before);
		if (t->flies)
			fill_flying(&f, &from->jobs[j], t, job, before);
		else
			fill_job(&losses, thread, &from->jobs[j], t, job, before);
	}
	return true;
}

/* ---- Periods ---- */

/* Two digits that count, rounded up. */
static int64_t rounded_up(int64_t ns)
{
	int64_t unit = 1;
	while (ns / unit >= 100)
		unit *= 10;
	return (ns + unit - 1) / unit * unit;
}

/* A loop that waits for no period begins its next job within a twentieth of the last one's length. */
void part_period(struct import_task *t, int64_t given_ns)
{
	uint32_t close = 0;
	t->least_gap_ns = INT64_MAX;
	for (uint32_t j = 0; j < t->job_count; j++) {
		int64_t length = t->jobs[j].end_ns - t->jobs[j].release_ns;
		t->longest_ns = length > t->longest_ns ? length : t->longest_ns;
		if (j + 1 == t->job_count)
			break;
		int64_t gap = t->jobs[j + 1].release_ns - t->jobs[j].release_ns;
		t->least_gap_ns = gap < t->least_gap_ns ? gap : t->least_gap_ns;
		close += gap - length <= length / 20;
	}
	if (t->job_count < 2)
		t->least_gap_ns = 0;
	t->saturated = t->job_count > 1 && close * 2 > t->job_count - 1;
	t->period_ns = given_ns;
	if (given_ns == 0)
		t->period_ns = t->saturated || t->job_count < 2 ? rounded_up(t->longest_ns) : t->least_gap_ns;
	t->period_ns = t->period_ns > 0 ? t->period_ns : 1;
}
