/* tests/conformance/audited_warps.c - sets of kernels of warps under the schedulers and managers of
 * warp_subjects.h, with every instruction recorded. */
#include <stdio.h>

#include "tests/conformance/audited.h"
#include "tests/conformance/warp_subjects.h"
#include "tests/support/warp_params.h"

bool audited_warps(struct audited *a, const struct warp_subject *subject, size_t set, struct error *err)
{
	struct warp_scene scene;
	struct params params;
	char label[128];
	warp_set_scene(set, subject, &scene);
	warp_scene_ready(&scene);
	snprintf(label, sizeof(label), "%s, set %zu (%s)", subject->name, set, warp_set_name(set));
	struct run_spec spec = {
		.platform = &scene.platform,
		.set = &scene.set,
		.setup = &scene.setup,
		.policy = warp_params(&scene.options, scene.set.task_count, &params),
		.params = &params,
		.record = RECORD_ISSUES,
	};
	bool ok = audited_run(a, &spec, label, err);
	warp_scene_finish(&scene);
	return ok;
}
