/* tests/unit/test_page.c - the form of the viewer's page: base64, where the template is cut, the pieces of
 * the database, and texts that must not end their element. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "report/page/meta.h"
#include "report/page/page.h"
#include "tests/support/test.h"

static struct error err;

static const char before[] = "<script type=\"text/plain\" class=\"cegsim-data\">";

static void assert_base64(const char *bytes, size_t count, const char *should)
{
	char text[64];
	size_t length = page_base64((const unsigned char *)bytes, count, text);
	text[length] = '\0';
	assert_string_equal(text, should);
}

/* RFC 4648, section 10. */
TEST("base64")
{
	assert_base64("", 0, "");
	assert_base64("f", 1, "Zg==");
	assert_base64("fo", 2, "Zm8=");
	assert_base64("foo", 3, "Zm9v");
	assert_base64("foob", 4, "Zm9vYg==");
	assert_base64("fooba", 5, "Zm9vYmE=");
	assert_base64("foobar", 6, "Zm9vYmFy");
	assert_base64("\xff\xef\xbe\xfb\xf0\x00", 6,
		"/+++"
		"+/AA");
	assert_base64("\x00\x10\x83\x10\x51\x87\x20\x92\x8b", 9, "ABCDEFGHIJKL");
}

static size_t count_of(const char *text, size_t length, const char *what)
{
	size_t found = 0, size = strlen(what);
	for (size_t i = 0; i + size <= length; i++)
		found += memcmp(text + i, what, size) == 0;
	return found;
}

TEST("the template has each marker once on a line")
{
	struct page_template t = page_template();
	assert_int_equal(count_of(t.start, t.length, PAGE_META), 1);
	assert_int_equal(count_of(t.start, t.length, PAGE_DATA), 1);
	assert_int_equal(count_of(t.start, t.length, "\n" PAGE_META "\n"), 1);
	assert_int_equal(count_of(t.start, t.length, "\n" PAGE_DATA "\n"), 1);
}

TEST("safe texts")
{
	struct text t = {0};
	page_add_safe(&t, "[\"</script>\", \"<!--<script>\", \"a < b\", \"<\", \"<</\"]");
	assert_string_equal(
		text_data(&t), "[\"<\\/script>\", \"<\\u0021--<script>\", \"a < b\", \"<\", \"<<\\/\"]");
	text_finish(&t);
}

/* ---- the whole page ---- */

/* A file of `size` bytes that zlib cannot compress (`noise`), or compresses to nearly nothing. */
static FILE *database(size_t size, bool noise)
{
	FILE *f = tmpfile();
	uint64_t seed = 7;
	assert_non_null(f);
	for (size_t i = 0; i < size; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		assert_true(putc(noise ? (int)(seed >> 56) : 'x', f) != EOF);
	}
	assert_int_equal(fflush(f), 0);
	return f;
}

static double fractions[64];
static size_t fraction_count;
static size_t stop_after = SIZE_MAX;

static bool on_fraction(void *self, double fraction)
{
	assert_ptr_equal(self, fractions);
	if (fraction_count < 64)
		fractions[fraction_count] = fraction;
	return ++fraction_count < stop_after;
}

/* NULL: the page could not be made. The caller frees it. */
static char *page(const char *template, FILE *data, size_t *length)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, length);
	const struct page p = {
		{template, strlen(template)}, "{\"a\":1}", fileno(data), on_fraction, fractions};
	assert_non_null(out);
	fraction_count = 0;
	bool made = page_write(&p, out, &err);
	assert_int_equal(fclose(out), 0);
	if (made)
		return text;
	free(text);
	return NULL;
}

static unsigned value_of(char c)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = strchr(letters, c);
	assert_true(at && c);
	return (unsigned)(at - letters);
}

/* Decodes one element to `to`, which must be possible without the others; returns the number of bytes. */
static size_t decode(const char *at, size_t length, unsigned char *to)
{
	size_t count = 0;
	assert_int_equal(length % 4, 0);
	for (size_t i = 0; i < length; i += 4) {
		size_t pads = at[i + 3] != '=' ? 0 : at[i + 2] != '=' ? 1 : 2;
		assert_true(pads == 0 || i + 4 == length);
		unsigned word = value_of(at[i]) << 18 | value_of(at[i + 1]) << 12 |
				(pads < 2 ? value_of(at[i + 2]) << 6 : 0) |
				(pads < 1 ? value_of(at[i + 3]) : 0);
		to[count++] = (unsigned char)(word >> 16);
		if (pads < 2)
			to[count++] = (unsigned char)(word >> 8);
		if (pads < 1)
			to[count++] = (unsigned char)word;
	}
	return count;
}

/* Unpacks a stream and compares with the file. */
static void assert_stream(unsigned char *stream, size_t length, FILE *data, size_t size)
{
	unsigned char *is = malloc(size + 1), *should = malloc(size + 1);
	z_stream z = {
		.next_in = stream,
		.avail_in = (unsigned)length,
		.next_out = is,
		.avail_out = (unsigned)size + 1,
	};
	assert_true(is && should);
	assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	assert_int_equal(z.total_out, size);
	assert_int_equal(z.avail_in, 0);
	inflateEnd(&z);
	assert_int_equal(pread(fileno(data), should, size, 0), size);
	assert_memory_equal(is, should, size);
	free(is);
	free(should);
}

