/* scenarios/import/flights.h - operations in flight: what a thread waited for, and its streams. Only for use
 * in scenarios/import/.
 *
 * links.c says who waited for whom in the record, flights.c what of it is in most jobs of a task, and when
 * each operation is to be issued. */
#ifndef CEGSIM_SCENARIOS_IMPORT_FLIGHTS_H
#define CEGSIM_SCENARIOS_IMPORT_FLIGHTS_H

#include "scenarios/import/parts.h"

/* One operation of a thread waits for another (`after`), or the thread does behind the one (a wait). */
struct part_link {
	uint32_t from, to; /* indices in part_thread.operations */
};

struct part_link_list {
	struct part_link *at; /* [count], ascending `from` */
	size_t count;
};

struct part_links {
	struct part_link_list waits, afters;
	int64_t *wait_ns;  /* [operations] the first call behind it, before the next one's, that waited;
			    * INT64_MAX: none */
	int64_t *due_ns;   /* [operations] its call and the least latency: it could have begun */
	int64_t *ready_ns; /* [operations] the end of the last thing that it had to wait for; INT64_MIN */
	int128 gaps_ns;    /* between operations of a stream, the next of which was there long before, */
	uint64_t gaps;     /* and how many */
	uint64_t lost;     /* streams waited for an event of which it is not known where it is */
	uint64_t unclear;  /* waits of the thread that do not say for what */
	uint64_t guessed;  /* links that are in no record */
};

/* Call part_links_finish() either way. */
MUST_CHECK bool part_links_of(struct import *im, const struct import_request *request,
	const struct part_thread *thread, struct part_links *l, struct error *err);
void part_links_finish(struct part_links *l);
/* Where the links of the operation, or of one behind it, begin. */
size_t part_links_from(const struct part_link_list *list, uint32_t from);

/* Operations of a job, by their place in it. */
struct part_places {
	uint32_t *first; /* [operations + 1] where the list of each begins */
	uint32_t *place;
};

struct part_flights {
	uint32_t count;           /* operations */
	bool *waited;             /* [count] for at once: not asynchronous */
	bool *all;                /* [count] the wait behind it is for all that is in flight */
	bool *named;              /* [count] somebody waits for it by name */
	struct part_places waits; /* behind each: for what, besides `waited` */
	struct part_places after;
};

/* Whether two operations in a row are nodes of one launch of a graph. */
static inline bool part_same_graph(const struct part_operation *a, const struct part_operation *b)
{
	return a->op->in_graph && b->op->in_graph && a->op->correlation == b->op->correlation &&
	       a->call_ns == b->call_ns;
}

/* Whether there is a wait behind the operation, besides that for itself alone. */
static inline bool part_waits(const struct part_flights *f, uint32_t place)
{
	return f->count > 0 && !f->waited[place] && f->waits.first[place + 1] > f->waits.first[place];
}

/* What most jobs of the task have. *f is zero if each operation is waited for. */
MUST_CHECK bool part_flights_of(struct import *im, const struct part_thread *thread,
	const struct part_task *task, const struct part_links *l, struct part_flights *f, struct error *err);
/* times.c: counts what is issued ahead; *f is zero if nothing is, or all is to be a chain. */
MUST_CHECK bool part_flights(struct import *im, const struct import_request *request,
	const struct part_thread *thread, const struct part_task *from, const struct part_links *links,
	struct part_flights *f, struct import_task *t, struct error *err);
/* times.c: what the segments of each job took. */
MUST_CHECK bool part_fill_jobs(struct import *im, const struct part_thread *thread,
	const struct part_task *from, const struct part_links *links, const struct part_flights *flights,
	struct import_task *t, struct error *err);
/* When a job issued its operations, in the time of the capture: as late as possible, so that latencies are in
 * it, and none before the one in front; the nodes of a graph at once. [job->count] */
void part_issues(const struct part_thread *thread, const struct part_job *job, const struct part_links *l,
	int64_t *issue_ns);

#endif
