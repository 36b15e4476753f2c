/* report/trace/protobuf.c - writes the wire format of Protocol Buffers: a field is a key, field * 8 + wire
 * type, and a value. The length of a nested message is not known when it begins, so one byte is reserved for
 * it; a message of 128 bytes or more is moved when it is closed. */
#include "report/trace/protobuf.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2 };

#define VARINT_MAX 10 /* bytes of a number of 64 bits, 7 in each */
#define FIRST_CAPACITY 256

void protobuf_finish(struct protobuf *m)
{
	free(m->data);
	*m = (struct protobuf){0};
}

void protobuf_clear(struct protobuf *m)
{
	m->length = 0;
	m->failed = false;
}

bool protobuf_ok(const struct protobuf *m, const char *what, struct error *err)
{
	return !m->failed || error_memory(err, what);
}

static bool grow(struct protobuf *m, size_t bytes)
{
	size_t capacity = m->capacity ? m->capacity : FIRST_CAPACITY;
	while (capacity - m->length < bytes) {
		if (capacity > SIZE_MAX / 2) {
			m->failed = true;
			return false;
		}
		capacity *= 2;
	}
	unsigned char *data = realloc(m->data, capacity);
	m->failed = !data;
	if (m->failed)
		return false;
	m->data = data;
	m->capacity = capacity;
	return true;
}

/* Whether there is room for `bytes` more. */
static inline bool room(struct protobuf *m, size_t bytes)
{
	if (m->failed)
		return false;
	return m->capacity - m->length >= bytes || grow(m, bytes);
}

static inline unsigned char *put_varint(unsigned char *to, uint64_t value)
{
	while (value >= 0x80) {
		*to++ = (unsigned char)(value | 0x80);
		value >>= 7;
	}
	*to++ = (unsigned char)value;
	return to;
}

static inline unsigned char *put_key(unsigned char *to, uint32_t field, enum wire_type type)
{
	assert(field >= 1 && field < (uint32_t)1 << 29);
	return put_varint(to, (uint64_t)field << 3 | type);
}

static inline unsigned char *put_fixed64(unsigned char *to, uint64_t value)
{
	for (int i = 0; i < 8; i++)
		*to++ = (unsigned char)(value >> 8 * i);
	return to;
}

void protobuf_uint(struct protobuf *m, uint32_t field, uint64_t value)
{
	if (!room(m, 2 * VARINT_MAX))
		return;
	unsigned char *to = m->data + m->length;
	to = put_varint(put_key(to, field, WIRE_VARINT), value);
	m->length = (size_t)(to - m->data);
}

void protobuf_int(struct protobuf *m, uint32_t field, int64_t value)
{
	protobuf_uint(m, field, (uint64_t)value); /* negative numbers: two's complement, ten bytes */
}

void protobuf_fixed64(struct protobuf *m, uint32_t field, uint64_t value)
{
	if (!room(m, VARINT_MAX + 8))
		return;
	unsigned char *to = m->data + m->length;
	to = put_fixed64(put_key(to, field, WIRE_FIXED64), value);
	m->length = (size_t)(to - m->data);
}

void protobuf_double(struct protobuf *m, uint32_t field, double value)
{
	uint64_t bits;
	_Static_assert(sizeof(bits) == sizeof(value), "a double has 64 bits");
	memcpy(&bits, &value, sizeof(bits));
	protobuf_fixed64(m, field, bits);
}

void protobuf_string(struct protobuf *m, uint32_t field, const char *value)
{
	size_t length = strlen(value);
	if (!room(m, 2 * VARINT_MAX + length))
		return;
	unsigned char *to = m->data + m->length;
	to = put_varint(put_key(to, field, WIRE_BYTES), length);
	memcpy(to, value, length);
	m->length = (size_t)(to - m->data) + length;
}

size_t protobuf_open(struct protobuf *m, uint32_t field)
{
	if (!room(m, VARINT_MAX + 1))
		return 0;
	unsigned char *to = put_key(m->data + m->length, field, WIRE_BYTES);
	m->length = (size_t)(to - m->data) + 1;
	return m->length;
}

void protobuf_close(struct protobuf *m, size_t opened)
{
	unsigned char prefix[VARINT_MAX];
	if (!room(m, VARINT_MAX))
		return;
	size_t length = m->length - opened, bytes = (size_t)(put_varint(prefix, length) - prefix);
	if (bytes > 1) {
		memmove(m->data + opened + bytes - 1, m->data + opened, length);
		m->length += bytes - 1;
	}
	memcpy(m->data + opened - 1, prefix, bytes);
}
