/* report/page/page.h - the viewer's page: a template in which two lines are replaced, one by the description
 * of the page, the other by a database, compressed and in base64. docs/viewer.md describes both. */
#ifndef CEGSIM_REPORT_PAGE_H
#define CEGSIM_REPORT_PAGE_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"

#define PAGE_META "<!--cegsim:meta-->"
#define PAGE_DATA "<!--cegsim:data-->"
#define PAGE_PIECE (768 * 1024) /* bytes of the compressed stream in one element; a multiple of 3 */

/* The template that is compiled into the program. Each marker occurs once, on a line of its own. No
 * terminating NUL. */
struct page_template {
	const char *start;
	size_t length;
};
struct page_template page_template(void);

/* Called with the part of the database that has been read, 0 .. 1. False: stop. */
typedef bool page_goes_on(void *self, double fraction);

struct page {
	struct page_template template;
	const char *meta;      /* JSON, already safe inside of an HTML element: page_add_safe() */
	int fd;                /* the database; read from offset 0 to its end */
	page_goes_on *goes_on; /* NULL: not called */
	void *self;
};

/* Writes the page. STATUS_IO: reading or writing failed (what `out` buffers, the caller finds out when
 * closing it); STATUS_INTERRUPTED: goes_on returned false. */
MUST_CHECK bool page_write(const struct page *page, FILE *out, struct error *err);

/* Adds JSON as the text of a <script> element: no string in it can end the element or begin a comment. */
void page_add_safe(struct text *to, const char *json);

/* RFC 4648 with padding; `to` has room for 4 * ((count + 2) / 3) characters. Returns their number. */
size_t page_base64(const unsigned char *bytes, size_t count, char *to);

#endif
