/* scenarios/document.c - owns reading a YAML text with libyaml's event parser and the
 * limits a text must keep: size, encoding, nesting, growth by aliases. */
#include "scenarios/document.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yaml.h>

#include "base/list.h"
#include "base/text.h"
#include "base/utf8.h"

/* ---- Files ---- */

static bool slurp_too_large(struct error *err)
{
	return error_set(err, STATUS_INPUT, "is larger than 64 MiB, the most this program reads");
}

/* Reads to the end, or one byte beyond the limit. The size that a file states is only a hint: pipes state
 * none, and files grow. */
static bool slurp_stream(int fd, size_t expected, char **data, size_t *length, struct error *err)
{
	size_t capacity = 0, used = 0;
	char *buffer = NULL;
	while (list_reserve(&buffer, &capacity, (used ? used : expected) + 2, 1)) {
		ssize_t got = read(fd, buffer + used, capacity - 1 - used);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			free(buffer);
			return error_set(err, STATUS_IO, "cannot be read: %s", strerror(errno));
		}
		used += (size_t)got;
		if (used > DOCUMENT_BYTES_MAX) {
			free(buffer);
			return slurp_too_large(err);
		}
		if (got == 0) {
			buffer[used] = '\0';
			*data = buffer;
			*length = used;
			return true;
		}
	}
	free(buffer);
	return error_memory(err, "reading a file");
}

char *document_slurp(const char *path, size_t *length, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		error_set(err, error_unopened(errno), "cannot be opened: %s", strerror(errno));
		return NULL;
	}
	char *data = NULL;
	struct stat st;
	bool ok = true;
	if (fstat(fd, &st) < 0)
		ok = error_set(err, STATUS_IO, "cannot be read: %s", strerror(errno));
	else if (S_ISDIR(st.st_mode))
		ok = error_set(err, STATUS_INPUT, "is a folder, not a file");
	else if (S_ISREG(st.st_mode) && st.st_size > (off_t)DOCUMENT_BYTES_MAX)
		ok = slurp_too_large(err);
	if (ok && !slurp_stream(fd, S_ISREG(st.st_mode) ? (size_t)st.st_size : 4096, &data, length, err))
		data = NULL;
	close(fd);
	return data;
}

char *document_beside(const char *file, const char *name)
{
	const char *slash = strrchr(file, '/');
	int folder = *name != '/' && slash ? (int)(slash - file) + 1 : 0;
	char *path = NULL;
	return asprintf(&path, "%.*s%s", folder, file, name) < 0 ? NULL : path;
}

/* ---- Encoding ---- */

/* Line and column (from 1) of a byte offset. */
static void place_of(const char *text, size_t offset, unsigned *line, unsigned *column)
{
	*line = *column = 1;
	for (size_t i = 0; i < offset; i++) {
		if (text[i] == '\n') {
			(*line)++;
			*column = 1;
		} else if (((unsigned char)text[i] & 0xc0) != 0x80) {
			(*column)++;
		}
	}
}

