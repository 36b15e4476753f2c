/* tests/unit/test_script.c - texts and numbers come out of gnuplot unchanged. Scripts and figures are written
 * completely or not at all, even if gnuplot fails. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "report/script.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample.h"

static struct error err;

static char *read_all(const char *file)
{
	struct text all = {0};
	FILE *f = fopen(file, "r");
	if (!f)
		fail_msg("%s cannot be read", file);
	for (int c; (c = fgetc(f)) != EOF;)
		text_add_char(&all, (char)c);
	fclose(f);
	return text_take(&all);
}

static void assert_written(void (*write)(struct text *, const char *), const char *string, const char *should)
{
	struct text t = {0};
	write(&t, string);
	assert_string_equal(text_data(&t), should);
	text_finish(&t);
}

TEST("writes texts")
{
	assert_written(script_string, "plain", "\"plain\"");
	assert_written(script_string, "a_b^{c}@d&e~f", "\"a\\\\_b\\\\^\\\\{c\\\\}\\\\@d\\\\&e\\\\~f\"");
	assert_written(script_string, "\"\\", "\"\\\"\\\\\\\\\"");
	assert_written(script_string, "50%\nx\ty", "\"50%\\nx y\"");
	assert_written(script_tic, "50%", "\"50%%\"");
}

static void assert_number(double value, const char *should)
{
	struct text t = {0};
	script_number(&t, value);
	assert_string_equal(text_data(&t), should);
	assert_true(!isfinite(value) || strtod(text_data(&t), NULL) == value);
	text_finish(&t);
}

TEST("writes numbers")
{
	assert_number(0, "0");
	assert_number(-2.5, "-2.5");
	assert_number(0.1 + 0.2, "0.30000000000000004");
	assert_number(1e300, "1e+300");
	assert_number(NAN, "NaN");
	assert_number(-INFINITY, "NaN");
}

TEST("knows formats")
{
	enum script_format format;
	assert_true(script_format_find("a.b/x.svg", &format, &err) && format == SCRIPT_SVG);
	assert_true(script_format_find("x.pdf", &format, &err) && format == SCRIPT_PDF);
	assert_true(script_format_find(".png", &format, &err) && format == SCRIPT_PNG);
	assert_false(script_format_find("x.svg.gz", &format, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_string_equal(err.text, "x.svg.gz: a figure's name ends in .svg, .pdf or .png");
	assert_false(script_format_find("svg", &format, &err));
}

/* ---- drawn by gnuplot ---- */

static const char body[] = "set xrange [0:1]\nset yrange [0:1]\nplot x lt 1\n";

static struct script small(enum script_format format)
{
	return (struct script){.title = "a\ntest", .body = body, .width = 2, .height = 1, .format = format};
}

/* The texts of an SVG file without tags and entities, one per line. */
static void svg_texts(const char *svg, struct text *texts)
{
	static const char *const entities[][2] = {
		{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}};
	while ((svg = strstr(svg, "<text"))) {
		const char *end = strstr(svg, "</text>");
		assert_non_null(end);
		for (bool tag = false; svg < end; svg++) {
			size_t k = 0;
			while (k < 4 && strncmp(svg, entities[k][0], strlen(entities[k][0])) != 0)
				k++;
			tag |= *svg == '<';
			if (!tag && k < 4)
				text_add(texts, entities[k][1]);
			else if (!tag && *svg != '\n')
				text_add_char(texts, *svg);
			tag = tag && *svg != '>';
			svg += !tag && k < 4 ? strlen(entities[k][0]) - 1 : 0;
		}
		text_add_char(texts, '\n');
	}
}

/* Every difficult character, as a label and at an axis. */
TEST("gnuplot gives texts back")
{
	static const char *const texts[] = {"it's \"quoted\"", "a_b_c^2{x}", "100% of %g %%",
		"back\\slash \\n \\\\", "\u00b5s \u2264 \u00e9\u4e2d", "a<b & c>d", "~@#$`false`!|;[]()*",
		"[10] admit=any", "$(false) ${HOME}"};
	struct text script = {0}, found = {0}, line = {0};
	text_add(&script, "set xrange [0:9]\nset yrange [0:9]\n");
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		text_printf(&script, "set label %zu ", i + 1);
		script_string(&script, texts[i]);
		text_printf(&script, " at 1,%zu\nset ytics %s (", i, i ? "add" : "");
		script_tic(&script, texts[i]);
		text_printf(&script, " %zu)\n", i);
	}
	text_add(&script, "plot NaN\n");
	struct script s = small(SCRIPT_SVG);
	s.body = text_data(&script);
	s.width = s.height = 5;
	char *output = strdup(sample_path("it's\na \"`false`\" \\ 100%.svg"));
	if (!script_draw(&s, output, false, &err))
		fail_msg("%s", err.text);
	char *svg = read_all(output);
	svg_texts(svg, &found);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		text_clear(&line);
		text_printf(&line, "%s\n", texts[i]);
		const char *one = strstr(text_data(&found), text_data(&line));
		if (!one || !strstr(one + 1, text_data(&line)))
			fail_msg("%s is not there twice: %s", texts[i], text_data(&found));
	}
	free(svg);
	free(output);
	text_finish(&script);
	text_finish(&found);
	text_finish(&line);
}

