/* runs/campaign/pool_private.h - the pool's insides, shared by pool.c (who does what) and
 * spawn.c (processes). */
#ifndef CEGSIM_RUNS_CAMPAIGN_POOL_PRIVATE_H
#define CEGSIM_RUNS_CAMPAIGN_POOL_PRIVATE_H

#include <ev.h>
#include <signal.h>
#include <sys/types.h>

#include "runs/campaign/pool.h"
#include "runs/campaign/progress.h"
#include "runs/campaign/worker.h"

#define BATCHES_AHEAD 2u /* so that a worker need not wait for the next one */

/* Who has a member: a worker's index, or one of these. */
#define OWNER_NONE UINT32_MAX
#define OWNER_DISK (UINT32_MAX - 1)

struct pool_worker {
	struct worker_pool *pool;
	ev_io io;
	ev_child child;
	pid_t pid;               /* 0: none */
	int commands, reports;   /* our ends; -1: closed */
	uint32_t recording;      /* number of its file */
	uint64_t born;           /* number of the process */
	uint32_t batch, waiting; /* members of a batch; batches it has not taken yet */
	uint64_t safe;           /* units it has brought onto the disk */
	double took;             /* when it took a batch */
	uint64_t beat;           /* as it was last seen, and since when */
	double beat_since;
	bool overdue; /* killed for that */
	char buffer[4096];
	size_t heard;
};

struct worker_pool {
	const struct pool_spec *spec;
	struct ev_loop *loop;
	struct pool_worker *workers; /* [spec->workers] */
	struct unit_view *views;     /* [spec->workers], shared */
	void (*on_report)(struct ev_loop *loop, ev_io *io, int revents);
	void (*on_child)(struct ev_loop *loop, ev_child *child, int revents);
	struct troubles troubles;
	uint32_t *owner;            /* [members] */
	uint32_t left, next;        /* members with OWNER_NONE: their number, a lower bound of the first */
	uint32_t safe, safe_before; /* members on the disk: now, and when we began */
	uint32_t live;              /* processes */
	uint32_t recordings;        /* number of the next file */
	uint64_t started;           /* processes so far, and one */
	uint64_t events;            /* of processes that have ended */
	uint32_t crashes, idle_deaths;
	bool stopping, interrupted, failed;
	struct error *err;
	struct progress progress;
	struct sigaction sigpipe; /* as it was before */
};

MUST_CHECK bool pool_begin(struct worker_pool *p, struct error *err);
void pool_end(struct worker_pool *p);
/* Starts a process in the slot, whose last one has ended. */
MUST_CHECK bool pool_spawn(struct worker_pool *p, struct pool_worker *w, struct error *err);
/* Nothing more is given out; workers end after the unit they are at. */
void pool_stop(struct worker_pool *p);
/* FOLDER/NUMBER and a suffix; free() it. NULL: out of memory. */
char *pool_recording(const struct worker_pool *p, uint32_t number, const char *suffix);

#endif
