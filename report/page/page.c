/* report/page/page.c - writes the file of the viewer's page: cuts the template, and packs the database.
 *
 * The stream is gzip (RFC 1952) by zlib, without name and time, so that equal databases make equal pages. It
 * is cut into pieces whose length is a multiple of three bytes; each of them is base64 (RFC 4648) by
 * itself. */
#include "report/page/page.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define READ_SIZE (256 * 1024)
#define LEVEL 3               /* 2.6 million blocks: 8 % more bytes than at level 6, in 88 % of the time */
#define GZIP_WINDOW (15 + 16) /* 32 KiB, with a gzip header */
#define MEMORY_LEVEL 8

static const char meta_before[] = "<script type=\"application/json\" id=\"cegsim-meta\">";
static const char data_before[] = "<script type=\"text/plain\" class=\"cegsim-data\">";
static const char after[] = "</script>";

extern const char _binary_template_html_start[], _binary_template_html_end[];

struct packing {
	const struct page *page;
	FILE *out;
	z_stream stream;
	unsigned char *in, *piece;
	char *text; /* of a piece */
	off_t size, done;
};

struct page_template page_template(void)
{
	return (struct page_template){_binary_template_html_start,
		(size_t)(_binary_template_html_end - _binary_template_html_start)};
}

void page_add_safe(struct text *to, const char *json)
{
	for (const char *at = json; *at; at++) {
		if (at[0] == '<' && at[1] == '/') {
			text_add(to, "<\\/");
			at++;
		} else if (at[0] == '<' && at[1] == '!') {
			text_add(to, "<\\u0021");
			at++;
		} else {
			text_add_char(to, *at);
		}
	}
}

size_t page_base64(const unsigned char *bytes, size_t count, char *to)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char *at = to;
	for (size_t i = 0; i < count; i += 3) {
		unsigned second = i + 1 < count ? bytes[i + 1] : 0, third = i + 2 < count ? bytes[i + 2] : 0;
		unsigned word = (unsigned)bytes[i] << 16 | second << 8 | third;
		*at++ = letters[word >> 18];
		*at++ = letters[word >> 12 & 63];
		*at++ = i + 1 < count ? letters[word >> 6 & 63] : '=';
		*at++ = i + 2 < count ? letters[word & 63] : '=';
	}
	return (size_t)(at - to);
}

static bool cannot_write(struct error *err)
{
	return error_set(err, STATUS_IO, "cannot write the page: %s", strerror(errno ? errno : EIO));
}

static bool put(FILE *out, const char *bytes, size_t count, struct error *err)
{
	errno = 0;
	return fwrite(bytes, 1, count, out) == count || cannot_write(err);
}

/* ---- the database ---- */

static bool put_piece(struct packing *p, struct error *err)
{
	size_t count = PAGE_PIECE - p->stream.avail_out;
	p->stream.next_out = p->piece;
	p->stream.avail_out = PAGE_PIECE;
	if (count == 0)
		return true;
	size_t length = page_base64(p->piece, count, p->text);
	return put(p->out, data_before, sizeof(data_before) - 1, err) && put(p->out, p->text, length, err) &&
	       put(p->out, after, sizeof(after) - 1, err) && put(p->out, "\n", 1, err);
}

/* Packs what is in stream.next_in; with Z_FINISH to the end of the stream. */
static bool pack(struct packing *p, int flush, struct error *err)
{
	int code;
	do {
		code = deflate(&p->stream, flush);
		assert(code != Z_STREAM_ERROR);
		if (p->stream.avail_out == 0 && !put_piece(p, err))
			return false;
	} while (flush == Z_FINISH ? code != Z_STREAM_END : p->stream.avail_in > 0);
	return true;
}

static bool pack_all(struct packing *p, struct error *err)
{
	ssize_t count;
	while ((count = pread(p->page->fd, p->in, READ_SIZE, p->done)) != 0) {
		if (count < 0 && errno == EINTR)
			count = 0;
		if (count < 0)
			return error_set(err, STATUS_IO, "cannot read the scratch file: %s", strerror(errno));
		p->stream.next_in = p->in;
		p->stream.avail_in = (unsigned)count;
		p->done += count;
		if (!pack(p, Z_NO_FLUSH, err))
			return false;
		double fraction = p->size > 0 ? (double)p->done / (double)p->size : 1;
		if (p->page->goes_on && !p->page->goes_on(p->page->self, fraction))
			return error_set(err, STATUS_INTERRUPTED, "interrupted");
	}
	return pack(p, Z_FINISH, err) && put_piece(p, err);
}

static bool put_data(const struct page *page, FILE *out, struct error *err)
{
	struct packing p = {.page = page, .out = out, .size = lseek(page->fd, 0, SEEK_END)};
	p.in = malloc(READ_SIZE);
	p.piece = malloc(PAGE_PIECE);
	p.text = malloc(PAGE_PIECE / 3 * 4);
	p.stream.next_out = p.piece;
	p.stream.avail_out = PAGE_PIECE;
	bool ok = p.in && p.piece && p.text &&
		  deflateInit2(&p.stream, LEVEL, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) ==
			  Z_OK;
	if (ok) {
		ok = pack_all(&p, err);
		deflateEnd(&p.stream);
	} else {
		error_memory(err, "packing a page");
	}
	free(p.in);
	free(p.piece);
	free(p.text);
	return ok;
}

/* ---- the whole ---- */

static bool put_meta(const struct page *page, FILE *out, struct error *err)
{
	return put(out, meta_before, sizeof(meta_before) - 1, err) &&
	       put(out, page->meta, strlen(page->meta), err) && put(out, after, sizeof(after) - 1, err) &&
	       put(out, "\n", 1, err);
}

static bool is_line(const char *line, size_t length, const char *marker)
{
	return length == strlen(marker) && memcmp(line, marker, length) == 0;
}

bool page_write(const struct page *page, FILE *out, struct error *err)
{
	const char *at = page->template.start, *end = at + page->template.length;
	while (at < end) {
		const char *feed = memchr(at, '\n', (size_t)(end - at)), *next = feed ? feed + 1 : end;
		size_t length = (size_t)((feed ? feed : end) - at);
		bool ok = is_line(at, length, PAGE_META)   ? put_meta(page, out, err)
			  : is_line(at, length, PAGE_DATA) ? put_data(page, out, err)
							   : put(out, at, (size_t)(next - at), err);
		if (!ok)
			return false;
		at = next;
	}
	return true;
}
