/* scenarios/tables_masks.c - owns the key `sms` of tasks and kernels: the SMs to which kernels are confined
 * (docs/model.md, "SM masks"), as numbers and ranges, or as the percentage that MPS gives a process. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/tables.h"

#define WANTS_SMS "a list of SMs such as [0-3, 8]"
#define WANTS_TASK_SMS WANTS_SMS ", or a percentage such as 40%"

/* ---- Lists ---- */

static bool read_number(const char **text, uint32_t *number)
{
	char *end;
	if (**text < '0' || **text > '9')
		return false;
	unsigned long value = strtoul(*text, &end, 10);
	*number = value < PLATFORM_MAX_SMS ? (uint32_t)value : PLATFORM_MAX_SMS;
	*text = end;
	return true;
}

/* 8, or 0-3. */
static bool read_range(
	struct binder *b, const char *what, const struct node *node, uint32_t *first, uint32_t *last)
{
	char quote[NODE_QUOTE_MAX];
	const char *text = node->kind == NODE_SCALAR ? node->text : "";
	bool ok = read_number(&text, first);
	*last = *first;
	if (ok && *text == '-') {
		text++;
		ok = read_number(&text, last);
	}
	if (!ok || *text)
		return binder_error(
			b, node, "'%s' wants " WANTS_SMS ", got %s in it", what, node_quote(node, quote));
	if (*last >= PLATFORM_MAX_SMS)
		return binder_error(b, node, "'%s' names an SM above %u, the last that there may be", what,
			PLATFORM_MAX_SMS - 1);
	return *first <= *last ||
	       binder_error(b, node, "'%s' has a range that ends before it begins: %.40s", what, node->text);
}

static bool bind_list(
	struct binder *b, const char *what, const struct node *node, uint32_t **sms, uint32_t *count)
{
	bool listed[PLATFORM_MAX_SMS] = {0};
	bool ok = true;
	for (const struct node *item = node->first; item; item = item->next) {
		uint32_t first = 0, last = 0;
		if (!read_range(b, what, item, &first, &last)) {
			ok = false;
			continue;
		}
		for (uint32_t sm = first; sm <= last; sm++) {
			if (listed[sm]) {
				ok = binder_error(b, item, "'%s' has SM %" PRIu32 " twice", what, sm);
				break;
			}
			listed[sm] = true;
			++*count;
		}
	}
	if (!ok)
		return false;
	if (*count == 0)
		return binder_error(b, node, "'%s' is empty: a kernel needs an SM", what);
	*sms = arena_new(b->arena, uint32_t, *count);
	if (!*sms)
		return binder_no_memory(b);
	*count = 0;
	for (uint32_t sm = 0; sm < PLATFORM_MAX_SMS; sm++)
		if (listed[sm])
			(*sms)[(*count)++] = sm;
	return true;
}

/* Into a uint32_t * and its count. */
static bool bind_kernel_sms(
	struct binder *b, const char *what, const struct node *node, void *out, uint32_t *count)
{
	char quote[NODE_QUOTE_MAX];
	uint32_t *sms = NULL;
	*count = 0;
	if (node->kind != NODE_LIST)
		return binder_error(
			b, node, "'%s' wants " WANTS_SMS ", got %s", what, node_quote(node, quote));
	bool ok = bind_list(b, what, node, &sms, count);
	memcpy(out, &sms, sizeof(sms));
	return ok;
}

