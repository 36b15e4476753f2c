/* runs/campaign/parts.h - the folder FILE.parts, in which the workers of a sweep write, and from which a
 * sweep that was interrupted goes on. */
#ifndef CEGSIM_RUNS_CAMPAIGN_PARTS_H
#define CEGSIM_RUNS_CAMPAIGN_PARTS_H

#include "db/merge.h"

struct parts {
	char *folder;
	int lock;                 /* the folder, locked; -1: not open */
	struct merge_part *items; /* recordings in it, by number */
	uint32_t count;
	uint32_t next; /* number of the next recording */
};

/* Opens and locks the folder of `file`, which is made if it is not there. What is in it is kept
 * (`resume`), removed (`overwrite`), or refused; refused also while another process has it. *parts is to
 * be closed either way. */
MUST_CHECK bool parts_open(
	struct parts *parts, const char *file, bool resume, bool overwrite, struct error *err);
/* Reads what the recordings hold; nobody may be writing them. Those of a writer that died before anything
 * was safe are removed. */
MUST_CHECK bool parts_read(struct parts *parts, struct error *err);
/* The sweep is complete. */
MUST_CHECK bool parts_remove(struct parts *parts, struct error *err);
void parts_close(struct parts *parts);
/* There is a folder of parts beside `file`. */
bool parts_exist(const char *file);

#endif
