/* db/pages/store.c - see db/pages/store.h. */
#include "db/pages/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

/* ---- the file without a name ---- */

int scratch_open(const char *name, struct error *err)
{
	char *path;
	if (asprintf(&path, "%s-XXXXXX", name) < 0) {
		error_memory(err, "writing a recording");
		return -1;
	}
	int fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		error_set(err, STATUS_IO, "cannot create a file beside %s: %s", name, strerror(errno));
	else
		unlink(path);
	free(path);
	return fd;
}

static bool failed(const char *name, struct error *err)
{
	if (errno == ENOSPC || errno == EDQUOT)
		return error_set(err, STATUS_IO, "%s: no space left on the disk (cannot write)", name);
	return error_set(err, STATUS_IO, "%s: cannot write: %s", name, strerror(errno));
}

bool scratch_write(int fd, const void *bytes, size_t size, int64_t at, const char *name, struct error *err)
{
	const char *from = bytes;
	while (size > 0) {
		ssize_t now = pwrite(fd, from, size, at);
		if (now < 0 && errno == EINTR)
			continue;
		if (now <= 0)
			return failed(name, err);
		from += now;
		at += now;
		size -= (size_t)now;
	}
	return true;
}

bool scratch_read(int fd, void *bytes, size_t size, int64_t at, const char *name, struct error *err)
{
	char *to = bytes;
	while (size > 0) {
		errno = EIO; /* an early end */
		ssize_t now = pread(fd, to, size, at);
		if (now < 0 && errno == EINTR)
			continue;
		if (now <= 0)
			return failed(name, err);
		to += now;
		at += now;
		size -= (size_t)now;
	}
	return true;
}

/* ---- pages ---- */

void store_init(struct page_store *s, const char *name)
{
	*s = (struct page_store){.name = name, .fd = -1};
}

void store_finish(struct page_store *s)
{
	for (uint32_t i = 0; i < s->held; i++)
		free(s->pages[i]);
	for (uint32_t i = 0; i < s->spares; i++)
		free(s->spare[i]);
	if (s->fd >= 0)
		close(s->fd);
	s->held = s->spares = 0;
	s->fd = -1;
}

uint8_t *store_page(struct page_store *s, struct error *err)
{
	uint8_t *page = s->spares ? s->spare[--s->spares] : malloc(PAGE_SIZE);
	if (!page)
		error_memory(err, "writing a recording");
	return page;
}

static void set_aside(struct page_store *s, uint8_t *page)
{
	if (s->spares < STORE_HELD)
		s->spare[s->spares++] = page;
	else
		free(page);
}

/* One call of the system for all of them: it costs as much as the pages do. */
static bool write_held(struct page_store *s, struct error *err)
{
	struct iovec pieces[STORE_HELD];
	size_t size = (size_t)s->held * PAGE_SIZE;
	int64_t at = (int64_t)s->written * PAGE_SIZE;
	if (s->fd < 0 && (s->fd = scratch_open(s->name, err)) < 0)
		return false;
	for (uint32_t i = 0; i < s->held; i++)
		pieces[i] = (struct iovec){s->pages[i], PAGE_SIZE};
	ssize_t done = pwritev(s->fd, pieces, (int)s->held, at);
	/* A part of them: then page by page, which finds out why */
	for (uint32_t i = 0; done != (ssize_t)size && i < s->held; i++)
		if (!scratch_write(s->fd, s->pages[i], PAGE_SIZE, at + (int64_t)i * PAGE_SIZE, s->name, err))
			return false;
	for (uint32_t i = 0; i < s->held; i++)
		set_aside(s, s->pages[i]);
	s->written += s->held;
	s->held = 0;
	return true;
}

bool store_add(struct page_store *s, uint8_t *page, uint32_t *place, struct error *err)
{
	if (s->held == STORE_HELD && !write_held(s, err)) {
		free(page);
		return false;
	}
	*place = store_count(s);
	s->pages[s->held++] = page;
	return true;
}

void store_cut(struct page_store *s, uint32_t count)
{
	while (s->held > 0 && store_count(s) > count)
		free(s->pages[--s->held]);
	if (s->written > count)
		s->written = count;
}

uint32_t page_number(const struct page_numbers *numbers, uint32_t place)
{
	uint64_t number = (uint64_t)numbers->last + 1 + place;
	uint64_t locked = (uint64_t)(numbers->lock_byte / PAGE_SIZE) + 1;
	if (numbers->last < locked && number >= locked)
		number++;
	return number < UINT32_MAX ? (uint32_t)number : 0;
}

/* Writes pages that follow each other in the store, and in the file but for the one with the lock byte. */
static bool write_pages(const struct page_store *s, const struct page_numbers *numbers, uint32_t place,
	const uint8_t *pages, uint32_t count, page_write *write, void *self, struct error *err)
{
	for (uint32_t i = 0, now; i < count; i += now) {
		uint32_t number = page_number(numbers, place + i);
		if (page_number(numbers, place + count - 1) == 0)
			return error_set(err, STATUS_IO, "%s: more pages than SQLite can read", s->name);
		for (now = 1; i + now < count && page_number(numbers, place + i + now) == number + now; now++)
			;
		if (!write(self, pages + (size_t)i * PAGE_SIZE, (size_t)now * PAGE_SIZE,
			    (int64_t)(number - 1) * PAGE_SIZE, err))
			return false;
	}
	return true;
}

static bool write_written(const struct page_store *s, const struct page_numbers *numbers, page_write *write,
	void *self, struct error *err)
{
	uint8_t *pages = malloc((size_t)STORE_HELD * PAGE_SIZE);
	bool ok = pages || error_memory(err, "writing a recording");
	for (uint32_t i = 0, now; ok && i < s->written; i += now) {
		now = s->written - i < STORE_HELD ? s->written - i : STORE_HELD;
		ok = scratch_read(
			     s->fd, pages, (size_t)now * PAGE_SIZE, (int64_t)i * PAGE_SIZE, s->name, err) &&
		     write_pages(s, numbers, i, pages, now, write, self, err);
	}
	free(pages);
	return ok;
}

bool store_write(const struct page_store *s, const struct page_numbers *numbers, page_write *write,
	void *self, struct error *err)
{
	bool ok = s->written == 0 || write_written(s, numbers, write, self, err);
	for (uint32_t i = 0; ok && i < s->held; i++)
		ok = write_pages(s, numbers, s->written + i, s->pages[i], 1, write, self, err);
	return ok;
}
