/* runs/campaign/parts.c - see runs/campaign/parts.h. The lock belongs to the open file (flock) and workers
 * inherit it: it is held until the last of them has ended. */
#include "runs/campaign/parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOCK_TRIES 100 /* workers of a sweep that was just killed take a moment to die */
#define LOCK_PAUSE_NS 20000000
#define ENDING ".part"

static char *folder_of(const char *file)
{
	char *name;
	return asprintf(&name, "%s.parts", file) < 0 ? NULL : name;
}

bool parts_exist(const char *file)
{
	char *folder = folder_of(file);
	bool exist = folder && access(folder, F_OK) == 0;
	free(folder);
	return exist;
}

static bool take_lock(const struct parts *p, struct error *err)
{
	const struct timespec pause = {.tv_nsec = LOCK_PAUSE_NS};
	for (int i = 0; i < LOCK_TRIES; i++) {
		if (flock(p->lock, LOCK_EX | LOCK_NB) == 0)
			return true;
		if (errno != EWOULDBLOCK && errno != EINTR)
			return error_set(
				err, STATUS_IO, "cannot lock the folder %s: %s", p->folder, strerror(errno));
		nanosleep(&pause, NULL);
	}
	return error_set(err, STATUS_IO, "%s: another sweep is writing there", p->folder);
}

/* Calls `call` for every file of a worker: NUMBER.part, or what SQLite keeps beside it. */
static bool each_file(const struct parts *p,
	bool (*call)(struct parts *, const char *, uint32_t, struct error *), struct parts *self,
	struct error *err)
{
	DIR *dir = opendir(p->folder);
	if (!dir)
		return error_set(err, STATUS_IO, "cannot read the folder %s: %s", p->folder, strerror(errno));
	bool ok = true;
	struct dirent *entry;
	while (ok && (errno = 0, entry = readdir(dir)) != NULL) {
		char *end;
		unsigned long number = strtoul(entry->d_name, &end, 10);
		size_t length = strlen(ENDING);
		if (end == entry->d_name || number >= UINT32_MAX || strncmp(end, ENDING, length) != 0 ||
			(end[length] != '\0' && end[length] != '-'))
			continue;
		ok = call(self, entry->d_name, (uint32_t)number, err);
	}
	if (ok && errno != 0)
		ok = error_set(err, STATUS_IO, "cannot read the folder %s: %s", p->folder, strerror(errno));
	closedir(dir);
	return ok;
}

static bool remove_file(struct parts *p, const char *name, uint32_t number, struct error *err)
{
	(void)number;
	return unlinkat(p->lock, name, 0) == 0 || errno == ENOENT ||
	       error_set(err, STATUS_IO, "cannot remove %s/%s: %s", p->folder, name, strerror(errno));
}

static bool refuse(struct parts *p, const char *name, uint32_t number, struct error *err)
{
	(void)name;
	(void)number;
	return error_set(err, STATUS_INPUT,
		"%s is left over from an interrupted sweep: go on with --resume, or begin anew with --force",
		p->folder);
}

/* Whether the folder of this name is the one that we have locked: another sweep may have removed it
 * meanwhile. */
static bool is_ours(const struct parts *p)
{
	struct stat ours, named;
	return fstat(p->lock, &ours) == 0 && stat(p->folder, &named) == 0 && ours.st_ino == named.st_ino &&
	       ours.st_dev == named.st_dev;
}

static bool open_folder(struct parts *p, struct error *err)
{
	for (int i = 0; i < LOCK_TRIES; i++) {
		if (mkdir(p->folder, 0777) != 0 && errno != EEXIST)
			return error_set(
				err, STATUS_IO, "cannot make the folder %s: %s", p->folder, strerror(errno));
		p->lock = open(p->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (p->lock < 0 && errno != ENOENT)
			return error_set(
				err, STATUS_IO, "cannot open the folder %s: %s", p->folder, strerror(errno));
		if (p->lock >= 0 && !take_lock(p, err))
			return false;
		if (p->lock >= 0 && is_ours(p))
			return true;
		if (p->lock >= 0)
			close(p->lock);
		p->lock = -1;
	}
	return error_set(err, STATUS_IO, "cannot open the folder %s: it keeps going away", p->folder);
}

bool parts_open(struct parts *p, const char *file, bool resume, bool overwrite, struct error *err)
{
	*p = (struct parts){.lock = -1, .folder = folder_of(file)};
	if (!p->folder)
		return error_memory(err, "opening a campaign's parts");
	if (!open_folder(p, err))
		return false;
	return resume || each_file(p, overwrite ? remove_file : refuse, p, err);
}

/* ---- reading ---- */

static bool note_number(struct parts *p, const char *name, uint32_t number, struct error *err)
{
	(void)name;
	(void)err;
	p->next = number >= p->next ? number + 1 : p->next;
	return true;
}

static bool remove_part(struct parts *p, uint32_t number, struct error *err)
{
	static const char *const endings[] = {ENDING, ENDING "-wal", ENDING "-journal", ENDING "-shm"};
	char name[40];
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		snprintf(name, sizeof(name), "%" PRIu32 "%s", number, endings[i]);
		if (!remove_file(p, name, number, err))
			return false;
	}
	return true;
}

static bool read_part(struct parts *p, uint32_t number, struct error *err)
{
	char *file;
	struct merge_part *part = &p->items[p->count];
	if (asprintf(&file, "%s/%" PRIu32 ENDING, p->folder, number) < 0)
		return error_memory(err, "reading a campaign's parts");
	bool there = access(file, F_OK) == 0;
	bool ok = !there || part_read(file, false, part, err);
	free(file);
	if (!ok || !there)
		return ok;
	if (part->text) {
		p->count++;
		return true;
	}
	part_finish(part);
	return remove_part(p, number, err);
}

static void forget(struct parts *p)
{
	for (uint32_t i = 0; i < p->count; i++)
		part_finish(&p->items[i]);
	free(p->items);
	p->items = NULL;
	p->count = 0;
}

bool parts_read(struct parts *p, struct error *err)
{
	forget(p);
	p->next = 0;
	if (!each_file(p, note_number, p, err))
		return false;
	p->items = calloc(p->next + (size_t)1, sizeof(*p->items));
	if (!p->items)
		return error_memory(err, "reading a campaign's parts");
	for (uint32_t i = 0; i < p->next; i++)
		if (!read_part(p, i, err))
			return false;
	return true;
}

bool parts_remove(struct parts *p, struct error *err)
{
	if (!each_file(p, remove_file, p, err))
		return false;
	/* Files of others in the folder may stay */
	return rmdir(p->folder) == 0 || errno == ENOTEMPTY || errno == ENOENT ||
	       error_set(err, STATUS_IO, "cannot remove the folder %s: %s", p->folder, strerror(errno));
}

void parts_close(struct parts *p)
{
	forget(p);
	if (p->lock >= 0)
		close(p->lock);
	free(p->folder);
	*p = (struct parts){.lock = -1};
}
