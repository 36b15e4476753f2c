/* report/script.c - writes the beginning of every gnuplot script, and has them drawn. */
#include "report/script.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "report/gnuplot.h"

#define DATE_REACH 16384 /* bytes at the end of a PDF that contain its date */

const char *script_colour(size_t index)
{
	static const char *const colours[SCRIPT_COLOURS] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
		"#000000", "#e69f00", "#56b4e9", "#aa3377", "#332288", "#005533", "#9600ff", "#9cc06c",
		"#480048"};
	return colours[index % SCRIPT_COLOURS];
}

bool script_format_find(const char *file, enum script_format *format, struct error *err)
{
	static const char *const endings[] = {
		[SCRIPT_SVG] = ".svg", [SCRIPT_PDF] = ".pdf", [SCRIPT_PNG] = ".png"};
	const char *ending = strrchr(file, '.');
	for (size_t i = 0; ending && i < sizeof(endings) / sizeof(endings[0]); i++)
		if (strcmp(ending, endings[i]) == 0) {
			*format = (enum script_format)i;
			return true;
		}
	return error_set(err, STATUS_INPUT, "%s: a figure's name ends in .svg, .pdf or .png", file);
}

/* Escapes a character twice: for markup, and for the string itself. A backquote would run a command. */
static void add_escaped(struct text *script, char c, bool tic)
{
	if (c == '"')
		text_add(script, "\\\"");
	else if (c == '\\')
		text_add(script, "\\\\\\\\");
	else if (c == '`')
		text_add(script, "\\140");
	else if (strchr("_^{}@&~", c))
		text_printf(script, "\\\\%c", c);
	else if (c == '%' && tic)
		text_add(script, "%%");
	else if (c == '\n')
		text_add(script, "\\n");
	else if ((unsigned char)c < ' ' || c == 0x7f)
		text_add_char(script, ' ');
	else
		text_add_char(script, c);
}

void script_string(struct text *script, const char *string)
{
	text_add_char(script, '"');
	for (; *string; string++)
		add_escaped(script, *string, false);
	text_add_char(script, '"');
}

void script_tic(struct text *script, const char *string)
{
	text_add_char(script, '"');
	for (; *string; string++)
		add_escaped(script, *string, true);
	text_add_char(script, '"');
}

void script_sized(struct text *script, double size, const char *string)
{
	text_printf(script, "'{/*%.2g '.", size);
	script_string(script, string);
	text_add(script, ".'}'");
}

void script_number(struct text *script, double value)
{
	char number[40];
	if (!isfinite(value)) {
		text_add(script, "NaN");
		return;
	}
	for (int digits = 6; digits <= 17; digits++) {
		snprintf(number, sizeof(number), "%.*g", digits, value);
		if (strtod(number, NULL) == value)
			break;
	}
	text_add(script, number);
}

/* The name of a file in single quotes. There only the quote itself is special, and is doubled; but a line
 * feed would end the string. */
static void add_file_name(struct text *script, const char *name)
{
	bool lines = strchr(name, '\n');
	text_add_char(script, lines ? '"' : '\'');
	for (; *name; name++)
		if (lines && (*name == '\n' || *name == '"' || *name == '\\' || *name == '`'))
			text_printf(script, "\\%03o", (unsigned)*name);
		else
			text_add(script, !lines && *name == '\'' ? "''" : (const char[]){*name, '\0'});
	text_add_char(script, lines ? '"' : '\'');
}

void script_in_line(struct text *script, const char *string)
{
	for (; *string; string++)
		text_add_char(script, (unsigned char)*string < ' ' ? ' ' : *string);
}

/* Sizes are inches on paper. A pixel of SVG is 1/96 inch; PNG has pixels of a third of that, for print. */
static void add_terminal(struct text *script, enum script_format format, double width, double height)
{
	switch (format) {
	case SCRIPT_SVG:
		text_printf(script,
			"set terminal svg size %.0f,%.0f font 'DejaVu Sans,11' linewidth 1.2 "
			"background '#ffffff' enhanced\n",
			width * 96, height * 96);
		break;
	case SCRIPT_PDF:
		text_printf(script,
			"set terminal pdfcairo size %.3fin,%.3fin font 'DejaVu Sans,8.25' fontscale 0.75 "
			"linewidth 1.6 dashlength 0.7 enhanced\n",
			width, height);
		break;
	case SCRIPT_PNG:
		text_printf(script,
			"set terminal pngcairo size %.0f,%.0f font 'DejaVu Sans,8.25' fontscale 3 "
			"linewidth 3 dashlength 0.7 pointscale 3 background '#ffffff' enhanced\n",
			width * 288, height * 288);
		break;
	case SCRIPT_LETTERS:
		text_printf(script, "set terminal dumb size %.0f,%.0f enhanced\n",
			width / SCRIPT_LETTER_WIDTH, height / SCRIPT_LETTER_HEIGHT);
		break;
	}
}

