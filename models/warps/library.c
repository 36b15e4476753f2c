/* models/warps/library.c - finds and copies the synthetic kernels; see models/warps/library.h and
 * docs/warp-library.md. Their names are those of the benchmarks of QAWS, Table I, of the Parboil benchmarks
 * of QoS, section 4.1, and of the kernels of RTGPU, section 4.1 and Table 2. Their instructions are not
 * theirs: each kernel is a short loop whose mix, dependences and hit rates put it into the class that its
 * namesake has in the papers. */
#include "models/warps/library.h"

#include <string.h>

#include "models/warps/library_steps.h"

static const struct warp_library_part *const parts[] = {
	&warp_library_qaws, &warp_library_qos, &warp_library_rtgpu, &warp_library_qos1};
#define PARTS (sizeof(parts) / sizeof(*parts))

uint32_t warp_library_count(void)
{
	uint32_t count = 0;
	for (size_t i = 0; i < PARTS; i++)
		count += parts[i]->count;
	return count;
}

const struct warp_library_kernel *warp_library_at(uint32_t index)
{
	size_t part = 0;
	while (index >= parts[part]->count)
		index -= parts[part++]->count;
	return &parts[part]->kernels[index];
}

const struct warp_library_kernel *warp_library_find(const char *name)
{
	for (uint32_t i = 0; i < warp_library_count(); i++)
		if (strcmp(warp_library_at(i)->name, name) == 0)
			return warp_library_at(i);
	return NULL;
}

bool warp_library_copy(
	const struct warp_library_kernel *entry, struct arena *arena, struct warp_kernel *kernel)
{
	*kernel = entry->kernel;
	kernel->steps = arena_new(arena, struct warp_step, kernel->step_count);
	if (!kernel->steps)
		return false;
	memcpy(kernel->steps, entry->kernel.steps, kernel->step_count * sizeof(*kernel->steps));
	return true;
}
