/* tests/unit/test_binder.c - YAML texts as trees with places, and reading them by tables: every shape, both
 * sides of its limits, and the messages about everything else. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/binder.h"
#include "scenarios/tables.h"
#include "tests/support/test.h"

/* ---- A small vocabulary ---- */

struct pet {
	char *name;
	int64_t weight, born[2];
	uint32_t legs;
	int32_t owner;
	int kind;
	int64_t *meals;
	uint32_t meal_count;
};

struct home {
	int64_t rooms;
	int form;
	int64_t rent, price, deposit;
	struct pet *pets;
	uint32_t pet_count;
	struct tag {
		char *key;
		int64_t value;
	} * tags;
	uint32_t tag_count;
};

static bool old_pets_only(struct binder *b, const struct node *node, void *out)
{
	struct pet *p = out;
	return p->legs != 3 || binder_error_at(b, node, "legs", "three legs");
}

static void init_pet(void *out)
{
	*(struct pet *)out = (struct pet){.owner = 7};
}

#define PET(m) offsetof(struct pet, m)
#define HOME(m) offsetof(struct home, m)
static const struct binder_shape name = {.kind = SHAPE_TEXT, .max = 8};
static const struct binder_shape legs = {
	.kind = SHAPE_INTEGER, .min = 2, .max = 100, .size = sizeof(uint32_t)};
static const struct binder_choice nobody[] = {{"null", -2}, {NULL}};
static const struct binder_shape owner = {
	.kind = SHAPE_INTEGER, .max = 9, .size = sizeof(int32_t), .choices = nobody};
static const struct binder_shape big = {
	.kind = SHAPE_INTEGER, .min = INT64_MIN, .max = INT64_MAX, .size = sizeof(int64_t)};
static const struct binder_shape weight = {
	.kind = SHAPE_QUANTITY, .unit = UNIT_BYTES, .min = 10, .max = 1000};
static const struct binder_shape born = {.kind = SHAPE_INTERVAL, .unit = UNIT_TIME, .max = 1000000};
static const struct binder_choice kinds[] = {{"cat", 4}, {"dog", 5}, {"12", 6}, {NULL}};
static const struct binder_shape kind = {.kind = SHAPE_CHOICE, .choices = kinds};
static const struct binder_shape meal = {.kind = SHAPE_QUANTITY, .unit = UNIT_TIME, .max = 1000000};
static const struct binder_shape meals = {
	.kind = SHAPE_LIST, .item = &meal, .size = sizeof(int64_t), .min = 1, .max = 3};
static const struct field pet_fields[] = {
	{"name", &name, PET(name), .need = REQUIRED, .help = "What it hears to."},
	{"weight", &weight, PET(weight), .fallback = "20", .help = "On a scale."},
	{"born", &born, PET(born), .unset = "today", .help = "When."},
	{"legs", &legs, PET(legs), .help = "How many."}, {"owner", &owner, PET(owner), .help = "Whose."},
	{"kind", &kind, PET(kind), .fallback = "dog", .help = "Which."},
	{"meals", &meals, PET(meals), PET(meal_count), .help = "At."}, {NULL}};
static const struct binder_shape pet = {
	.kind = SHAPE_MAP, .fields = pet_fields, .check = old_pets_only, .init = init_pet};
static const struct binder_shape pets = {.kind = SHAPE_LIST, .item = &pet, .size = sizeof(struct pet)};
static const struct binder_shape tags = {
	.kind = SHAPE_DICT,
	.key = &name,
	.item = &big,
	.size = sizeof(struct tag),
	.key_offset = offsetof(struct tag, key),
	.value_offset = offsetof(struct tag, value),
};
static const struct binder_shape either = {
	.kind = SHAPE_EITHER, .wants = "a size, or nothing else", .scalar = &big};
static const struct field home_fields[] = {{"rooms", &either, HOME(rooms), .help = "Number."},
	{"rent", &weight, HOME(rent), .need = SELECTOR, .tag = 1, .help = "To let."},
	{"price", &weight, HOME(price), .need = SELECTOR, .tag = 2, .help = "For sale."},
	{"deposit", &weight, HOME(deposit), .need = REQUIRED, .with = "rent", .help = "In advance."},
	{"gas", &weight, HOME(deposit), .need = ONE_OF, .with = "price", .help = "Heats."},
	{"oil", &weight, HOME(deposit), .need = ONE_OF, .with = "price", .help = "Heats."},
	{"pets", &pets, HOME(pets), HOME(pet_count), .help = "Who lives there."},
	{"tags", &tags, HOME(tags), HOME(tag_count), .help = "More."}, {NULL}};
