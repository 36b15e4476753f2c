/* tests/support/recordings.c - see tests/support/recordings.h. */
#include "tests/support/recordings.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/support/test.h"

static void join(char path[RECORDINGS_PATH], const char *a, const char *b, const char *c)
{
	int length = snprintf(path, RECORDINGS_PATH, "%s%s%s", a, b, c);
	assert_in_range(length, 1, RECORDINGS_PATH - 1);
}

static const char *source_root(void)
{
	const char *root = getenv("CEGSIM_SOURCE_ROOT");
	return root && *root ? root : ".";
}

static void join_shared(char path[RECORDINGS_PATH], const char *folder, const char *name)
{
	const char *shared = getenv("CEGSIM_SHARED");
	char below[RECORDINGS_PATH];
	join(below, shared && *shared ? "/data/" : "/../shared/data/", folder, name);
	join(path, shared && *shared ? shared : source_root(), below, "");
}

void recordings_path(char path[RECORDINGS_PATH], const char *name)
{
	join_shared(path, "recordings/", name);
}

bool recordings_capture(char path[RECORDINGS_PATH], const char *name)
{
	static bool told;
	join_shared(path, "", name);
	if (access(path, R_OK) == 0)
		return true;
	if (!told)
		fprintf(stderr, "# no capture of real hardware at %s: only our own are read\n", path);
	told = true;
	return false;
}

void recordings_own_capture(char path[RECORDINGS_PATH], const char *name)
{
	join(path, source_root(), "/tests/data/captures/", name);
}

void recordings_own_path(char path[RECORDINGS_PATH], const char *name)
{
	join(path, source_root(), "/tests/data/replay/", name);
}

bool recordings_real(void)
{
	static bool told;
	char path[RECORDINGS_PATH];
	recordings_path(path, "tx2");
	if (access(path, R_OK | X_OK) == 0)
		return true;
	if (!told)
		fprintf(stderr, "# no recordings of real hardware at %s: only logs of our own are replayed\n",
			path);
	told = true;
	return false;
}
