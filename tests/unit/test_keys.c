/* tests/unit/test_keys.c - the keys of files in words: values, defaults, and which key is told where. */
#include <string.h>

#include "scenarios/keys.h"
#include "scenarios/tables.h"
#include "tests/support/test.h"

static const struct binder_choice colours[] = {{"red", 1}, {"blue", 2}, {NULL}};
static const struct binder_choice nobody[] = {{"null", -1}, {NULL}};

static const struct binder_shape colour = {.kind = SHAPE_CHOICE, .choices = colours};
static const struct binder_shape few = {.kind = SHAPE_INTEGER, .min = 2, .max = 8};
static const struct binder_shape many = {.kind = SHAPE_INTEGER, .min = 1, .max = INT32_MAX};
static const struct binder_shape maybe = {.kind = SHAPE_INTEGER, .max = 9, .choices = nobody};
static const struct binder_shape share = {
	.kind = SHAPE_QUANTITY, .unit = UNIT_RATIO, .min = 1, .max = 500000};
static const struct binder_shape length = {.kind = SHAPE_QUANTITY, .unit = UNIT_TIME, .max = TIME_MAX_NS};
static const struct binder_shape clock_rate = {
	.kind = SHAPE_QUANTITY, .unit = UNIT_FREQUENCY, .min = 1000000, .max = 2000000000};
static const struct binder_shape span = {.kind = SHAPE_INTERVAL, .unit = UNIT_TIME, .max = TIME_MAX_NS};
static const struct binder_shape word = {.kind = SHAPE_TEXT, .wants = "a name", .max = 9};
static const struct binder_shape lengths = {.kind = SHAPE_LIST, .item = &length, .max = 1000};
static const struct binder_shape numbers = {.kind = SHAPE_LIST, .item = &few, .max = 3};
static const struct binder_shape shares = {.kind = SHAPE_DICT, .item = &share};

static const struct field value_fields[] = {{"colour", &colour, 0, .fallback = "red", .help = "A."},
	{"few", &few, 0, .unset = "none", .help = "B."}, {"many", &many, 0, .help = "C."},
	{"maybe", &maybe, 0, .help = "D."}, {"share", &share, 0, .help = "E."},
	{"length", &length, 0, .help = "F."}, {"clock", &clock_rate, 0, .help = "G."},
	{"span", &span, 0, .help = "H."}, {"word", &word, 0, .need = REQUIRED, .help = "I."},
	{"lengths", &lengths, 0, .help = "J."}, {"numbers", &numbers, 0, .help = "K."},
	{"shares", &shares, 0, .help = "L."}, {NULL}};
static const struct binder_shape values = {.kind = SHAPE_MAP, .fields = value_fields};

/* What was told, a line for each key. */
static bool tell(void *to, const struct key *key, struct error *err)
{
	(void)err;
	text_printf(to, "%s %s: %s; %s; %s\n", key->mapping, key->key, key->value,
		key->unset ? key->unset : "-", key->meaning);
	return true;
}

static void expect_keys(const struct binder_shape *root, const char *expected)
{
	struct text told = {0};
	struct error err;
	assert_true(keys_tell(root, tell, &told, &err));
	assert_string_equal(text_data(&told), expected);
	text_finish(&told);
}

TEST("values and defaults are said in words")
{
	expect_keys(&values, ". colour: red | blue; red; A.\n"
			     ". few: 2 to 8; none; B.\n"
			     ". many: 1 or more; -; C.\n"
			     ". maybe: 0 to 9 | null; -; D.\n"
			     ". share: ratio above 0 up to 50%; -; E.\n"
			     ". length: time; -; F.\n"
			     ". clock: frequency from 1MHz up to 2GHz; -; G.\n"
			     ". span: interval; -; H.\n"
			     ". word: a name; required; I.\n"
			     ". lengths: list of times; -; J.\n"
			     ". numbers: list of up to 3 numbers, 2 to 8; -; K.\n"
			     ". shares: mapping of names to ratios above 0 up to 50%; -; L.\n");
}

static const struct field form_fields[] = {{"cash", &few, 0, .need = SELECTOR, .help = "A."},
	{"card", &few, 0, .need = SELECTOR, .help = "B."},
	{"code", &few, 0, .need = REQUIRED, .with = "card", .help = "C."},
	{"note", &few, 0, .need = ONE_OF, .with = "cash", .help = "D."},
	{"coin", &few, 0, .need = ONE_OF, .with = "cash", .help = "E."},
	{"tip", &few, 0, .with = "card", .fallback = "2", .help = "F."},
	{"change", &few, 0, .with = "cash", .help = "G."},
	{"date", &few, 0, .with = "cash", .needs = "note", .help = "H."}, {NULL}};
