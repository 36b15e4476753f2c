/* report/gantt/paint.c - owns the colours and hatches of tasks. The hues are those of Okabe and Ito;
 * neighbours in the list differ in brightness. If two would look the same in black and white, one of them is
 * hatched. With more tasks than hues, tasks with the same hue have different hatches. */
#include <stdio.h>

#include "report/gantt/private.h"

static const struct {
	unsigned rgb;
	int hatch; /* index in the list of hatches */
} hues[] = {
	{0x0072b2, 0},
	{0xe69f00, 0},
	{0x009e73, 1},
	{0xcc79a7, 2},
	{0x94cdf0, 0},
	{0xd55e00, 3},
	{0xf3ea86, 0},
	{0x6b6b6b, 4},
};
#define HUES (sizeof(hues) / sizeof(hues[0]))
/* Patterns of gnuplot: none, "/", "\", crossed, and steeper ones. */
static const int hatches[] = {0, 5, 4, 1, 7, 6, 2};
#define HATCHES (sizeof(hatches) / sizeof(hatches[0]))

/* A mixture of two colours: `part` of the way from one to the other. */
static unsigned mix(unsigned from, unsigned to, double part)
{
	unsigned mixed = 0;
	for (unsigned shift = 0; shift < 24; shift += 8) {
		double a = (from >> shift) & 255, b = (to >> shift) & 255;
		mixed |= (unsigned)(a + (b - a) * part + 0.5) << shift;
	}
	return mixed;
}

static double brightness(unsigned rgb)
{
	return 0.299 * (rgb >> 16) + 0.587 * ((rgb >> 8) & 255) + 0.114 * (rgb & 255);
}

struct gantt_paint gantt_paint(size_t task, bool faded)
{
	unsigned rgb = faded ? 0xdcdcdc : hues[task % HUES].rgb;
	size_t hatch = faded ? 0 : (size_t)hues[task % HUES].hatch + task / HUES * 3;
	bool dark = brightness(rgb) < 130;
	struct gantt_paint p = {
		.ink = faded  ? "#777777"
		       : dark ? "#ffffff"
			      : "#000000",
		.pattern = hatches[hatch % HATCHES],
	};
	snprintf(p.fill, sizeof(p.fill), "#%06x", rgb);
	snprintf(p.edge, sizeof(p.edge), "#%06x", mix(rgb, 0, faded ? 0.2 : 0.45));
	snprintf(p.pale, sizeof(p.pale), "#%06x", mix(rgb, 0xffffff, 0.62));
	snprintf(p.hatch, sizeof(p.hatch), "#%06x", dark ? mix(rgb, 0xffffff, 0.5) : mix(rgb, 0, 0.35));
	return p;
}