static const struct binder_shape home = {.kind = SHAPE_MAP, .fields = home_fields, .tag_offset = HOME(form)};

/* ---- Reading in tests ---- */

struct reading {
	struct home home;
	struct arena arena;
	struct diagnostics diagnostics;
	char *said; /* all messages */
	bool ok;
};

static struct reading read_text(const char *text, size_t length)
{
	struct reading r = {0};
	bool no_memory;
	size_t size;
	diagnostics_init(&r.diagnostics, "f");
	struct node *root = document_parse(&r.arena, text, length, &r.diagnostics, &no_memory);
	struct binder b = {.diagnostics = &r.diagnostics, .arena = &r.arena};
	assert_false(no_memory);
	r.ok = root && binder_read(&b, "home", root, &home, &r.home, NULL);
	assert_int_equal(r.ok, r.diagnostics.count == 0);
	FILE *out = open_memstream(&r.said, &size);
	assert_non_null(out);
	diagnostics_print(&r.diagnostics, out);
	fclose(out);
	return r;
}

static struct reading reading(const char *text)
{
	return read_text(text, strlen(text));
}

static void reading_finish(struct reading *r)
{
	arena_finish(&r->arena);
	diagnostics_finish(&r->diagnostics);
	free(r->said);
}

/* The text must be refused with exactly these messages. */
static void assert_says(const char *text, const char *said)
{
	struct reading r = reading(text);
	assert_string_equal(r.said, said);
	assert_false(r.ok);
	reading_finish(&r);
}

#define IN_PET "rent: 10\ndeposit: 10\npets:\n  - name: x\n    "

TEST("every shape is read")
{
	struct reading r = reading(
		"rooms: -9223372036854775808\nprice: 1000\noil: 10\npets: [{name: Mia, weight: 30, born: "
		"[1us, 2us], legs: 4, owner: null, kind: cat, meals: [0, 1ms]},\n  {name: Bo, born: 3us, "
		"legs: 100, owner: 9, kind: 12}, {name: Al}]\ntags: {a: 9007199254740993, b: -1}\n");
	assert_string_equal(r.said, "");
	const struct home *h = &r.home;
	assert_int_equal(h->rooms, INT64_MIN);
	assert_int_equal(h->form, 2);
	assert_int_equal(h->price, 1000);
	assert_int_equal(h->deposit, 10);
	assert_int_equal(h->pet_count, 3);
	assert_string_equal(h->pets[0].name, "Mia");
	assert_int_equal(h->pets[0].weight, 30);
	assert_int_equal(h->pets[0].born[0], 1000);
	assert_int_equal(h->pets[0].born[1], 2000);
	assert_int_equal(h->pets[0].owner, -2);
	assert_int_equal(h->pets[0].kind, 4);
	assert_int_equal(h->pets[0].meal_count, 2);
	assert_int_equal(h->pets[0].meals[1], 1000000);
	assert_int_equal(h->pets[1].born[0], 3000);
	assert_int_equal(h->pets[1].born[1], 3000);
	assert_int_equal(h->pets[1].legs, 100);
	assert_int_equal(h->pets[1].kind, 6);
	/* Missing values are the table's fallback, or what init() set. */
	assert_int_equal(h->pets[2].weight, 20);
	assert_int_equal(h->pets[2].kind, 5);
	assert_int_equal(h->pets[2].owner, 7);
	assert_null(h->pets[2].meals);
	/* More than a double can hold. */
	assert_int_equal(h->tag_count, 2);
	assert_string_equal(h->tags[0].key, "a");
	assert_int_equal(h->tags[0].value, INT64_C(9007199254740993));
	reading_finish(&r);
}