/* Finds the first byte that may not occur in a text file. */
static bool text_is_clean(const char *text, size_t length, struct diagnostics *d)
{
	unsigned line, column;
	for (size_t i = 0; i < length;) {
		unsigned char c = (unsigned char)text[i];
		size_t step = c < 0x80 ? 1 : utf8_length(text + i);
		bool control = (c < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7f;
		if (step && !control) {
			i += step;
			continue;
		}
		place_of(text, i, &line, &column);
		if (control)
			diagnostics_add(
				d, line, column, "this is not a text file: it holds the byte 0x%02x", c);
		else
			diagnostics_add(d, line, column,
				"this is not UTF-8 text: the byte 0x%02x does not belong here", c);
		return false;
	}
	return true;
}

/* ---- Loading ---- */

struct document_level {
	struct node *node;
	struct node **tail;
	uint32_t children;
};

struct anchor {
	char *name;
	const struct node *node;
};

struct document_loader {
	yaml_parser_t parser;
	struct arena *arena;
	struct diagnostics *diagnostics;
	const char *text;
	struct node *root;
	struct document_level stack[DOCUMENT_DEPTH_MAX];
	uint32_t depth;
	struct anchor anchors[DOCUMENT_ANCHORS_MAX];
	uint32_t anchor_count;
	uint32_t nodes;
	uint32_t documents;
	bool no_memory;
};

/* Reports an error at the mark. Always returns false. */
static bool PRINTF_LIKE(3, 4) refuse(struct document_loader *l, yaml_mark_t mark, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	diagnostics_add_list(l->diagnostics, (unsigned)mark.line + 1, (unsigned)mark.column + 1, fmt, args);
	va_end(args);
	return false;
}

static bool out_of_memory(struct document_loader *l)
{
	l->no_memory = true;
	diagnostics_add(l->diagnostics, 0, 0, "out of memory while reading the file");
	return false;
}

/* Does the line begin with blanks among which is a tab? The usual reason for
 * libyaml's "cannot start any token". */
static bool line_is_indented_by_tab(const char *text, size_t line)
{
	for (; line > 0; line--) {
		const char *newline = strchr(text, '\n');
		if (!newline)
			return false;
		text = newline + 1;
	}
	return text[strspn(text, " ")] == '\t';
}

static bool report_parser(struct document_loader *l)
{
	yaml_parser_t *p = &l->parser;
	const char *problem = p->problem ? p->problem : "unreadable";
	unsigned line, column;
	if (p->error == YAML_MEMORY_ERROR)
		return out_of_memory(l);
	if (p->error == YAML_READER_ERROR) {
		place_of(l->text, p->problem_offset, &line, &column);
		diagnostics_add(l->diagnostics, line, column, "this is not a text file: %s", problem);
		return false;
	}
	line = (unsigned)p->problem_mark.line + 1;
	column = (unsigned)p->problem_mark.column + 1;
	if (line_is_indented_by_tab(l->text, p->problem_mark.line))
		diagnostics_add(
			l->diagnostics, line, column, "YAML is not indented by tabs; use spaces here");
	else if (p->context && p->context_mark.line != p->problem_mark.line)
		diagnostics_add(l->diagnostics, line, column, "%s %s that began in line %zu", problem,
			p->context, p->context_mark.line + 1);
	else
		diagnostics_add(l->diagnostics, line, column, "%s%s%s", problem, p->context ? " " : "",
			p->context ? p->context : "");
	return false;
}

static bool is_key_place(const struct document_loader *l)
{
	const struct document_level *top = l->depth ? &l->stack[l->depth - 1] : NULL;
	return top && top->node->kind == NODE_MAP && top->children % 2 == 0;
}

/* Counts `weight` more nodes, and appends the node to the innermost open one. */
static bool attach(struct document_loader *l, struct node *node, const yaml_mark_t *mark, uint32_t weight)
{
	if (weight > DOCUMENT_NODES_MAX - l->nodes)
		return refuse(l, *mark, "the file holds more than %u values%s", DOCUMENT_NODES_MAX,
			weight > 1 ? " when its aliases are written out" : "");
	l->nodes += weight;
	if (!l->depth) {
		l->root = node;
		return true;
	}
	struct document_level *top = &l->stack[l->depth - 1];
	*top->tail = node;
	top->tail = &node->next;
	top->children++;
	if (top->node->kind == NODE_LIST || top->children % 2 == 0)
		top->node->count++;
	return true;
}

static bool remember_anchor(
	struct document_loader *l, const yaml_char_t *name, const struct node *node, const yaml_mark_t *mark)
{
	if (!name)
		return true;
	if (l->anchor_count == DOCUMENT_ANCHORS_MAX)
		return refuse(l, *mark, "the file holds more than %u anchors", DOCUMENT_ANCHORS_MAX);
	char *copy = arena_strdup(l->arena, (const char *)name);
	if (!copy)
		return out_of_memory(l);
	l->anchors[l->anchor_count++] = (struct anchor){.name = copy, .node = node};
	return true;
}

/* Makes a node of the event's kind, at the event's place in the text. */
static struct node *new_node(struct document_loader *l, enum node_kind kind, const yaml_event_t *event,
	const yaml_char_t *tag, const yaml_char_t *anchor)
{
	if (tag) {
		refuse(l, event->start_mark, "tags (a word that begins with !) are not used in these files");
		return NULL;
	}
	if (kind != NODE_SCALAR && is_key_place(l)) {
		refuse(l, event->start_mark, "a key must be a single word");
		return NULL;
	}
	struct node *node = arena_new(l->arena, struct node, 1);
	if (!node) {
		out_of_memory(l);
		return NULL;
	}
	*node = (struct node){
		.kind = kind,
		.line = (unsigned)event->start_mark.line + 1,
		.column = (unsigned)event->start_mark.column + 1,
		.weight = 1,
		.height = 1,
	};
	if (!attach(l, node, &event->start_mark, 1) || !remember_anchor(l, anchor, node, &event->start_mark))
		return NULL;
	return node;
}

/* All spellings of YAML's null become one. */
static const char *normal_text(const char *text, bool plain)
{
	if (plain && (strcmp(text, "~") == 0 || strcmp(text, "Null") == 0 || strcmp(text, "NULL") == 0))
		return "null";
	return text;
}

static bool on_scalar(struct document_loader *l, const yaml_event_t *event)
{
	const char *value = (const char *)event->data.scalar.value;
	bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	if (strlen(value) != event->data.scalar.length)
		return refuse(l, event->start_mark, "the text holds a NUL character");
	if (is_key_place(l) && plain && strcmp(value, "<<") == 0)
		return refuse(l, event->start_mark,
			"merge keys (<<) are not supported: write the keys out, or name a whole value with "
			"&name and use it again as *name");
	struct node *node =
		new_node(l, NODE_SCALAR, event, event->data.scalar.tag, event->data.scalar.anchor);
	if (!node)
		return false;
	node->plain = plain;
	node->text = arena_strdup(l->arena, normal_text(value, plain));
	return node->text || out_of_memory(l);
}

static bool on_start(struct document_loader *l, const yaml_event_t *event, enum node_kind kind,
	const yaml_char_t *tag, const yaml_char_t *anchor)
{
	if (l->depth == DOCUMENT_DEPTH_MAX)
		return refuse(l, event->start_mark, "the file is nested more than %u levels deep",
			DOCUMENT_DEPTH_MAX);
	struct node *node = new_node(l, kind, event, tag, anchor);
	if (!node)
		return false;
	node->open = true;
	l->stack[l->depth++] = (struct document_level){.node = node, .tail = &node->first};
	return true;
}

static bool on_end(struct document_loader *l)
{
	struct node *node = l->stack[--l->depth].node;
	node->open = false;
	for (const struct node *child = node->first; child; child = child->next) {
		node->weight += child->weight;
		if (child->height >= node->height)
			node->height = child->height + 1;
	}
	return true;
}

/* An alias is a copy of the named node that shares its children. */
static bool on_alias(struct document_loader *l, const yaml_event_t *event)
{
	const char *name = (const char *)event->data.alias.anchor;
	const struct node *named = NULL;
	for (uint32_t i = l->anchor_count; i > 0 && !named; i--) {
		if (strcmp(l->anchors[i - 1].name, name) == 0)
			named = l->anchors[i - 1].node;
	}
	if (!named)
		return refuse(l, event->start_mark, "nothing before this place is named &%s", name);
	if (named->open)
		return refuse(l, event->start_mark, "*%s stands inside of what it names", name);
	if (named->kind != NODE_SCALAR && is_key_place(l))
		return refuse(l, event->start_mark, "a key must be a single word");
	if (l->depth + named->height > DOCUMENT_DEPTH_MAX)
		return refuse(l, event->start_mark, "the file is nested more than %u levels deep",
			DOCUMENT_DEPTH_MAX);
	struct node *node = arena_new(l->arena, struct node, 1);
	if (!node)
		return out_of_memory(l);
	*node = *named;
	node->next = NULL;
	node->line = (unsigned)event->start_mark.line + 1;
	node->column = (unsigned)event->start_mark.column + 1;
	return attach(l, node, &event->start_mark, named->weight);
}

static bool on_event(struct document_loader *l, const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		return on_scalar(l, event);
	case YAML_SEQUENCE_START_EVENT:
		return on_start(l, event, NODE_LIST, event->data.sequence_start.tag,
			event->data.sequence_start.anchor);
	case YAML_MAPPING_START_EVENT:
		return on_start(
			l, event, NODE_MAP, event->data.mapping_start.tag, event->data.mapping_start.anchor);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		return on_end(l);
	case YAML_ALIAS_EVENT:
		return on_alias(l, event);
	case YAML_DOCUMENT_START_EVENT:
		if (l->documents++ > 0)
			return refuse(
				l, event->start_mark, "a second document begins here; a file holds one");
		return true;
	default:
		return true;
	}
}

