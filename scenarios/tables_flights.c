/* scenarios/tables_flights.c - owns the keys of operations in flight (docs/model.md), and the names by which
 * segments wait for others. */
#include <inttypes.h>
#include <string.h>

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

static bool names_differ(struct binder *b, const struct node *list, const struct task_entry *e)
{
	bool ok = true;
	for (uint32_t i = 1; i < e->segment_count; i++) {
		const char *name = e->segments[i].segment.name;
		uint32_t k = 0;
		while (name && k < i &&
			(!e->segments[k].segment.name || strcmp(e->segments[k].segment.name, name) != 0))
			k++;
		if (name && k < i)
			ok = binder_error_at(b, node_item(list, i), "name",
				"segment %" PRIu32 " of '%s' is called '%s', too", k, e->task.name, name);
	}
	return ok;
}

/* One of the names for which a segment waits. */
static bool check_awaited(struct binder *b, const struct node *at, const struct task_entry *e,
	uint32_t segment, const char *name)
{
	char quote[NODE_QUOTE_MAX], hint[SUGGESTION_TEXT_MAX];
	struct suggestion s = {.word = name};
	for (uint32_t i = 0; i < e->segment_count; i++) {
		const struct segment *other = &e->segments[i].segment;
		if (!other->name)
			continue;
		if (strcmp(other->name, name) != 0) {
			if (segment_is_operation(other) && i < segment)
				suggestion_offer(&s, other->name);
			continue;
		}
		if (i >= segment)
			return binder_error(b, at,
				"%s is segment %" PRIu32 ", not in front of this one: a segment waits for "
				"earlier ones",
				node_quote(at, quote), i);
		return segment_is_operation(other) ||
		       binder_error(b, at, "%s is no copy or kernel", node_quote(at, quote));
	}
	return binder_error(b, at, "no segment of '%s' is called %s%s", e->task.name, node_quote(at, quote),
		suggestion_text(&s, hint));
}

static bool check_flight(
	struct binder *b, const struct node *at, const struct task_entry *e, uint32_t segment)
{
	const struct segment_entry *s = &e->segments[segment];
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
	for (uint32_t i = 0; i < s->segment.await_count; i++)
		ok = check_awaited(b, node_item(list, i), e, segment, s->segment.awaits[i]) && ok;
	return ok;
}

bool check_segment_names(struct binder *b, const struct node *node, const struct task_entry *e)
{
	const struct node *list = node_find(node, "segments");
	bool ok = names_differ(b, list, e);
	for (uint32_t i = 0; i < e->segment_count; i++)
		ok = check_flight(b, node_item(list, i), e, i) && ok;
	return ok;
}