TEST("integers are whole and in range")
{
	assert_says(IN_PET "legs: 1", "f:5:11: error: 'legs' is 1; it must be 2 to 100\n");
	assert_says(IN_PET "legs: 101", "f:5:11: error: 'legs' is 101; it must be 2 to 100\n");
	assert_says(IN_PET "legs: 4x", "f:5:11: error: 'legs' wants a whole number, got \"4x\"\n");
	assert_says(IN_PET "legs: 4.5", "f:5:11: error: 'legs' wants a whole number, got \"4.5\"\n");
	assert_says(IN_PET "legs: 0x10", "f:5:11: error: 'legs' wants a whole number, got \"0x10\"\n");
	assert_says(IN_PET "legs: +4", "f:5:11: error: 'legs' wants a whole number, got \"+4\"\n");
	assert_says(IN_PET "legs: ' 4'", "f:5:11: error: 'legs' wants a whole number, got \" 4\"\n");
	assert_says(
		IN_PET "legs: -", "f:5:11: error: block sequence entries are not allowed in this context\n");
	assert_says(IN_PET "legs: 18446744073709551620",
		"f:5:11: error: 'legs' is 18446744073709551620; it must be 2 to 100\n");
	assert_says(IN_PET "legs: null", "f:5:11: error: 'legs' wants a whole number, got nothing\n");
	assert_says(IN_PET "legs:", "f:5:10: error: 'legs' wants a whole number, got nothing\n");
	assert_says(IN_PET "legs: [4]", "f:5:11: error: 'legs' wants a whole number, got a list\n");
	assert_says(IN_PET "owner: -1", "f:5:12: error: 'owner' is -1; it must be 0 to 9\n");
	assert_says("rent: 10\ndeposit: 10\nrooms: 9223372036854775808",
		"f:3:8: error: 'rooms' is 9223372036854775808; it must be -9223372036854775808 to "
		"9223372036854775807\n");
}

TEST("quantities have units and limits")
{
	assert_says(IN_PET "weight: 9", "f:5:13: error: 'weight' is 9B; it must be at least 10B\n");
	assert_says(IN_PET "weight: 1001", "f:5:13: error: 'weight' is 1.001kB; it must be at most 1kB\n");
	assert_says(IN_PET "weight: 20ms",
		"f:5:13: error: 'weight' wants a size such as 4096 or 4MiB, got \"20ms\"\n");
	assert_says(IN_PET "weight: {a: b}",
		"f:5:13: error: 'weight' wants a size such as 4096 or 4MiB, got a mapping\n");
	assert_says(
		IN_PET "weight: ''", "f:5:13: error: 'weight' wants a size such as 4096 or 4MiB, got \"\"\n");
	/* No time unit is set here. */
	assert_says(IN_PET "meals: [1]",
		"f:5:13: error: 'meals' wants a duration such as 250us or 1.5ms, got \"1\"; or set "
		"time_unit: ms, for all times of the file\n");
}

TEST("that bare numbers can have a unit is said once")
{
	assert_says(IN_PET "meals: [1, 2, x]",
		"f:5:13: error: 'meals' wants a duration such as 250us or 1.5ms, got \"1\"; or set "
		"time_unit: ms, for all times of the file\n"
		"f:5:16: error: 'meals' wants a duration such as 250us or 1.5ms, got \"2\"\n"
		"f:5:19: error: 'meals' wants a duration such as 250us or 1.5ms, got \"x\"\n");
}

TEST("intervals are best and worst")
{
	assert_says(IN_PET "born: [2us, 1us]",
		"f:5:11: error: 'born' is [2us, 1us]: the best is longer than the worst\n");
	assert_says(IN_PET "born: [1us]", "f:5:11: error: 'born' wants two values [best, worst], got 1\n");
	assert_says(IN_PET "born: []", "f:5:11: error: 'born' wants two values [best, worst], got 0\n");
	assert_says(IN_PET "born: [1, 2ms]",
		"f:5:12: error: 'born' wants a duration such as 250us or 1.5ms, got "
		"\"1\"; or set time_unit: ms, for all times of the file\n"
		"f:5:15: error: 'born' is 2ms; it must be at most 1ms\n");
	assert_says(IN_PET "born: {a: 1}", "f:5:11: error: 'born' wants a duration such as 250us or 1.5ms, "
					   "or [best, worst], got a mapping\n");
}

TEST("words are those of the table")
{
	assert_says(IN_PET "kind: cats", "f:5:11: error: 'kind' is \"cats\"; one of: cat, dog, 12\n");
	assert_says(IN_PET "kind: [cat]", "f:5:11: error: 'kind' is a list; one of: cat, dog, 12\n");
	assert_says("rent: 10\ndeposit: 10\npets: [{name: abcdefghi}]",
		"f:3:15: error: 'name' is 9 bytes long; at most 8\n");
	assert_says("rent: 10\ndeposit: 10\npets: [{name: \"a\\eb\"}]",
		"f:3:15: error: 'name' holds a control character\n");
	assert_says("rent: 10\ndeposit: 10\npets: [{name: }]",
		"f:3:15: error: 'name' wants a text, got nothing\n");
}

