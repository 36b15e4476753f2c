/* tests/fuzz/words_mutator.c - how libFuzzer changes files of keys and values: half of the time a word, a
 * line or an item goes, comes twice, or is replaced by another word of the file or by a special one, so that
 * what comes out mostly can still be read. Bytes alone seldom get as far as to what concerns several values.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define WORDS_MAX 4096u

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

struct file {
	uint8_t *data;
	size_t size, max_size;
	uint64_t random;
};

struct span {
	size_t at, length;
};

/* Below `limit`, which is not 0. */
static size_t draw(struct file *f, size_t limit)
{
	f->random = f->random * 6364136223846793005u + 1442695040888963407u;
	return (size_t)(f->random >> 33) % limit;
}

static void replace(struct file *f, struct span old, const void *with, size_t length)
{
	if (f->size - old.length + length > f->max_size)
		return;
	size_t behind = old.at + old.length;
	memmove(f->data + old.at + length, f->data + behind, f->size - behind);
	memcpy(f->data + old.at, with, length);
	f->size = f->size - old.length + length;
}

static bool parts(uint8_t byte, const char *separators)
{
	return byte == '\0' || strchr(separators, byte) != NULL;
}

/* A run of bytes without any of the separators; of length 0: there is none. */
static struct span choose(struct file *f, const char *separators)
{
	struct span spans[WORDS_MAX];
	size_t count = 0;
	for (size_t i = 0; i < f->size && count < WORDS_MAX;) {
		size_t end = i;
		while (end < f->size && !parts(f->data[end], separators))
			end++;
		if (end > i)
			spans[count++] = (struct span){i, end - i};
		i = end + 1;
	}
	return count ? spans[draw(f, count)] : (struct span){0, 0};
}

static void put_special(struct file *f, struct span word)
{
	static const char *const special[] = {"-1", "0", "1", "2", "10mss", "1ms", "9223372036854775807",
		"1e30", "50%", "[]", "{}", "[1, 2]", "{a: 1}", "null", "\"\"", "true", "x"};
	const char *with = special[draw(f, sizeof(special) / sizeof(*special))];
	replace(f, word, with, strlen(with));
}

static void put_another(struct file *f, struct span word, const char *separators)
{
	uint8_t copy[256];
	struct span other = choose(f, separators);
	size_t length = other.length < sizeof(copy) ? other.length : sizeof(copy);
	memcpy(copy, f->data + other.at, length);
	replace(f, word, copy, length);
}

static void put_twice(struct file *f, struct span part)
{
	uint8_t copy[1024];
	if (part.length + 1 > sizeof(copy))
		return;
	size_t length = part.length;
	memcpy(copy, f->data + part.at, length);
	if (part.at + length < f->size)
		copy[length++] = f->data[part.at + part.length]; /* what parts it from the next */
	replace(f, (struct span){part.at, 0}, copy, length);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	static const char words[] = " \t\n,:{}[]#", items[] = "\n,{}[]", lines[] = "\n";
	struct file f = {data, size, max_size, seed};
	if (draw(&f, 2) == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	const char *separators = (const char *[]){words, items, lines}[draw(&f, 3)];
	for (size_t changes = 1 + draw(&f, 3); changes > 0; changes--) {
		struct span part = choose(&f, separators);
		switch (draw(&f, 4)) {
		case 0:
			replace(&f, part, "", 0);
			break;
		case 1:
			put_special(&f, part);
			break;
		case 2:
			put_another(&f, part, separators);
			break;
		default:
			put_twice(&f, part);
		}
	}
	return f.size;
}
