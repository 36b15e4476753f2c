/* report/page/page.h - the viewer's page: a template in which two lines are replaced, by the page's
 * description and by a database, compressed and in base64. docs/viewer.md describes both. */
#ifndef CEGSIM_REPORT_PAGE_H
#define CEGSIM_REPORT_PAGE_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"

#define PAGE_META "<!--cegsim:meta-->"
#define PAGE_DATA "<!--cegsim:data-->"
#define PAGE_PIECE (768 * 1024) /* bytes of the compressed stream in one element; a multiple of 3 */

/* The template inside the program, in which each marker stands once, on a line of its own. Not terminated. */
struct page_template {
	const char *start;
	size_t length;
};
struct page_template page_template(void);

/* How much of the database has been read, 0 .. 1. False: stop. */
typedef bool page_goes_on(void *self, double fraction);

struct page {
	struct page_template template;
	const char *meta;      /* JSON, already safe inside of an element: page_add_safe() */
	int fd;                /* the database; read from offset 0 to its end */
	page_goes_on *goes_on; /* NULL: nobody asks */
	void *self;
};

/* Writes the page. STATUS_IO: reading or writing failed (what `out` itself keeps back, the caller finds when
 * it closes it); STATUS_INTERRUPTED: goes_on said stop. */
MUST_CHECK bool page_write(const struct page *page, FILE *out, struct error *err);

/* JSON as the text of a <script> element: none of its strings can end the element or begin a comment. */
void page_add_safe(struct text *to, const char *json);

/* RFC 4648 with padding; `to` has room for 4 * ((count + 2) / 3) characters. Returns how many they are. */
size_t page_base64(const unsigned char *bytes, size_t count, char *to);

#endif
