/* base/words.h - the words of an enumeration, listed once, at its declaration:
 *
 *   #define MISS_WORDS(WORD) WORD(MISS_DROP, "drop") WORD(MISS_ABORT, "abort")
 *   enum on_miss { MISS_WORDS(WORD_VALUE) };
 *   WORDS(on_miss, MISS_WORDS)
 *
 * makes two functions: on_miss_name(MISS_DROP) returns "drop"; on_miss_named("drop") returns MISS_DROP, or -1
 * if its argument is none of the words, or NULL. Tables of words and values take WORD_CHOICE. */
#ifndef CEGSIM_BASE_WORDS_H
#define CEGSIM_BASE_WORDS_H

#include <stddef.h>
#include <string.h>

#define WORD_VALUE(value, word) value,
#define WORD_TEXT(value, word) word,
#define WORD_CHOICE(value, word) {word, value},

#define WORDS(name, LIST)                                                                                    \
	static inline const char *name##_name(enum name value)                                               \
	{                                                                                                    \
		static const char *const words[] = {LIST(WORD_TEXT)};                                        \
		return words[value];                                                                         \
	}                                                                                                    \
	static inline int name##_named(const char *word)                                                     \
	{                                                                                                    \
		static const char *const words[] = {LIST(WORD_TEXT) NULL};                                   \
		return word_find(words, word);                                                               \
	}

/* Index of a word in a list that ends with NULL; -1: it is not there, or NULL. */
static inline int word_find(const char *const *words, const char *word)
{
	for (int i = 0; word && words[i]; i++)
		if (strcmp(words[i], word) == 0)
			return i;
	return -1;
}

#endif
