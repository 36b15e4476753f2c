/* scenarios/tables_interleave.c - owns how much slower kernels are that share an SM: a ratio, the name of a
 * measured one, or one for each number of virtual SMs. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/interleaves.h"
#include "scenarios/tables.h"

static bool read_alpha(struct binder *b, const char *what, const struct node *node, struct interleave *i)
{
	struct error err;
	char quote[NODE_QUOTE_MAX];
	if (node->kind != NODE_SCALAR)
		return binder_error(b, node,
			"'%s' wants a ratio such as 1.8, or a mapping {2: 1.8, 4: 3.1}, got %s", what,
			node_quote(node, quote));
	if (!ratio_parse(node->text, &i->numerator, &i->denominator, &err))
		return binder_error(b, node, "'%s' %s", what, err.text);
	if (i->numerator < i->denominator)
		return binder_error(b, node, "'%s' is %.40s; it must be at least 1", what, node->text);
	return true;
}

/* The name of a measured ratio. */
static bool read_named_alpha(
	struct binder *b, const char *what, const struct node *node, struct interleave *i)
{
	const struct named_interleave *found = interleave_find(node->text);
	struct error err;
	if (found)
		return ratio_parse(found->alpha, &i->numerator, &i->denominator, &err) ||
		       binder_error(b, node, "'%s' %s", what, err.text);
	size_t count;
	const struct named_interleave *all = interleave_all(&count);
	struct suggestion s = {.word = node->text};
	char quote[NODE_QUOTE_MAX], hint[SUGGESTION_TEXT_MAX];
	for (size_t k = 0; k < count; k++)
		suggestion_offer(&s, all[k].name);
	return binder_error(b, node, "'%s': no measured ratio is called %s%s", what, node_quote(node, quote),
		s.best ? suggestion_text(&s, hint) : "; 'cegsim list interleaves' shows them");
}

static int compare_interleave(const void *a, const void *b)
{
	const struct interleave *x = a, *y = b;
	return (x->virtual_sms > y->virtual_sms) - (x->virtual_sms < y->virtual_sms);
}

static const struct binder_shape interleave_key = {
	.kind = SHAPE_INTEGER, .min = 2, .max = VIRTUAL_SMS_MAX, .size = sizeof(uint32_t)};

/* 1.8 or vectoradd (for two virtual SMs per SM), or {2: 1.8, 4: 3.1}. */
static bool bind_interleave(
	struct binder *b, const char *what, const struct node *node, void *out, uint32_t *count)
{
	uint32_t n = node->kind == NODE_MAP ? node->count : 1;
	bool ok = true;
	struct interleave *alphas = arena_new(b->arena, struct interleave, n);
	if (!alphas)
		return binder_no_memory(b);
	memcpy(out, &alphas, sizeof(alphas));
	*count = n;
	if (node->kind != NODE_MAP) {
		alphas[0].virtual_sms = 2;
		if (node->kind == NODE_SCALAR && isalpha((unsigned char)node->text[0]))
			return read_named_alpha(b, what, node, &alphas[0]);
		return read_alpha(b, what, node, &alphas[0]);
	}
	if (!n)
		return binder_error(b, node, "'%s' is empty", what);
	struct interleave *alpha = alphas;
	for (const struct node *key = node->first; key; key = key->next->next, alpha++) {
		ok = binder_read(b, what, key, &interleave_key, &alpha->virtual_sms, NULL) && ok;
		ok = read_alpha(b, what, key->next, alpha) && ok;
	}
	qsort(alphas, n, sizeof(*alphas), compare_interleave);
	for (uint32_t i = 1; i < n && ok; i++) {
		if (alphas[i].virtual_sms == alphas[i - 1].virtual_sms)
			ok = binder_error(b, node, "'%s' has two values for %" PRIu32 " virtual SMs per SM",
				what, alphas[i].virtual_sms);
	}
	return ok;
}

static void interleave_schema(struct text *out)
{
	text_add(out, "{\"anyOf\": [{\"type\": [\"number\", \"string\"], \"minimum\": 1}, {\"type\": "
		      "\"object\", \"minProperties\": 1, \"patternProperties\": {\"^[0-9]+$\": {\"type\": "
		      "[\"number\", \"string\"], \"minimum\": 1}}, \"additionalProperties\": false}]}");
}

const struct binder_shape shape_interleave = {.kind = SHAPE_CUSTOM,
	.wants = "a ratio, the name of a measured one, or {2: 1.8, 4: 3.1}",
	.bind = bind_interleave,
	.schema = interleave_schema};