static const struct binder_shape form = {.kind = SHAPE_MAP, .fields = form_fields};

TEST("keys that depend on others say so")
{
	expect_keys(&form, ". cash: 2 to 8; one of: cash, card; A.\n"
			   ". card: 2 to 8; one of: cash, card; B.\n"
			   ". code: 2 to 8; required (with card); C.\n"
			   ". note: 2 to 8; one of: note, coin (with cash); D.\n"
			   ". coin: 2 to 8; one of: note, coin (with cash); E.\n"
			   ". tip: 2 to 8; 2 (with card); F.\n"
			   ". change: 2 to 8; only with cash; G.\n"
			   ". date: 2 to 8; only with note; H.\n");
}

static const struct field wide_fields[] = {{"a", &few, 0, .need = SELECTOR, .help = "A."},
	{"b", &few, 0, .need = SELECTOR, .help = "B."}, {"c", &few, 0, .need = SELECTOR, .help = "C."},
	{"d", &few, 0, .need = SELECTOR, .help = "D."}, {"e", &few, 0, .need = SELECTOR, .help = "E."},
	{NULL}};
static const struct binder_shape wide = {.kind = SHAPE_MAP, .fields = wide_fields};
static const struct field lone_fields[] = {{"a", &few, 0, .need = SELECTOR, .help = "A."}, {NULL}};
static const struct binder_shape lone = {.kind = SHAPE_MAP, .fields = lone_fields};

TEST("many alternatives are not told one by one, and one alone is required")
{
	expect_keys(&wide, ". a: 2 to 8; one of these keys; A.\n"
			   ". b: 2 to 8; one of these keys; B.\n"
			   ". c: 2 to 8; one of these keys; C.\n"
			   ". d: 2 to 8; one of these keys; D.\n"
			   ". e: 2 to 8; one of these keys; E.\n");
	expect_keys(&lone, ". a: 2 to 8; required; A.\n");
}

/* A tree: branches are lists of nodes; a node may also be a word. */
static const struct binder_shape node;
static const struct binder_shape branches = {
	.kind = SHAPE_LIST, .wants = "a list of nodes", .reference = "branches", .item = &node, .max = 1000};
static const struct field node_fields[] = {
	{"branches", &branches, 0, .help = "A."}, {"leaf", &lone, 0, .help = "B."}, {NULL}};
static const struct binder_shape node_map = {.kind = SHAPE_MAP, .fields = node_fields};
static const struct binder_shape node = {
	.kind = SHAPE_EITHER, .wants = "a word, or {leaf: ...}", .scalar = &word, .map = &node_map};
static const struct field forest_fields[] = {
	{"tree", &node, 0, .help = "C."}, {"leaf", &lone, 0, .help = "D."}, {NULL}};
static const struct binder_shape forest = {.kind = SHAPE_MAP, .fields = forest_fields};

TEST("a mapping is told once, where it is highest, also if it contains itself")
{
	expect_keys(&forest, ". tree: a word, or {leaf: ...}; -; C.\n"
			     ". leaf: mapping; -; D.\n"
			     "tree branches: a list of nodes; -; A.\n"
			     "tree leaf: mapping; -; B.\n"
			     "leaf a: 2 to 8; required; A.\n");
}

/* Stops at the third key. */
static bool stop(void *to, const struct key *key, struct error *err)
{
	unsigned *count = to;
	return ++*count < 3 || error_set(err, STATUS_IO, "enough at %s", key->key);
}

TEST("an error of the caller ends it")
{
	struct error err;
	unsigned count = 0;
	assert_false(keys_tell(&values, stop, &count, &err));
	assert_int_equal(count, 3);
	assert_string_equal(err.text, "enough at many");
}

TEST("every key of scenarios and campaigns has a meaning")
{
	struct text told = {0};
	struct error err;
	assert_true(scenario_keys(tell, &told, &err));
	assert_true(campaign_keys(tell, &told, &err));
	assert_null(strstr(text_data(&told), "; \n"));
	assert_non_null(strstr(text_data(&told), "\ntasks.segments.kernel block: "));
	assert_non_null(strstr(text_data(&told), "\nrun.horizon periods: "));
	text_finish(&told);
}
