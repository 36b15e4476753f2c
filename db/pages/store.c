/* db/pages/store.c - see db/pages/store.h. */
#include "db/pages/store.h"

#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "db/pages/scratch.h"

void store_init(struct page_store *s, const char *name, uint32_t before)
{
	*s = (struct page_store){.name = name, .before = before, .lock_byte = PAGE_LOCK_BYTE, .fd = -1};
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

/* ---- numbers ---- */

uint32_t store_number(const struct page_store *s, uint32_t place)
{
	uint64_t number = (uint64_t)s->before + 1 + place + (place < s->moved ? s->moved_to : 0);
	uint64_t locked = (uint64_t)(s->lock_byte / PAGE_SIZE) + 1;
	if (s->before < locked && number >= locked)
		number++;
	return number < UINT32_MAX ? (uint32_t)number : 0;
}

uint32_t store_last(const struct page_store *s)
{
	uint32_t count = store_count(s);
	return count ? store_number(s, count - 1) : s->before;
}

static int64_t offset_of(uint32_t number)
{
	return (int64_t)(number - 1) * PAGE_SIZE;
}

static bool too_many(const struct page_store *s, struct error *err)
{
	return error_set(err, STATUS_IO, "%s: more pages than SQLite can read", s->name);
}

/* ---- pages ---- */

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

/* One call of the system for all of them, if they lie side by side: it costs as much as the pages do. */
static bool write_held(struct page_store *s, struct error *err)
{
	struct iovec pieces[STORE_HELD];
	uint32_t first = store_number(s, s->written), last = store_last(s);
	ssize_t done = -1;
	if (s->held == 0)
		return true;
	if (last == 0)
		return too_many(s, err);
	if (s->fd < 0 && (s->fd = scratch_open(s->name, err)) < 0)
		return false;
	for (uint32_t i = 0; i < s->held; i++)
		pieces[i] = (struct iovec){s->pages[i], PAGE_SIZE};
	if (last - first + 1 == s->held)
		done = pwritev(s->fd, pieces, (int)s->held, offset_of(first));
	/* A part of them: then page by page, which finds out why */
	for (uint32_t i = 0; done != (ssize_t)s->held * PAGE_SIZE && i < s->held; i++)
		if (!scratch_write(s->fd, s->pages[i], PAGE_SIZE, offset_of(store_number(s, s->written + i)),
			    s->name, err))
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

/* ---- the end ---- */

/* Places whose pages have numbers up to `before`. */
static uint32_t places_until(const struct page_store *s, uint32_t before)
{
	uint32_t locked = (uint32_t)(s->lock_byte / PAGE_SIZE) + 1;
	return before - s->before - (s->before < locked && before >= locked);
}

bool store_settle(struct page_store *s, uint32_t before, struct error *err)
{
	s->settled = before;
	if (s->fd < 0) { /* nothing is anywhere yet */
		s->before = before;
		return true;
	}
	if (!write_held(s, err))
		return false;
	uint32_t taken = places_until(s, before), there = s->written, ignored;
	uint32_t moved = taken < there ? taken : there;
	s->written = taken > there ? taken : there;
	uint32_t to = s->written;
	for (uint32_t place = 0; place < moved; place++) {
		uint8_t *page = store_page(s, err);
		if (!page)
			return false;
		if (!scratch_read(s->fd, page, PAGE_SIZE, offset_of(store_number(s, place)), s->name, err)) {
			free(page);
			return false;
		}
		if (!store_add(s, page, &ignored, err))
			return false;
	}
	s->moved = moved;
	s->moved_to = to;
	return true;
}

static bool write_to(const struct page_store *s, const struct page_file *file, struct error *err)
{
	for (uint32_t i = 0; i < s->held; i++) {
		uint32_t number = store_number(s, s->written + i);
		if (number == 0)
			return too_many(s, err);
		if (!file->write(file->self, s->pages[i], PAGE_SIZE, offset_of(number), err))
			return false;
	}
	return true;
}

/* Copies the pages from one number to another; the page with the lock byte may be among them. */
static bool copy(const struct page_store *s, const struct page_file *file, bool from_file, uint32_t first,
	uint32_t last, struct error *err)
{
	uint8_t *pages = malloc((size_t)STORE_HELD * PAGE_SIZE);
	bool ok = pages || error_memory(err, "writing a recording");
	for (uint32_t number = first, now; ok && number <= last; number += now) {
		now = last - number < STORE_HELD ? last - number + 1 : STORE_HELD;
		size_t size = (size_t)now * PAGE_SIZE;
		int64_t at = offset_of(number);
		ok = from_file ? file->read(file->self, pages, size, at, err) &&
					 scratch_write(s->fd, pages, size, at, s->name, err)
			       : scratch_read(s->fd, pages, size, at, s->name, err) &&
					 file->write(file->self, pages, size, at, err);
	}
	free(pages);
	return ok;
}

bool store_join(struct page_store *s, const struct page_file *file, const char *new_name, bool *whole,
	struct error *err)
{
	*whole = false;
	if (s->fd < 0)
		return write_to(s, file, err);
	if (!write_held(s, err))
		return false;
	uint32_t before = s->settled, last = store_last(s);
	/* The fewer are copied. */
	*whole = before < last - before && scratch_name(s->fd, new_name);
	if (!*whole)
		return copy(s, file, false, before + 1, last, err);
	bool ok = copy(s, file, true, 1, before, err) && scratch_sync(s->fd, s->name, err);
	if (!ok)
		unlink(new_name);
	return ok;
}
