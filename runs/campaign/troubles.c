/* runs/campaign/troubles.c - see runs/campaign/troubles.h. */
#include "runs/campaign/troubles.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/list.h"

#define TIMES_TRIED 2 /* a run is tried this many times */

void troubles_finish(struct troubles *t)
{
	free(t->items);
	*t = (struct troubles){0};
}

static struct trouble *find(const struct troubles *t, uint32_t unit, uint32_t run)
{
	for (uint32_t i = 0; i < t->count; i++)
		if (t->items[i].unit == unit && t->items[i].run == run)
			return &t->items[i];
	return NULL;
}

static struct trouble *find_or_add(struct troubles *t, uint32_t unit, uint32_t run, struct error *err)
{
	struct trouble *found = find(t, unit, run);
	if (found)
		return found;
	struct trouble *grown =
		list_room(t->items, t->count, sizeof(*grown), "keeping account of failed runs", err);
	if (!grown)
		return NULL;
	t->items = grown;
	t->items[t->count] = (struct trouble){.unit = unit, .run = run};
	return &t->items[t->count++];
}

bool troubles_add(struct troubles *t, uint32_t unit, uint32_t run, uint64_t now, const char *reason,
	bool *hopeless, struct error *err)
{
	struct trouble *trouble = find_or_add(t, unit, run, err);
	*hopeless = false;
	if (!trouble)
		return false;
	trouble->times++;
	trouble->changed = now;
	snprintf(trouble->reason, sizeof(trouble->reason), "%s", reason);
	if (run == TROUBLE_UNIT) {
		*hopeless = trouble->times > TIMES_TRIED;
		return true;
	}
	if (trouble->times <= TIMES_TRIED)
		return true;
	/* Even recording it as an error has failed. */
	struct trouble *whole = find_or_add(t, unit, TROUBLE_UNIT, err);
	if (!whole)
		return false;
	whole->times = TIMES_TRIED;
	whole->changed = now;
	snprintf(whole->reason, sizeof(whole->reason), "%s", reason);
	return true;
}

const char *troubles_verdict(const struct troubles *t, uint32_t unit, uint32_t run)
{
	const struct trouble *trouble = find(t, unit, run);
	return trouble && trouble->times >= TIMES_TRIED ? trouble->reason : NULL;
}

uint64_t troubles_changed(const struct troubles *t, uint32_t unit)
{
	uint64_t changed = 0;
	for (uint32_t i = 0; i < t->count; i++)
		if (t->items[i].unit == unit && t->items[i].changed > changed)
			changed = t->items[i].changed;
	return changed;
}