#define LIST_SCHEMA                                                                                          \
	"{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": [\"integer\", \"string\"], "           \
	"\"minimum\": 0, \"pattern\": \"^[0-9]+(-[0-9]+)?$\"}}"

static void kernel_sms_schema(struct text *out)
{
	text_add(out, LIST_SCHEMA);
}

const struct binder_shape shape_kernel_sms = {
	.kind = SHAPE_CUSTOM, .wants = WANTS_SMS, .bind = bind_kernel_sms, .schema = kernel_sms_schema};

/* ---- Tasks ---- */

static bool bind_percentage(struct binder *b, const char *what, const struct node *node, int64_t *ppm)
{
	char quote[NODE_QUOTE_MAX];
	struct error ignored;
	size_t length = strlen(node->text);
	if (length == 0 || node->text[length - 1] != '%' ||
		!unit_parse(UNIT_RATIO, node->text, NULL, ppm, &ignored))
		return binder_error(
			b, node, "'%s' wants %s, got %s", what, WANTS_TASK_SMS, node_quote(node, quote));
	return (*ppm > 0 && *ppm <= 1000000) ||
	       binder_error(b, node, "'%s' is %.40s; above 0%%, up to 100%%", what, node->text);
}

/* Into a struct sms_entry. */
static bool bind_task_sms(
	struct binder *b, const char *what, const struct node *node, void *out, uint32_t *count)
{
	char quote[NODE_QUOTE_MAX];
	struct sms_entry *e = out;
	(void)count;
	e->at = node;
	if (node->kind == NODE_LIST)
		return bind_list(b, what, node, &e->given.sms, &e->given.count);
	if (node->kind == NODE_SCALAR)
		return bind_percentage(b, what, node, &e->share_ppm);
	return binder_error(b, node, "'%s' wants %s, got %s", what, WANTS_TASK_SMS, node_quote(node, quote));
}

static void task_sms_schema(struct text *out)
{
	text_add(out, "{\"anyOf\": [{\"type\": \"string\", \"pattern\": \"%$\"}, " LIST_SCHEMA "]}");
}

const struct binder_shape shape_task_sms = {
	.kind = SHAPE_CUSTOM, .wants = WANTS_TASK_SMS, .bind = bind_task_sms, .schema = task_sms_schema};

/* ---- Percentages ---- */

/* The earlier task of the same process; NULL: it is the first of its process. */
static const struct task_entry *fellow(const struct description *d, uint32_t task)
{
	const char *process = d->tasks[task].task.process;
	for (uint32_t i = 0; process && i < task; i++)
		if (d->tasks[i].task.process && strcmp(d->tasks[i].task.process, process) == 0)
			return &d->tasks[i];
	return NULL;
}

static int compare_sms(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* Whether the process whose first task this is has a kernel on the GPU. */
static bool uses_gpu(const struct description *d, uint32_t task, uint32_t gpu)
{
	for (uint32_t i = task; i < d->task_count; i++) {
		const struct task_entry *e = &d->tasks[i];
		if (!e->sound || (i > task && fellow(d, i) != &d->tasks[task]))
			continue;
		for (uint32_t k = 0; k < e->task.segment_count; k++)
			if (e->task.segments[k].kind == SEGMENT_KERNEL && e->task.segments[k].gpu == gpu)
				return true;
	}
	return false;
}

/* The SMs of a new process: those behind *next, around the end. NVIDIA's guide to MPS: a percentage is
 * rounded down to what the hardware supports. That is a TPC (libsmctrl; Bakita & Anderson, RTAS 2023). */
static bool make_share(
	struct binder *b, const struct platform *gpu, int64_t share_ppm, struct sms_list *e, uint32_t *next)
{
	uint32_t whole = gpu->sms_per_tpc == 2 && gpu->sms > 1 ? 2 : 1, circle = gpu->sms - gpu->sms % whole;
	e->count = (uint32_t)((uint64_t)gpu->sms * (uint64_t)share_ppm / 1000000);
	if (share_ppm == 1000000)
		circle = gpu->sms; /* also of half a TPC */
	else
		e->count -= e->count % whole;
	if (e->count == 0)
		e->count = whole;
	e->sms = arena_new(b->arena, uint32_t, e->count);
	if (!e->sms)
		return binder_no_memory(b);
	for (uint32_t i = 0; i < e->count; i++)
		e->sms[i] = (*next + i) % circle;
	*next = (*next + e->count) % circle;
	qsort(e->sms, e->count, sizeof(*e->sms), compare_sms);
	return true;
}

/* A percentage is one of each GPU; of several it takes SMs where the process has kernels. */
static bool make_shares(
	struct binder *b, const struct platform *p, struct description *d, uint32_t task, uint32_t *next)
{
	struct sms_entry *e = &d->tasks[task].sms;
	uint32_t gpus = platform_gpus(p);
	bool ok = true;
	e->share = arena_new(b->arena, struct sms_list, gpus);
	if (!e->share)
		return binder_no_memory(b);
	for (uint32_t g = 0; ok && g < gpus; g++)
		if (platform_gpu(p, g)->sms > 0 && (gpus == 1 || uses_gpu(d, task, g)))
			ok = make_share(b, platform_gpu(p, g), e->share_ppm, &e->share[g], &next[g]);
	return ok;
}

static bool settle_share(
	struct binder *b, const struct platform *p, struct description *d, uint32_t task, uint32_t *next)
{
	struct sms_entry *e = &d->tasks[task].sms;
	const struct task_entry *other = fellow(d, task);
	if (!other && e->share_ppm > 0)
		return make_shares(b, p, d, task, next);
	if (!other || (e->share_ppm == 0 && other->sms.share_ppm == 0))
		return true;
	if (e->share_ppm != other->sms.share_ppm)
		return binder_error(b, e->at ? e->at : d->tasks[task].at,
			"a percentage is a process's: tasks '%s' and '%s' of process '%s' must have the same "
			"'sms'",
			other->task.name, d->tasks[task].task.name, other->task.process);
	e->share = other->sms.share;
	return true;
}

bool settle_masks(struct binder *b, struct description *d, const struct platform *p)
{
	bool ok = true;
	uint32_t next[PLATFORM_MAX_GPUS] = {0}; /* by GPU: behind the process before */
	for (uint32_t i = 0; i < d->task_count; i++) {
		struct task_entry *e = &d->tasks[i];
		if (!e->sound)
			continue;
		if (p->sms > 0 && !settle_share(b, p, d, i, next))
			ok = false;
		for (uint32_t k = 0; k < e->task.segment_count; k++) {
			struct segment *s = &e->task.segments[k];
			if (s->kind != SEGMENT_KERNEL || s->sm_count > 0)
				continue;
			bool share = e->sms.share && s->gpu < platform_gpus(p);
			const struct sms_list *of = share ? &e->sms.share[s->gpu] : &e->sms.given;
			s->sms = of->sms;
			s->sm_count = of->count;
		}
	}
	return ok;
}
