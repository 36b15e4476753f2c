/* tests/unit/test_protobuf.c - compares report/trace/protobuf.c with bytes that were worked out by hand from
 * the description of the wire format. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/trace/protobuf.h"
#include "tests/support/test.h"

static struct error err;

static void is(struct protobuf *m, const char *hex)
{
	char got[512] = "";
	assert_true(protobuf_ok(m, "a test", &err));
	assert_true(2 * m->length < sizeof(got));
	for (size_t i = 0; i < m->length; i++)
		snprintf(got + 2 * i, 3, "%02x", m->data[i]);
	assert_string_equal(got, hex);
	protobuf_clear(m);
}

TEST("numbers")
{
	struct protobuf m = {0};
	is(&m, "");
	protobuf_uint(&m, 1, 0);
	is(&m, "0800");
	protobuf_uint(&m, 1, 127);
	is(&m, "087f");
	protobuf_uint(&m, 1, 128);
	is(&m, "088001");
	protobuf_uint(&m, 1, 150);
	is(&m, "089601");
	protobuf_uint(&m, 15, UINT64_MAX);
	is(&m, "78ffffffffffffffffff01");
	protobuf_int(&m, 2, 1);
	is(&m, "1001");
	protobuf_int(&m, 2, -1);
	is(&m, "10ffffffffffffffffff01");
	protobuf_int(&m, 2, INT64_MIN);
	is(&m, "1080808080808080808001");
	protobuf_finish(&m);
}

TEST("keys")
{
	struct protobuf m = {0};
	protobuf_uint(&m, 16, 1); /* the first key that needs two bytes */
	is(&m, "800101");
	protobuf_uint(&m, 60, 1);
	is(&m, "e00301");
	protobuf_uint(&m, ((uint32_t)1 << 29) - 1, 1);
	is(&m, "f8ffffff0f01");
	protobuf_finish(&m);
}

TEST("fixed width")
{
	struct protobuf m = {0};
	protobuf_fixed64(&m, 47, 0x0123456789abcdef);
	is(&m, "f902efcdab8967452301");
	protobuf_double(&m, 44, 1.0);
	is(&m, "e102000000000000f03f");
	protobuf_double(&m, 5, -2.5);
	is(&m, "2900000000000004c0");
	protobuf_finish(&m);
}

TEST("strings")
{
	struct protobuf m = {0};
	protobuf_string(&m, 2, "testing");
	is(&m, "120774657374696e67");
	protobuf_string(&m, 2, "");
	is(&m, "1200");
	protobuf_string(&m, 2, "\xc3\xa9");
	is(&m, "1202c3a9");
	protobuf_finish(&m);
}

TEST("nested")
{
	struct protobuf m = {0};
	size_t outer = protobuf_open(&m, 3);
	protobuf_uint(&m, 1, 150);
	protobuf_close(&m, outer);
	is(&m, "1a03089601");
	outer = protobuf_open(&m, 1);
	size_t inner = protobuf_open(&m, 12);
	protobuf_close(&m, inner);
	protobuf_uint(&m, 8, 5);
	inner = protobuf_open(&m, 11);
	protobuf_uint(&m, 9, 1);
	protobuf_close(&m, inner);
	protobuf_close(&m, outer);
	protobuf_uint(&m, 2, 7);
	is(&m, "0a08620040055a0248011007");
	protobuf_finish(&m);
}

/* A field of `length` bytes in a message within a message: at some length, each of the lengths needs one more
 * byte. */
TEST("long messages move up")
{
	static const struct {
		size_t length, total;
	} cases[] = {
		{0, 6},
		{121, 127},
		{122, 128},
		{123, 129},
		{124, 131},
		{125, 132},
		{126, 134},
		{127, 135},
		{128, 137},
		{16375, 16384},
		{16376, 16385},
		{16379, 16389},
		{16384, 16396},
		{2097152, 2097167},
	};
	struct protobuf m = {0};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = malloc(cases[i].length + 1);
		assert_non_null(text);
		memset(text, 'x', cases[i].length);
		text[cases[i].length] = '\0';
		size_t outer = protobuf_open(&m, 1), inner = protobuf_open(&m, 2);
		protobuf_string(&m, 3, text);
		protobuf_close(&m, inner);
		protobuf_close(&m, outer);
		assert_true(protobuf_ok(&m, "a test", &err));
		if (m.length != cases[i].total)
			fail_msg("%zu bytes take %zu", cases[i].length, m.length);
		/* Reads it back: every length must reach exactly to the end. */
		size_t at = 0;
		for (unsigned field = 1; field <= 3; field++) {
			size_t length = 0, shift = 0;
			assert_int_equal(m.data[at++], field << 3 | 2);
			do {
				length |= (size_t)(m.data[at] & 0x7f) << shift;
				shift += 7;
			} while (m.data[at++] & 0x80);
			assert_int_equal(length, m.length - at);
		}
		assert_memory_equal(m.data + at, text, cases[i].length);
		protobuf_clear(&m);
		free(text);
	}
	protobuf_finish(&m);
}

TEST("nothing is added after a failure")
{
	struct protobuf m = {.failed = true};
	size_t opened = protobuf_open(&m, 1);
	protobuf_uint(&m, 1, 1);
	protobuf_fixed64(&m, 1, 1);
	protobuf_string(&m, 1, "x");
	protobuf_close(&m, opened);
	assert_int_equal(m.length, 0);
	assert_false(protobuf_ok(&m, "a test", &err));
	assert_int_equal(err.status, STATUS_IO);
	assert_string_equal(err.text, "out of memory for a test");
	protobuf_clear(&m);
	protobuf_uint(&m, 1, 1);
	is(&m, "0801");
	protobuf_finish(&m);
}
