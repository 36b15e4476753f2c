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

void recordings_path(char path[RECORDINGS_PATH], const char *name)
{
	const char *shared = getenv("CEGSIM_SHARED");
	if (shared && *shared)
		join(path, shared, "/data/recordings/", name);
	else
		join(path, source_root(), "/../shared/data/recordings/", name);
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