/* Returns the number of elements. */
static size_t check_pages_data(const char *text, size_t length, FILE *data, size_t size)
{
	unsigned char *stream = malloc(length + 1);
	size_t elements = 0, filled = 0, last = PAGE_PIECE;
	assert_non_null(stream);
	for (const char *line = strchr(text, '\n'); line; line = strchr(line, '\n')) {
		if (strncmp(++line, before, strlen(before)) != 0)
			continue;
		const char *start = line + strlen(before), *end = strchr(start, '<');
		assert_int_equal(strncmp(end, "</script>\n", 10), 0);
		assert_int_equal(last, PAGE_PIECE); /* only the last one is shorter */
		last = decode(start, (size_t)(end - start), stream + filled);
		filled += last;
		elements++;
	}
	assert_true(last > 0);
	assert_memory_equal(stream, "\x1f\x8b\x08\x00\x00\x00\x00\x00", 8); /* no name, no time */
	assert_stream(stream, filled, data, size);
	free(stream);
	return elements;
}

static const char template[] = "<p>\n" PAGE_META "\nbetween " PAGE_META "\n" PAGE_DATA "\n</p>";

TEST("pieces")
{
	static const struct {
		size_t size, elements;
		bool noise;
	} cases[] = {{0, 1, false}, {1, 1, true}, {5000000, 1, false}, {700000, 1, true}, {2000000, 3, true}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		FILE *data = database(cases[i].size, cases[i].noise);
		size_t length;
		char *text = page(template, data, &length);
		assert_non_null(text);
		assert_int_equal(check_pages_data(text, length, data, cases[i].size), cases[i].elements);
		static const char head[] =
			"<p>\n<script type=\"application/json\" id=\"cegsim-meta\">{\"a\":1}</script>\n"
			"between " PAGE_META "\n<script type=\"text/plain\"";
		assert_int_equal(strncmp(text, head, strlen(head)), 0);
		assert_string_equal(text + length - 14, "</script>\n</p>");
		free(text);
		fclose(data);
	}
}

TEST("progress and stopping")
{
	size_t length;
	FILE *data = database(1000000, true);
	char *text = page(template, data, &length);
	assert_non_null(text);
	free(text);
	assert_true(fraction_count > 1);
	for (size_t i = 1; i < fraction_count; i++)
		assert_true(fractions[i] > fractions[i - 1]);
	assert_true(fractions[fraction_count - 1] >= 1 && fractions[fraction_count - 1] <= 1);
	stop_after = 2;
	assert_null(page(template, data, &length));
	assert_int_equal(err.status, STATUS_INTERRUPTED);
	stop_after = SIZE_MAX;
	fclose(data);
}

TEST("a full disk")
{
	FILE *data = database(1000000, true), *full = fopen("/dev/full", "w");
	const struct page p = {{template, strlen(template)}, "{}", fileno(data), NULL, NULL};
	assert_non_null(full);
	assert_false(page_write(&p, full, &err));
	assert_int_equal(err.status, STATUS_IO);
	assert_non_null(strstr(err.text, "No space left"));
	fclose(full);
	fclose(data);
}

TEST("what was measured is spoken of where there is some")
{
	static const int64_t some[EXTRACT_TABLES] = {[EXTRACT_MEASURED] = 7},
			     kept[EXTRACT_TABLES] = {[EXTRACT_MEASURED] = 3}, none[EXTRACT_TABLES];
	const struct view_meta with = {"t", NULL, 1, some, kept, NULL, 0},
			       without = {"t", NULL, 1, none, none, NULL, 0};
	struct text t = {0};
	view_meta_add(&t, &with);
	assert_non_null(strstr(text_data(&t), "\"kept\":0},\"measured\":{\"rows\":7,\"kept\":3}},"));
	text_clear(&t);
	view_meta_add(&t, &without);
	assert_null(strstr(text_data(&t), "\"measured\":{\"rows\""));
	text_finish(&t);
}

TEST("what a page says about itself")
{
	static const int64_t rows[EXTRACT_TABLES] = {1, 2, 3, 4, 5, 6},
			     kept[EXTRACT_TABLES] = {1, 2, 2, 4, 5, 6};
	static const struct view_window window = {7, EXTRACT_BLOCK, {10, INT64_MAX}};
	const struct view_meta meta = {"a \"b\" </script>\x80", NULL, 4096, rows, kept, &window, 1};
	static const char should[] =
		"{\"format\":1,\"title\":\"a \\\"b\\\" <\\/script>\xef\xbf\xbd\","
		"\"tool\":\"" CEGSIM_VERSION "\",\"interrupted\":null,\"recording_bytes\":4096,"
		"\"tables\":{\"job\":{\"rows\":1,\"kept\":1},"
		"\"segment_interval\":{\"rows\":2,\"kept\":2},\"block_interval\":{\"rows\":3,\"kept\":2},"
		"\"power_interval\":{\"rows\":4,\"kept\":4},\"decision\":{\"rows\":5,\"kept\":5},"
		"\"warp_issue\":{\"rows\":6,\"kept\":6}},\"windows\":[\n"
		"{\"run\":7,\"table\":\"block_interval\","
		"\"from_ns\":10,\"to_ns\":9223372036854775807}],\"queries\":[\n"
		"{\"name\":\"overview\",\"title\":";
	struct text t = {0};
	view_meta_add(&t, &meta);
	assert_true(text_ok(&t, "", &err));
	assert_int_equal(strncmp(text_data(&t), should, strlen(should)), 0);
	assert_null(strstr(text_data(&t), "</"));
	assert_non_null(strstr(text_data(&t), "{\"name\":\"limit\",\"fallback\":\"1000\",\"help\":"));
	assert_non_null(strstr(text_data(&t), "{\"name\":\"run\",\"fallback\":null,\"help\":"));
	assert_non_null(strstr(text_data(&t), "\"sql\":\"SELECT run_id, policy"));
	text_finish(&t);
}
