/* db/pages/format.h - numbers of SQLite's file format, https://www.sqlite.org/fileformat2.html; other files
 * of this room name its sections, too. */
#ifndef CEGSIM_DB_PAGES_FORMAT_H
#define CEGSIM_DB_PAGES_FORMAT_H

#include <stdint.h>
#include <string.h>

#define PAGE_SIZE 16384 /* bytes; none are reserved at the end of a page */
/* The page that contains this byte holds nothing (1.4, "The Lock-Byte Page"). */
#define PAGE_LOCK_BYTE INT64_C(0x40000000)

/* 1.2: integers in the file are big-endian. */
static inline void put16(uint8_t *to, uint32_t value)
{
	to[0] = (uint8_t)(value >> 8);
	to[1] = (uint8_t)value;
}

static inline uint32_t get16(const uint8_t *from)
{
	return (uint32_t)from[0] << 8 | from[1];
}

static inline void put32(uint8_t *to, uint32_t value)
{
	put16(to, value >> 16);
	put16(to + 2, value & 0xffff);
}

static inline uint32_t get32(const uint8_t *from)
{
	return get16(from) << 16 | get16(from + 2);
}

/* Cells of a page are filled in from its end, so what follows is written in front of what there is. */

/* 1.6: a variable-length integer, 7 bits a byte, highest first; below 2^56, as a ninth byte would have 8.
 * Ends in front of `end`; returns its first byte. */
static inline uint8_t *put_varint(uint8_t *end, uint64_t value)
{
	*--end = value & 0x7f;
	while (value >>= 7)
		*--end = (value & 0x7f) | 0x80;
	return end;
}

#define RECORD_NULL 0        /* the serial type of NULL */
#define RECORD_INTEGER_MAX 8 /* bytes that put_integer() may write */

/* 2.1, "Record Format": the serial type of an integer, and its bytes, the fewest that hold it. They end in
 * front of `end`; returns the first of them. */
static inline uint8_t *put_integer(uint8_t *type, uint8_t *end, int64_t value)
{
	static const uint8_t type_of[8] = {1, 2, 3, 4, 5, 5, 6, 6}; /* by the whole bytes of bits */
	static const uint8_t size_of[10] = {0, 1, 2, 3, 4, 6, 8, 0, 0, 0};
	uint64_t bits = (uint64_t)(value < 0 ? ~value : value); /* without the sign, which takes one more */
	unsigned count = 64 - (unsigned)__builtin_clzll(bits | 1);
	uint64_t big_endian = __builtin_bswap64((uint64_t)value);
	/* 8 and 9 are the integers 0 and 1. A choice, not a jump: which it will be is hard to foretell. */
	unsigned small = 8 + (unsigned)(value & 1);
	*type = (uint8_t)((uint64_t)value < 2 ? small : type_of[count / 8]);
	memcpy(end - sizeof(big_endian), &big_endian, sizeof(big_endian));
	return end - size_of[*type];
}

#endif