static void add_prelude(struct text *script)
{
	text_add(script, "set encoding utf8\n"
			 "set border 3 lc rgb '#444444' lw 0.6\n"
			 "set tics nomirror scale 0.4 textcolor rgb '#222222'\n"
			 "set grid x y lt -1 lc rgb '#e4e4e4' lw 0.5\n"
			 "set style fill solid 1.0 noborder\n"
			 "unset key\n");
}

/* Writes the whole script. It draws into `output`; NULL: standard output. */
static void compose(const struct script *s, const char *output, struct text *to)
{
	text_add(to, "#!/usr/bin/env gnuplot\n# ");
	script_in_line(to, s->title);
	text_add(to, "\n# Run it with gnuplot to draw the figure again.\n");
	add_terminal(to, s->format, s->width, s->height);
	if (output) {
		text_add(to, "set output ");
		add_file_name(to, output);
		text_add_char(to, '\n');
	}
	add_prelude(to);
	text_add(to, s->body);
	text_add(to, "unset output\n");
}

bool script_save(
	const struct script *s, const char *output, const char *file, bool replace, struct error *err)
{
	struct text text = {0};
	struct output out;
	compose(s, output, &text);
	bool ok = text_ok(&text, "writing a script", err) && output_begin(&out, file, replace, err);
	if (ok) {
		fwrite(text_data(&text), 1, text.length, out.file);
		ok = output_commit(&out, err);
	}
	text_finish(&text);
	return ok;
}

/* Both files have no name and vanish when they are closed. */
static bool draw_through(const struct text *script, FILE *input, FILE *words, struct error *err)
{
	if (!input || !words)
		return error_set(err, STATUS_IO, "cannot make a temporary file: %s", strerror(errno));
	if (fwrite(text_data(script), 1, script->length, input) != script->length || fflush(input) != 0)
		return error_set(err, STATUS_IO, "cannot write a temporary file: %s", strerror(errno));
	rewind(input);
	return gnuplot_run(input, words, err);
}

static bool draw(const struct script *s, const char *output, struct error *err)
{
	struct text text = {0};
	compose(s, output, &text);
	FILE *input = tmpfile(), *words = tmpfile();
	bool ok = text_ok(&text, "drawing a figure", err) && draw_through(&text, input, words, err);
	if (input)
		fclose(input);
	if (words)
		fclose(words);
	text_finish(&text);
	return ok;
}

bool script_print(const struct script *s, struct error *err)
{
	return draw(s, NULL, err);
}

/* gnuplot does not notice a full disk: checks whether the file ends as its format demands. */
static bool is_complete(const char *file, enum script_format format, struct error *err)
{
	static const char *const ends[] = {
		[SCRIPT_SVG] = "</svg>", [SCRIPT_PDF] = "%%EOF", [SCRIPT_PNG] = "IEND"};
	char end[16];
	FILE *f = fopen(file, "re");
	bool complete = f && fseek(f, -(long)sizeof(end), SEEK_END) == 0 &&
			fread(end, 1, sizeof(end), f) == sizeof(end) &&
			memmem(end, sizeof(end), ends[format], strlen(ends[format]));
	if (f)
		fclose(f);
	return complete || error_set(err, STATUS_IO, "%s is not complete; is the disk full?", file);
}

/* Blanks out the time at which a PDF was made, so that the same figure is the same file. Its length stays, so
 * the places of objects that the file lists do, too. cairo writes it near the end, in plain letters. */
static bool drop_date(const char *file, struct error *err)
{
	static const char key[] = "/CreationDate (";
	char end[DATE_REACH], blanks[DATE_REACH];
	FILE *f = fopen(file, "r+e");
	bool ok = f && fseek(f, 0, SEEK_END) == 0;
	long size = ok ? ftell(f) : 0, from = size > (long)sizeof(end) ? size - (long)sizeof(end) : 0;
	size_t length = ok && fseek(f, from, SEEK_SET) == 0 ? fread(end, 1, sizeof(end), f) : 0;
	const char *date = memmem(end, length, key, strlen(key));
	const char *close = date ? memchr(date, ')', length - (size_t)(date - end)) : NULL;
	if (close) {
		size_t bytes = (size_t)(close + 1 - date);
		memset(blanks, ' ', bytes);
		ok = fseek(f, from + (date - end), SEEK_SET) == 0 && fwrite(blanks, 1, bytes, f) == bytes;
	}
	ok = (!f || fclose(f) == 0) && ok;
	return ok || error_set(err, STATUS_IO, "%s cannot be written: %s", file, strerror(errno));
}

bool script_draw(const struct script *s, const char *output, bool replace, struct error *err)
{
	struct output out;
	if (!output_begin(&out, output, replace, err))
		return false;
	if (draw(s, out.part, err) && is_complete(out.part, s->format, err) &&
		(s->format != SCRIPT_PDF || drop_date(out.part, err)))
		return output_commit(&out, err);
	output_abandon(&out);
	return false;
}
