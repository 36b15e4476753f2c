/* report/trace/protobuf.h - messages in the wire format of Protocol Buffers (the encoding of proto2 and
 * proto3: varints, fixed numbers, and bytes behind their length), written into memory that grows:
 *
 *   struct protobuf m = {0};
 *   size_t inner = protobuf_open(&m, 60);       field 60 is a message
 *   protobuf_uint(&m, 1, 4711);                 its field 1
 *   protobuf_close(&m, inner);
 *   if (!protobuf_ok(&m, "writing a message", &err)) ...
 *   protobuf_finish(&m);
 *
 * A zeroed struct is an empty message. Fields are written in the order of the calls; the number of a field is
 * from 1 to 2^29 - 1. If memory runs out, the message remembers it, as struct text does: later additions are
 * ignored, and protobuf_ok() reports it. */
#ifndef CEGSIM_REPORT_PROTOBUF_H
#define CEGSIM_REPORT_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct protobuf {
	unsigned char *data; /* NULL while nothing was added */
	size_t length, capacity;
	bool failed;
};

void protobuf_finish(struct protobuf *m); /* frees; may be used again */
void protobuf_clear(struct protobuf *m);  /* empties, keeps the memory; forgets a failure */
/* False, with the error, if an addition was lost because memory ran out. */
MUST_CHECK bool protobuf_ok(const struct protobuf *m, const char *what, struct error *err);

void protobuf_uint(struct protobuf *m, uint32_t field, uint64_t value); /* uint32, uint64, enum, bool */
void protobuf_int(struct protobuf *m, uint32_t field, int64_t value);   /* int32, int64 */
void protobuf_fixed64(struct protobuf *m, uint32_t field, uint64_t value);
void protobuf_double(struct protobuf *m, uint32_t field, double value);
void protobuf_string(struct protobuf *m, uint32_t field, const char *value);

/* All that is added between open and close is a message in `field`. Messages may be nested; the inner one is
 * closed first. Give protobuf_close() the result of protobuf_open(). */
size_t protobuf_open(struct protobuf *m, uint32_t field);
void protobuf_close(struct protobuf *m, size_t opened);

#endif
