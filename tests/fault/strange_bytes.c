/* tests/fault/strange_bytes.c - a recording with damaged pages (tests/fault/strange.h). What is changed is
 * chosen so that it matters: pages with content, their headers and lists of cells, numbers in the header of
 * the file ("Database File Format", sqlite.org/fileformat2.html, sections 1.3 and 1.6). */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fault/strange.h"

struct damaging {
	int file;
	uint32_t page, pages; /* the size of one, and how many there are */
	struct strange_draws *d;
	char *text;
};

static uint64_t page_at(struct damaging *g)
{
	return strange_draw(g->d, g->pages) * g->page;
}

static bool put(struct damaging *g, uint64_t at, const void *bytes, size_t length)
{
	return pwrite(g->file, bytes, length, (off_t)at) == (ssize_t)length;
}

static bool flip(struct damaging *g, uint64_t at)
{
	uint8_t byte = 0;
	if (pread(g->file, &byte, 1, (off_t)at) != 1)
		return false;
	unsigned bit = (unsigned)strange_draw(g->d, 8);
	byte ^= (uint8_t)(1u << bit);
	snprintf(g->text, STRANGE_TEXT, "bit %u of byte %llu", bit, (unsigned long long)at);
	return put(g, at, &byte, 1);
}

static bool flip_anywhere(struct damaging *g)
{
	return flip(g, page_at(g) + strange_draw(g->d, g->page));
}

/* In the header of a page, or the places of its first cells. */
static bool flip_header(struct damaging *g)
{
	uint64_t at = page_at(g);
	return flip(g, at + (at == 0 ? 100 : 0) + strange_draw(g->d, 32));
}

static bool write_numbers(struct damaging *g)
{
	static const uint32_t numbers[] = {0, 1, 0x7fffffff, 0xffffffff, 0x80000000, 0x00ffff00, 2};
	uint64_t at = page_at(g) + strange_draw(g->d, g->page - 4);
	uint32_t number = numbers[strange_draw(g->d, sizeof(numbers) / sizeof(numbers[0]))];
	snprintf(g->text, STRANGE_TEXT, "0x%08x at byte %llu", number, (unsigned long long)at);
	return put(g, at, &number, 4);
}

static bool swap_pages(struct damaging *g)
{
	static uint8_t a[65536], b[65536];
	uint64_t first = page_at(g), second = page_at(g);
	snprintf(g->text, STRANGE_TEXT, "pages at %llu and %llu swapped", (unsigned long long)first,
		(unsigned long long)second);
	return g->page <= sizeof(a) && pread(g->file, a, g->page, (off_t)first) == (ssize_t)g->page &&
	       pread(g->file, b, g->page, (off_t)second) == (ssize_t)g->page && put(g, first, b, g->page) &&
	       put(g, second, a, g->page);
}

static bool copy_page(struct damaging *g)
{
	static uint8_t a[65536];
	uint64_t from = page_at(g), to = page_at(g);
	snprintf(g->text, STRANGE_TEXT, "page at %llu also at %llu", (unsigned long long)from,
		(unsigned long long)to);
	return g->page <= sizeof(a) && pread(g->file, a, g->page, (off_t)from) == (ssize_t)g->page &&
	       put(g, to, a, g->page);
}

static bool empty_page(struct damaging *g)
{
	static uint8_t a[65536];
	uint64_t at = page_at(g);
	uint8_t byte = (uint8_t)(strange_draw(g->d, 2) * 255);
	memset(a, byte, sizeof(a));
	snprintf(g->text, STRANGE_TEXT, "page at %llu all %u", (unsigned long long)at, byte);
	return g->page <= sizeof(a) && put(g, at, a, g->page);
}

static bool cut_off(struct damaging *g)
{
	uint64_t length = strange_draw(g->d, (uint64_t)g->pages * g->page);
	if (strange_draw(g->d, 2) == 0)
		length -= length % g->page;
	snprintf(g->text, STRANGE_TEXT, "cut to %llu bytes", (unsigned long long)length);
	return ftruncate(g->file, (off_t)length) == 0;
}

static bool change_file_header(struct damaging *g)
{
	uint64_t at = strange_draw(g->d, 100);
	uint8_t byte = (uint8_t)strange_draw(g->d, 256);
	snprintf(g->text, STRANGE_TEXT, "byte %llu of the header is %u", (unsigned long long)at, byte);
	return put(g, at, &byte, 1);
}

bool strange_bytes(const char *file, struct strange_draws *d, char text[STRANGE_TEXT])
{
	static bool (*const ways[])(struct damaging *) = {flip_anywhere, flip_anywhere, flip_header,
		flip_header, flip_header, write_numbers, write_numbers, swap_pages, copy_page, empty_page,
		cut_off, change_file_header};
	struct damaging g = {.d = d, .text = text, .file = open(file, O_RDWR | O_CLOEXEC)};
	uint8_t size[2] = {0};
	struct stat st;
	text[0] = '\0';
	bool ok = g.file >= 0 && fstat(g.file, &st) == 0 && pread(g.file, size, 2, 16) == 2;
	g.page = ok ? (uint32_t)(size[0] << 8 | size[1]) : 0;
	g.page = g.page == 1 ? 65536 : g.page;
	ok = ok && g.page >= 512 && st.st_size >= (off_t)g.page;
	g.pages = ok ? (uint32_t)(st.st_size / g.page) : 0;
	ok = ok && ways[strange_draw(d, sizeof(ways) / sizeof(ways[0]))](&g);
	if (g.file >= 0)
		close(g.file);
	return ok;
}
