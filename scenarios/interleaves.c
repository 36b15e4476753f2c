/* scenarios/interleaves.c - the table of measured interleave ratios: see scenarios/interleaves.h. */
#include "scenarios/interleaves.h"

#include <string.h>

static const struct named_interleave interleaves[] = {
	{"bfs", "1.61", "RTGPU Table 2: BFS, 1.56 to 1.61"},
	{"branch", "1.70", "RTGPU Fig. 5: branch, at most"},
	{"computation", "1.80", "RTGPU Fig. 5: computation, at most"},
	{"dxtc", "1.69", "RTGPU Table 2: Dxtc, 1.64 to 1.69"},
	{"memory", "1.70", "RTGPU Fig. 5: memory, at most"},
	{"particle-filter", "1.46", "RTGPU Table 2: Particle Filter, 1.41 to 1.46"},
	{"quasirand", "1.24", "RTGPU Table 2: Quasirand, 1.22 to 1.24"},
	{"special", "1.45", "RTGPU Fig. 5: special functions, at most"},
	{"vectoradd", "1.80", "RTGPU Table 2: Vectoradd, 1.77 to 1.80"},
};
#define COUNT (sizeof(interleaves) / sizeof(interleaves[0]))

const struct named_interleave *interleave_all(size_t *count)
{
	*count = COUNT;
	return interleaves;
}

const struct named_interleave *interleave_find(const char *name)
{
	for (size_t i = 0; i < COUNT; i++)
		if (strcmp(interleaves[i].name, name) == 0)
			return &interleaves[i];
	return NULL;
}