static bool load(struct document_loader *l)
{
	for (bool more = true; more;) {
		yaml_event_t event;
		if (!yaml_parser_parse(&l->parser, &event))
			return report_parser(l);
		more = event.type != YAML_STREAM_END_EVENT;
		bool ok = on_event(l, &event);
		yaml_event_delete(&event);
		if (!ok)
			return false;
	}
	return true;
}

struct node *document_parse(
	struct arena *arena, const char *text, size_t length, struct diagnostics *d, bool *no_memory)
{
	*no_memory = false;
	if (!text_is_clean(text, length, d))
		return NULL;
	struct document_loader *l = calloc(1, sizeof(*l));
	if (!l || !yaml_parser_initialize(&l->parser)) {
		free(l);
		*no_memory = true;
		diagnostics_add(d, 0, 0, "out of memory while reading the file");
		return NULL;
	}
	l->arena = arena;
	l->diagnostics = d;
	l->text = text;
	yaml_parser_set_input_string(&l->parser, (const unsigned char *)text, length);
	struct node *root = load(l) ? l->root : NULL;
	if (!root && !d->count && !d->dropped)
		diagnostics_add(d, 1, 1, "the file is empty");
	*no_memory = l->no_memory;
	yaml_parser_delete(&l->parser);
	free(l);
	return root;
}

/* ---- Looking at nodes ---- */

const struct node *node_find(const struct node *map, const char *key)
{
	if (!map || map->kind != NODE_MAP)
		return NULL;
	for (const struct node *k = map->first; k; k = k->next->next) {
		if (strcmp(k->text, key) == 0)
			return k->next;
	}
	return NULL;
}

const struct node *node_item(const struct node *list, uint32_t i)
{
	if (!list || list->kind != NODE_LIST)
		return NULL;
	const struct node *item = list->first;
	for (; item && i > 0; i--)
		item = item->next;
	return item;
}

const char *node_quote(const struct node *node, char buffer[NODE_QUOTE_MAX])
{
	if (node->kind == NODE_LIST)
		return "a list";
	if (node->kind == NODE_MAP)
		return "a mapping";
	if (node->plain && (!*node->text || strcmp(node->text, "null") == 0))
		return "nothing";
	size_t shown = 0, step;
	while (node->text[shown] && (step = utf8_length(node->text + shown)) > 0 && shown + step <= 60)
		shown += step;
	snprintf(
		buffer, NODE_QUOTE_MAX, "\"%.*s\"%s", (int)shown, node->text, node->text[shown] ? "..." : "");
	return buffer;
}
