/* captures/place.c - walks over a JSON text (RFC 8259) to find the place of a value. */
#include "captures/place.h"

#include <string.h>

static bool over(const struct log_place *p)
{
	return p->at >= p->end;
}

static void step(struct log_place *p)
{
	unsigned char c = (unsigned char)*p->at++;
	if (c == '\n') {
		p->line++;
		p->column = 1;
	} else if ((over(p) || ((unsigned char)*p->at & 0xc0) != 0x80)) {
		p->column++; /* the last byte of a character */
	}
}

static bool among(char c, const char *set)
{
	return c && strchr(set, c);
}

static void skip_blanks(struct log_place *p)
{
	while (!over(p) && among(*p->at, " \t\r\n"))
		step(p);
}

/* From an opening quote to behind the closing one. */
static void skip_string(struct log_place *p)
{
	step(p);
	while (!over(p) && *p->at != '"') {
		if (*p->at == '\\')
			step(p);
		if (!over(p))
			step(p);
	}
	if (!over(p))
		step(p);
}

/* Moves behind a value. Brackets are only counted: jansson has accepted the text, so they match. */
static void skip_value(struct log_place *p)
{
	size_t depth = 0;
	do {
		skip_blanks(p);
		if (over(p))
			return;
		char c = *p->at;
		if (c == '"') {
			skip_string(p);
		} else if (among(c, "[]{},:")) {
			if (depth == 0 && !among(c, "[{"))
				return;
			depth += among(c, "[{");
			depth -= among(c, "]}");
			step(p);
		} else {
			while (!over(p) && !among(*p->at, "[]{},:\" \t\r\n"))
				step(p);
		}
	} while (depth > 0);
}

struct log_place place_of(const char *text, size_t length)
{
	struct log_place p = {.at = text, .end = text + length, .line = 1, .column = 1};
	skip_blanks(&p);
	return p;
}

/* Moves behind one punctuation mark and the blanks around it. */
static bool take(struct log_place *p, char mark)
{
	skip_blanks(p);
	if (over(p) || *p->at != mark)
		return false;
	step(p);
	skip_blanks(p);
	return !over(p);
}

bool place_member(struct log_place *p, const char *key)
{
	struct log_place walk = *p;
	size_t length = strlen(key);
	for (bool more = take(&walk, '{'); more && *walk.at == '"'; more = take(&walk, ',')) {
		const char *name = walk.at + 1;
		skip_string(&walk);
		bool same = (size_t)(walk.at - name) == length + 1 && memcmp(name, key, length) == 0;
		if (!take(&walk, ':'))
			return false;
		if (same) {
			*p = walk;
			return true;
		}
		skip_value(&walk);
	}
	return false;
}

bool place_next(struct log_place *p)
{
	struct log_place walk = *p;
	skip_value(&walk);
	if (!take(&walk, ','))
		return false;
	*p = walk;
	return true;
}

bool place_element(struct log_place *p, size_t index)
{
	struct log_place walk = *p;
	if (!take(&walk, '[') || *walk.at == ']')
		return false;
	while (index-- > 0)
		if (!place_next(&walk))
			return false;
	*p = walk;
	return true;
}
