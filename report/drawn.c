/* report/drawn.c - the list of figures with drawing code of their own. */
#include "report/drawn.h"

#include <string.h>

#include "report/gantt/gantt.h"
#include "report/issue_strip.h"

static const struct {
	const char *name;
	figure_draw *draw;
} drawn[] = {
	{"gantt", gantt_draw},
	{"issue-strip", issue_strip_draw},
};

figure_draw *drawn_find(const char *name)
{
	for (size_t i = 0; i < sizeof(drawn) / sizeof(drawn[0]); i++)
		if (strcmp(drawn[i].name, name) == 0)
			return drawn[i].draw;
	return NULL;
}
