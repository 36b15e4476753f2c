/* scenarios/tables_flights.c - owns the keys of operations in flight (docs/model.md), and the names by which
 * segments wait for others. */
#include <inttypes.h>

#include "base/name_index.h"
#include "scenarios/tables.h"

static const struct binder_choice truths[] = {{"false", 0}, {"true", 1}, {NULL}};
const struct binder_shape shape_async = {.kind = SHAPE_CHOICE, .choices = truths};

const struct binder_shape shape_after = {
	.kind = SHAPE_LIST,
	.item = &shape_name,
	.size = sizeof(char *),
	.min = 1,
	.max = UINT16_MAX,
	.wants = "a list of names such as [a, b]",
};

/* ---- wait ---- */

#define WANTS_WAIT "all, a list of names, or {stream: 1}"
#define ENTRY(member) offsetof(struct segment_entry, member)

static const struct binder_choice all_choices[] = {{"all", STREAM_OWN}, {NULL}};
static const struct binder_shape all = {.kind = SHAPE_CHOICE, .choices = all_choices, .wants = WANTS_WAIT};
static const struct field stream_fields[] = {
	{"stream", &shape_stream, ENTRY(segment.stream), .need = REQUIRED,
		.help = "Waits for the operations of this stream."},
	{NULL}};
static const struct binder_shape of_stream = {
	.kind = SHAPE_MAP, .fields = stream_fields, .wants = "{stream: 1}"};

static bool bind_wait(struct binder *b, const char *what, const struct node *node, void *out, uint32_t *count)
{
	struct segment_entry *e = out;
	(void)count;
	if (node->kind == NODE_LIST)
		return binder_read(b, what, node, &shape_after, &e->segment.awaits, &e->segment.await_count);
	if (node->kind == NODE_MAP)
		return binder_read(b, what, node, &of_stream, e, NULL);
	int any;
	return binder_read(b, what, node, &all, &any, NULL);
}

static void wait_schema(struct text *out)
{
	text_add(out, "{\"anyOf\": [");
	schema_value(out, &all);
	text_add(out, ", ");
	schema_value(out, &shape_after);
	text_add(out, ", ");
	schema_value(out, &of_stream);
	text_add(out, "]}");
}

const struct binder_shape shape_wait = {
	.kind = SHAPE_CUSTOM, .wants = WANTS_WAIT, .bind = bind_wait, .schema = wait_schema};

/* ---- Names ---- */

struct named_segments {
	const struct task_entry *entry;
	struct name_index names;
};

static bool name_differs(struct binder *b, const struct node *at, struct named_segments *n, uint32_t segment)
{
	const char *name = n->entry->segments[segment].segment.name;
	uint32_t first = name_index_first(&n->names, name);
	return !name || first == segment ||
	       binder_error_at(b, at, "name", "segment %" PRIu32 " of '%s' is called '%s', too", first,
		       n->entry->task.name, name);
}

/* A name for which a segment waits, and which none has. Who reads no more errors needs no hints. */
static bool unknown(struct binder *b, const struct node *at, const struct task_entry *e, uint32_t segment)
{
	char quote[NODE_QUOTE_MAX], hint[SUGGESTION_TEXT_MAX];
	struct suggestion s = {.word = at->text};
	for (uint32_t i = 0; b->diagnostics->count < DIAGNOSTICS_MAX && i < segment; i++) {
		const struct segment *other = &e->segments[i].segment;
		if (other->name && segment_is_operation(other))
			suggestion_offer(&s, other->name);
	}
	return binder_error(b, at, "no segment of '%s' is called %s%s", e->task.name, node_quote(at, quote),
		suggestion_text(&s, hint));
}

/* One of the names for which a segment waits. */
static bool check_awaited(struct binder *b, const struct node *at, struct named_segments *n, uint32_t segment)
{
	char quote[NODE_QUOTE_MAX];
	uint32_t i = name_index_first(&n->names, at->text);
	if (i == NAME_NONE)
		return unknown(b, at, n->entry, segment);
	if (i >= segment)
		return binder_error(b, at,
			"%s is segment %" PRIu32 ", not in front of this one: a segment waits for "
			"earlier ones",
			node_quote(at, quote), i);
	return segment_is_operation(&n->entry->segments[i].segment) ||
	       binder_error(b, at, "%s is no copy or kernel", node_quote(at, quote));
}

static bool check_flight(struct binder *b, const struct node *at, struct named_segments *n, uint32_t segment)
{
	const struct segment_entry *s = &n->entry->segments[segment];
	bool ok = true;
	if (s->async && !segment_is_operation(&s->segment))
		ok = binder_error_at(b, at, "async", "'async' is for copies and kernels");
	if (s->segment.graph && !s->async)
		ok = binder_error_at(
			b, at, "graph", "'graph' is for asynchronous operations: write async: true, too");
	if (node_has(at, "gpu") && !segment_is_operation(&s->segment) &&
		!(s->segment.kind == SEGMENT_WAIT && s->segment.stream >= STREAM_NULL))
		ok = binder_error_at(b, at, "gpu", "'gpu' is for copies, kernels, and waits for a stream");
	if (node_has(at, "after") && !segment_is_operation(&s->segment))
		return binder_error_at(b, at, "after", "'after' is for copies and kernels");
	const struct node *list = node_find(at, s->segment.kind == SEGMENT_WAIT ? "wait" : "after");
	const struct node *name = s->segment.await_count > 0 ? list->first : NULL;
	for (; name; name = name->next)
		ok = check_awaited(b, name, n, segment) && ok;
	return ok;
}

bool check_segment_names(struct binder *b, const struct node *node, const struct task_entry *e)
{
	struct named_segments n = {.entry = e};
	bool ok = true;
	if (e->segment_count == 0)
		return true;
	name_index_init(&n.names, &e->segments->segment.name, sizeof(*e->segments), e->segment_count);
	const struct node *at = node_item(node_find(node, "segments"), 0);
	for (uint32_t i = 0; at && i < e->segment_count; i++, at = at->next) {
		ok = name_differs(b, at, &n, i) && ok;
		ok = check_flight(b, at, &n, i) && ok;
	}
	name_index_finish(&n.names);
	return ok;
}
