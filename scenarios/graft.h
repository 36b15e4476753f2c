/* scenarios/graft.h - puts a value into a tree of nodes, at a place that is named by a path of keys, names
 * and numbers: "platform.copy.bandwidth", "tasks.radar.segments.1.kernel.grid", "policies.rtgpu.swap".
 *
 * The tables of the file's format (scenarios/binder.h) lead the way, so a wrong path is answered with the
 * nearest key or name. The tree itself is not changed: what is on the way is copied. */
#ifndef CEGSIM_SCENARIOS_GRAFT_H
#define CEGSIM_SCENARIOS_GRAFT_H

#include "scenarios/binder.h"

struct graft {
	struct arena *arena; /* of the nodes that are copied */
	const char *path;
	const struct node *value; /* its `origin` is that of all nodes that are new */
	const struct node *at;    /* the place of keys and mappings that are new */
	char wrong[400];          /* why the path leads nowhere; "": memory ran out */
};

/* The tree with the value in place, whose `root` is a mapping of that shape. NULL: g->wrong. */
MUST_CHECK struct node *graft_value(
	struct graft *g, const struct node *root, const struct binder_shape *shape);

/* A copy of a tree, with this origin in all of its nodes. NULL: out of memory. */
MUST_CHECK struct node *graft_copy(struct arena *arena, const struct node *from, uint32_t origin);

#endif
