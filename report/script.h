/* report/script.h - the gnuplot script of a figure: the beginning of every script (colours, lines, marks);
 * numbers and texts in a form that gnuplot reads back exactly; and running gnuplot to make a file.
 *
 * Colours are seven of Okabe and Ito (Color Universal Design, 2008), without their yellow, which is hard to
 * see on paper and, darker, is their orange to readers who do not see red; and three dark ones after Paul
 * Tol. Any two of them differ by 16 or more in CIE L*a*b*, also to readers without red, green or blue vision.
 */
#ifndef CEGSIM_REPORT_SCRIPT_H
#define CEGSIM_REPORT_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

/* SCRIPT_LETTERS: characters on a terminal; a character is SCRIPT_LETTER_WIDTH by SCRIPT_LETTER_HEIGHT inches
 * of the figure. */
enum script_format { SCRIPT_SVG, SCRIPT_PDF, SCRIPT_PNG, SCRIPT_LETTERS };
#define SCRIPT_LETTER_WIDTH 0.075
#define SCRIPT_LETTER_HEIGHT 0.16

/* Finds the format by the end of the name: .svg, .pdf, .png. STATUS_INPUT: it is another one. */
MUST_CHECK bool script_format_find(const char *file, enum script_format *format, struct error *err);

/* A figure, ready to be drawn. */
struct script {
	const char *title; /* a comment in the script */
	const char *body;
	double width, height; /* inches */
	enum script_format format;
};

/* Saves the whole script, which draws into `output`. STATUS_INPUT: `file` exists and may not be replaced;
 * STATUS_IO: it cannot be written. */
MUST_CHECK bool script_save(
	const struct script *s, const char *output, const char *file, bool replace, struct error *err);
/* Lets gnuplot draw into `output`, which gets its name when it is complete; on a failure no file is left.
 * STATUS_INPUT: `output` exists and may not be replaced; STATUS_IO: there is no gnuplot, gnuplot failed (its
 * messages are in *err), or the file cannot be written. */
MUST_CHECK bool script_draw(const struct script *s, const char *output, bool replace, struct error *err);
/* Lets gnuplot draw on standard output; the format must be SCRIPT_LETTERS. STATUS_IO as above. */
MUST_CHECK bool script_print(const struct script *s, struct error *err);

/* Writes a text into a comment, as one line: a second line would be data, or a command. */
void script_in_line(struct text *script, const char *string);
/* Writes a text in double quotes. What gnuplot would take for markup ("_", "^", "{") is escaped; '\n' begins
 * a new line. */
void script_string(struct text *script, const char *string);
/* The same for the name of a place on an axis, where '%' would be a format. */
void script_tic(struct text *script, const char *string);
/* Writes an expression for the text in another size; `size` is relative to the figure's letters. */
void script_sized(struct text *script, double size, const char *string);
/* Writes a number so that it reads back exactly; not a number: NaN. */
void script_number(struct text *script, double value);

/* The palette. After its last colour it begins again. */
#define SCRIPT_COLOURS 13
const char *script_colour(size_t index); /* "#rrggbb" */

#endif
