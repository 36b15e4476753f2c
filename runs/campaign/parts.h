/* runs/campaign/parts.h - the folder FILE.parts: the workers of a sweep write into it, and a sweep that was
 * interrupted is continued from it. */
#ifndef CEGSIM_RUNS_CAMPAIGN_PARTS_H
#define CEGSIM_RUNS_CAMPAIGN_PARTS_H

#include "db/merge.h"

struct parts {
	char *folder;
	int lock;                 /* the locked folder; -1: not open */
	struct merge_part *items; /* the recordings in it, by number */
	uint32_t count;
	uint32_t next; /* number of the next recording */
};

/* Opens and locks the folder of `file`; makes it if needed. Existing recordings in it are kept (`resume`),
 * removed (`overwrite`), or refused. Refuses also if another process uses the folder. Close *parts either
 * way. */
MUST_CHECK bool parts_open(
	struct parts *parts, const char *file, bool resume, bool overwrite, struct error *err);
/* Reads which units the recordings contain; no process may be writing them. Removes recordings of writers
 * that died before they had committed anything. */
MUST_CHECK bool parts_read(struct parts *parts, struct error *err);
/* Removes the folder, when the sweep is complete. */
MUST_CHECK bool parts_remove(struct parts *parts, struct error *err);
void parts_close(struct parts *parts);
/* Whether there is a folder of parts beside `file`. */
bool parts_exist(const char *file);

#endif