TEST("keys are known single and complete")
{
	assert_says(IN_PET "leg: 4\n    colour: red", "f:5:5: error: unknown key \"leg\"; did you mean "
						      "'legs'?\nf:6:5: error: unknown key \"colour\"\n");
	assert_says(IN_PET "legs: 4\n    name: y",
		"f:6:5: error: 'name' is given twice; the first is in line 4\n");
	assert_says("rent: 10\ndeposit: 10\npets: [{legs: 4}]", "f:3:8: error: 'name' is missing here\n");
	assert_says("rent: 10\ndeposit: 10\ntags: {a: 1, b: 2, a: 3, b: x}",
		"f:3:20: error: 'a' is given twice; the first is in line 3\nf:3:26: error: 'b' is given "
		"twice; the first is in line 3\n");
	assert_says("rent: 10\ndeposit: 10\ntags: {a: x, \"\": 2}",
		"f:3:11: error: 'a' wants a whole number, got \"x\"\nf:3:14: error: 'tags' wants a text, got "
		"\"\"\n");
}

TEST("selectors say what goes together")
{
	assert_says("rooms: 3", "f:1:1: error: rent or price is missing here\n");
	assert_says("rent: 10\nprice: 10\noil: 20",
		"f:2:1: error: 'rent' and 'price' do not go together; one of rent or price is wanted\n");
	assert_says("rent: 10", "f:1:1: error: 'deposit' is missing here; it goes with 'rent'\n");
	assert_says("price: 10\ndeposit: 10\ngas: 10",
		"f:2:1: error: 'deposit' goes with 'rent', not with 'price'\n");
	assert_says("price: 10", "f:1:1: error: gas or oil is missing here\n");
	assert_says("price: 10\ngas: 10\noil: 10",
		"f:3:1: error: 'gas' and 'oil' do not go together; one of gas or oil is wanted\n");
}

TEST("other things than wanted")
{
	assert_says("- a", "f:1:1: error: 'home' wants a mapping (key: value), got a list\n");
	assert_says("rent: 10\ndeposit: 10\npets: {}", "f:3:7: error: 'pets' wants a list, got a mapping\n");
	assert_says("rent: 10\ndeposit: 10\npets: [x]",
		"f:3:8: error: 'pets' wants a mapping (key: value), got \"x\"\n");
	assert_says("rent: 10\ndeposit: 10\ntags: [x]",
		"f:3:7: error: 'tags' wants a mapping (name: value), got a list\n");
	assert_says("rent: 10\ndeposit: 10\nrooms: [3]",
		"f:3:8: error: 'rooms' wants a size, or nothing else, got a list\n");
	assert_says("rent: 10\ndeposit: 10\nrooms:",
		"f:3:7: error: 'rooms' wants a size, or nothing else, got nothing\n");
	assert_says(IN_PET "meals: []", "f:5:12: error: 'meals' is empty\n");
	assert_says(IN_PET "meals: [0, 0, 0, 0]", "f:5:12: error: 'meals' has 4 entries; at most 3\n");
	assert_says(IN_PET "legs: 3", "f:5:11: error: three legs\n");
}

/* A check runs only if everything below it was correct. */
TEST("all errors are found at once")
{
	assert_says("rooms: x\npets:\n  - {name: a, legs: 3, kind: fish}\n  - {name: b, legs: 3}\nrent: 1\n",
		"f:1:1: error: 'deposit' is missing here; it goes with 'rent'\nf:1:8: error: 'rooms' wants a "
		"whole number, got \"x\"\nf:3:30: error: 'kind' is \"fish\"; one of: cat, dog, 12\nf:4:21: "
		"error: three legs\nf:5:7: error: 'rent' is 1B; it must be at least 10B\n");
}

/* ---- The document ---- */

TEST("places count characters")
{
	assert_says("rent: 10 # \xc3\xa4\r\ndeposit: 10\r\npets: [{name: \xc3\xa4\xe2\x82\xac, legs: z}]\r\n",
		"f:3:25: error: 'legs' wants a whole number, got \"z\"\n");
	struct reading r = reading("\xef\xbb\xbfrent: 10\ndeposit: 10\n");
	assert_true(r.ok);
	reading_finish(&r);
	/* A message quotes only whole characters. */
	char text[400] = "rent: 10\ndeposit: 10\nrooms: ";
	for (int i = 0; i < 40; i++)
		strcat(text, "\xe2\x82\xac");
	r = reading(text);
	assert_non_null(strstr(r.said, "\xe2\x82\xac\"...\n"));
	reading_finish(&r);
}

