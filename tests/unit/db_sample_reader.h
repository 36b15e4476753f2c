/* tests/unit/db_sample_reader.h - fixture of a file's tests: a sample recording, written before the first
 * test and open during all of them. */
#ifndef CEGSIM_TESTS_DB_SAMPLE_READER_H
#define CEGSIM_TESTS_DB_SAMPLE_READER_H

#include <stdio.h>

#include "db/reader.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample_warps.h"

static struct error err;
static char file[512];
static struct db_reader *reader;

static inline int open_written(bool write(const char *file, struct error *err))
{
	snprintf(file, sizeof(file), "%s", sample_path("sample.db"));
	if (write(file, &err))
		reader = reader_open(file, &err);
	return reader ? 0 : -1;
}

/* sample_write() and sample_warps_write(). */
static inline int open_sample(void **state)
{
	return open_written(sample_write);
}

static inline int open_sample_warps(void **state)
{
	return open_written(sample_warps_write);
}

static inline int close_sample(void **state)
{
	reader_close(reader);
	sample_clean();
	return 0;
}

#endif
