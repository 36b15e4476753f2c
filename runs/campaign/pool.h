/* runs/campaign/pool.h - makes the units of a campaign on worker processes (runs/workers.h): gives them out,
 * replaces workers that crash or hang, and shows progress. After the first SIGINT or SIGTERM, workers finish
 * their current units. */
#ifndef CEGSIM_RUNS_CAMPAIGN_POOL_H
#define CEGSIM_RUNS_CAMPAIGN_POOL_H

#include "db/units.h"
#include "runs/campaign/share.h"
#include "runs/workers.h"
#include "scenarios/campaign_file.h"

struct pool_spec {
	const struct campaign *campaign;
	const char *campaign_name; /* the file's name, without folders */
	const char *folder;        /* the workers' recordings: FOLDER/N.part */
	uint32_t first_recording;  /* N of the first one */
	struct units_extent extent;
	struct share share;
	uint32_t members; /* members of the share to make: 0 .. members - 1 */
	uint8_t *done;    /* [members]: 1: on the disk already; updated */
	uint32_t workers; /* 1 .. WORKERS_MAX */
	double timeout_s; /* time limit of one run; after it the worker is killed */
	double grace_s;   /* so much later: a worker itself gives up users' programs after timeout_s */
	bool quiet;
	int lock; /* a descriptor that workers keep open, for its lock */
};

struct pool_result {
	uint32_t done;    /* members on the disk */
	uint32_t crashes; /* number of workers that were replaced */
	uint64_t events;
	double seconds;
};

/* False: *err; what was done up to then is on the disk. */
MUST_CHECK bool pool_run(const struct pool_spec *spec, struct pool_result *result, struct error *err);

#endif