TEST("aliases stand where they are used")
{
	struct reading r = reading("rent: &ten 10\ndeposit: *ten\npets: [&mia {name: Mia, legs: 4}, *mia]\n");
	assert_true(r.ok);
	assert_int_equal(r.home.deposit, 10);
	assert_int_equal(r.home.pets[1].legs, 4);
	assert_ptr_not_equal(r.home.pets[1].name, r.home.pets[0].name);
	reading_finish(&r);
	assert_says("rent: &a 10\ndeposit: 10\ntags: {x: 1, y: *a, z: &b q, w: *b}",
		"f:3:24: error: 'z' wants a whole number, got \"q\"\nf:3:33: error: 'w' wants a whole "
		"number, got \"q\"\n");
	assert_says("rent: *x", "f:1:7: error: nothing before this place is named &x\n");
	assert_says("pets: &p [*p]", "f:1:11: error: *p stands inside of what it names\n");
	/* A later anchor of the same name replaces the earlier one. */
	r = reading("rent: &a 10\ndeposit: &a 20\nrooms: *a\n");
	assert_int_equal(r.home.rooms, 20);
	reading_finish(&r);
}

TEST("a flood of errors is cut")
{
	struct text t = {0};
	for (int i = 0; i < 5000; i++)
		text_printf(&t, "unknown%d: 1\n", i);
	struct reading r = reading(text_data(&t));
	assert_int_equal(r.diagnostics.count, DIAGNOSTICS_MAX);
	assert_int_equal(r.diagnostics.dropped, 5001 - DIAGNOSTICS_MAX);
	reading_finish(&r);
	text_finish(&t);
}

/* ---- The schema ---- */

TEST("schema says the same")
{
	struct text out = {0};
	schema_value(&out, &legs);
	assert_string_equal(text_data(&out), "{\"type\": \"integer\", \"minimum\": 2, \"maximum\": 100}");
	text_clear(&out);
	schema_value(&out, &owner);
	assert_string_equal(text_data(&out),
		"{\"anyOf\": [{\"type\": \"integer\", \"minimum\": 0, \"maximum\": 9}, {\"enum\": [null]}]}");
	text_clear(&out);
	schema_value(&out, &kind);
	assert_string_equal(text_data(&out), "{\"enum\": [\"cat\", \"dog\", 12]}");
	text_clear(&out);
	schema_value(&out, &tags);
	assert_string_equal(text_data(&out),
		"{\"type\": \"object\", \"additionalProperties\": {\"type\": \"integer\", "
		"\"minimum\": -9223372036854775808, \"maximum\": 9223372036854775807}}");
	text_clear(&out);
	schema_value(&out, &pet);
	assert_non_null(
		strstr(text_data(&out), "\"required\": [\"name\"], \"additionalProperties\": false}"));
	assert_non_null(strstr(
		text_data(&out), "\"kind\": {\"description\": \"Which.\", \"default\": \"dog\", \"enum\""));
	assert_non_null(
		strstr(text_data(&out), "\"weight\": {\"description\": \"On a scale.\", \"default\": 20, "));
	assert_non_null(strstr(text_data(&out), "\"born\": {\"description\": \"When. Default: today.\", "));
	text_clear(&out);
	schema_value(&out, &home);
	/* One object per selector, each with its own keys. */
	assert_non_null(
		strstr(text_data(&out), "\"required\": [\"rent\", \"deposit\"], \"additionalProperties\""));
	assert_non_null(
		strstr(text_data(&out), "\"required\": [\"price\"], \"oneOf\": [{\"required\": [\"gas\"]}, "
					"{\"required\": [\"oil\"]}], \"additionalProperties\""));
	assert_memory_equal(text_data(&out), "{\"oneOf\": [{\"type\": \"object\"", 28);
	assert_false(out.failed);
	text_finish(&out);
}

/* ---- Tables of options ---- */