TEST("draws every format")
{
	static const char *const names[] = {"x.svg", "x.pdf", "x.png"}, *const begins[] = {
										"<?xml", "%PDF-", "\x89PNG"};
	for (int format = SCRIPT_SVG; format <= SCRIPT_PNG; format++) {
		struct script s = small((enum script_format)format);
		char *output = strdup(sample_path(names[format]));
		if (!script_draw(&s, output, false, &err))
			fail_msg("%s", err.text);
		assert_false(script_draw(&s, output, false, &err));
		assert_int_equal(err.status, STATUS_INPUT);
		assert_true(script_draw(&s, output, true, &err));
		char *file = read_all(output);
		assert_memory_equal(file, begins[format], strlen(begins[format]));
		free(file);
		free(output);
	}
}

/* Draws, waits until the clock shows another second, and draws again. */
static void assert_same_twice(enum script_format format, const char *name)
{
	struct script s = small(format);
	char *output = strdup(sample_path(name)), *drawn[2];
	size_t length[2];
	for (int i = 0; i < 2; i++) {
		time_t begin = time(NULL);
		if (!script_draw(&s, output, true, &err))
			fail_msg("%s", err.text);
		FILE *f = fopen(output, "r");
		assert_non_null(f);
		drawn[i] = calloc(1, 1 << 20);
		assert_non_null(drawn[i]);
		length[i] = fread(drawn[i], 1, 1 << 20, f);
		fclose(f);
		while (i == 0 && time(NULL) == begin)
			usleep(20000);
	}
	assert_int_equal(length[0], length[1]);
	assert_memory_equal(drawn[0], drawn[1], length[0]);
	assert_null(memmem(drawn[0], length[0], "CreationDate", 12));
	free(drawn[0]);
	free(drawn[1]);
	free(output);
}

TEST("the same figure is the same file, at any time")
{
	assert_same_twice(SCRIPT_SVG, "twice.svg");
	assert_same_twice(SCRIPT_PDF, "twice.pdf");
	assert_same_twice(SCRIPT_PNG, "twice.png");
}

/* ---- when it fails ---- */

/* A folder with a one-line program named gnuplot; PATH has only this folder. NULL: no program. */
static void put_gnuplot(const char *name, const char *line)
{
	char folder[512], path[600];
	snprintf(folder, sizeof(folder), "%s", sample_path(name));
	assert_int_equal(mkdir(folder, 0700), 0);
	snprintf(path, sizeof(path), "%s/gnuplot", folder);
	if (line) {
		FILE *f = fopen(path, "w");
		assert_non_null(f);
		fprintf(f, "#!/bin/sh\n%s\n", line);
		fclose(f);
		assert_int_equal(chmod(path, 0700), 0);
	}
	setenv("PATH", folder, 1);
}

static void assert_fails(const char *folder, const char *gnuplot, enum status status, const char *text)
{
	struct script s = small(SCRIPT_SVG);
	char *before = strdup(getenv("PATH")), *output = strdup(sample_path("fails.svg")), part[600];
	put_gnuplot(folder, gnuplot);
	assert_false(script_draw(&s, output, true, &err));
	assert_int_equal(err.status, status);
	if (!strstr(err.text, text))
		fail_msg("%s", err.text);
	snprintf(part, sizeof(part), "%s.part", output);
	assert_int_not_equal(access(part, F_OK), 0);
	assert_int_not_equal(access(output, F_OK), 0);
	setenv("PATH", before, 1);
	free(before);
	free(output);
}

TEST("says what failed")
{
	assert_fails("none", NULL, STATUS_IO, "there is no gnuplot here; it is Debian's package gnuplot-nox");
	assert_fails("bad", "echo 'line 3: no such thing' >&2; exit 1", STATUS_IO,
		"gnuplot could not draw the figure: line 3: no such thing");
	assert_fails("killed", "kill -9 $$", STATUS_IO, "gnuplot was ended by signal 9");
	assert_fails("late", "kill -ALRM $$", STATUS_IO, "gnuplot took longer than 300 s");
	assert_fails("limited",
		"PATH=/usr/bin:/usr/local/bin; exec python3 -c 'import signal; exit(not 200 < "
		"signal.alarm(0) <= 300)'",
		STATUS_IO, "is not complete; is the disk full?");
	assert_fails("nothing", "exit 0", STATUS_IO, "is not complete; is the disk full?");
	struct script s = small(SCRIPT_SVG);
	assert_false(script_draw(&s, "/nowhere/x.svg", false, &err));
	assert_int_equal(err.status, STATUS_IO);
	s.body = "plot nothing_of_that_name lt 1\n";
	assert_false(script_draw(&s, sample_path("wrong.svg"), false, &err));
	assert_int_equal(err.status, STATUS_IO);
	assert_non_null(strstr(err.text, "undefined variable"));
	assert_int_not_equal(access(sample_path("wrong.svg"), F_OK), 0);
}

TEST("saves scripts")
{
	struct script s = small(SCRIPT_SVG);
	char *file = strdup(sample_path("x.gp"));
	assert_true(script_save(&s, "it's.svg", file, false, &err));
	char *text = read_all(file);
	assert_non_null(strstr(text, "# a test\n"));
	assert_non_null(strstr(text, "set terminal svg size 192,96 "));
	assert_non_null(strstr(text, "set output 'it''s.svg'\n"));
	assert_non_null(strstr(text, body));
	free(text);
	assert_false(script_save(&s, "x.svg", file, false, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_true(script_save(&s, "x.svg", file, true, &err));
	assert_false(script_save(&s, "x.svg", "/dev/full/x.gp", true, &err));
	assert_int_equal(err.status, STATUS_IO);
	free(file);
}

static int clean(void **state)
{
	sample_clean();
	return 0;
}

ALL_TESTS(NULL, clean);