static const struct option options[] = {
	{"order", OPTION_CHOICE, "head|release", 0, 0, "head", "Which first."},
	{"tries", OPTION_INTEGER, NULL, 1, 9, "3", "How often."},
	{"greedy", OPTION_BOOL, NULL, 0, 0, "true", "Takes all."},
	{"allocation", OPTION_LIST, NULL, 1, 8, "", "SMs of each task."},
	{"cap", OPTION_RATIO, NULL, 0, 1000000, "1", "At most."},
	{"shares", OPTION_RATIO_RANGE, NULL, 0, 1000000, "0.2..0.4", "Between."},
	{"slice", OPTION_DURATION, NULL, 1, 1000000000, "5ms", "At a time."},
	{"periods", OPTION_DURATION_RANGE, NULL, 1, 1000000000, "1ms..20ms", "Between."},
	{NULL},
};

/* Reads a mapping of options; times without a unit are in `ms`. */
static char *read_options(const char *text, struct params *params)
{
	struct arena arena = {0};
	struct diagnostics d;
	bool no_memory;
	size_t size;
	char *said;
	diagnostics_init(&d, "f");
	params_default(params, options);
	const struct node *root = document_parse(&arena, text, strlen(text), &d, &no_memory);
	struct binder b = {.diagnostics = &d, .arena = &arena, .time_unit = "ms"};
	assert_non_null(root);
	bool ok = options_read(&b, "policy 'x'", root, node_find(root, "name"), params);
	assert_int_equal(ok, d.count == 0);
	FILE *out = open_memstream(&said, &size);
	diagnostics_print(&d, out);
	fclose(out);
	diagnostics_finish(&d);
	arena_finish(&arena);
	return said;
}

TEST("options are read")
{
	struct params p;
	int64_t low, high, list[4];
	char *said = read_options(
		"{name: x, order: release, tries: 9, greedy: false, allocation: [2, 1, 8], cap: 50%, "
		"shares: [0.1, 0.5], slice: 2.5, periods: [3, 40ms]}",
		&p);
	assert_string_equal(said, "");
	free(said);
	assert_int_equal(params_choice(&p, "order"), 1);
	assert_int_equal(params_integer(&p, "tries"), 9);
	assert_false(params_bool(&p, "greedy"));
	assert_int_equal(params_list(&p, "allocation", list, 4), 3);
	assert_int_equal(list[2], 8);
	assert_int_equal(params_quantity(&p, "cap"), 500000);
	params_range(&p, "shares", &low, &high);
	assert_int_equal(low, 100000);
	assert_int_equal(high, 500000);
	assert_int_equal(params_quantity(&p, "slice"), 2500000);
	free(read_options("periods: [40us, 3]", &p));
	params_range(&p, "periods", &low, &high);
	assert_int_equal(low, 40000);
	assert_int_equal(high, 3000000);
}

TEST("wrong options are named")
{
	struct params p;
	char *said =
		read_options("name: x\nordr: head\ntries: 10\ncap: {a: 1}\nshares: [0.1]\nallocation: [[1]]\n"
			     "cap: 1\n",
			&p);
	assert_non_null(
		strstr(said, "f:2:1: error: policy 'x' has no option 'ordr'; did you mean 'order'?\n"));
	assert_non_null(strstr(said, "f:3:8: error: policy 'x': 'tries' "));
	assert_non_null(strstr(said, "f:4:6: error: 'cap' wants a value or a list, got a mapping\n"));
	assert_non_null(strstr(said, "f:5:9: error: 'shares' wants two values [least, most], got 1\n"));
	assert_non_null(strstr(said, "f:6:14: error: 'allocation' wants plain values\n"));
	assert_non_null(strstr(said, "f:7:1: error: 'cap' is given twice\n"));
	free(said);
}

TEST("options have a schema")
{
	struct text out = {0};
	options_schema(&out, options);
	assert_non_null(strstr(text_data(&out),
		", \"order\": {\"description\": \"Which first.\", \"enum\": [\"head\", \"release\"]}"));
	assert_non_null(strstr(text_data(&out), ", \"tries\": {\"description\": \"How often.\", \"type\": "
						"\"integer\", \"minimum\": 1, \"maximum\": 9}"));
	assert_non_null(strstr(
		text_data(&out), ", \"greedy\": {\"description\": \"Takes all.\", \"type\": \"boolean\"}"));
	assert_non_null(strstr(text_data(&out),
		", \"allocation\": {\"description\": \"SMs of each task.\", \"type\": \"array\""));
	assert_non_null(
		strstr(text_data(&out), ", \"periods\": {\"description\": \"Between.\", \"anyOf\": ["));
	text_clear(&out);
	options_schema(&out, NULL);
	assert_string_equal(text_data(&out), "");
	text_finish(&out);
}
