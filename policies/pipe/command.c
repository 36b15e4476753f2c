/* policies/pipe/command.c - see policies/pipe/command.h. */
#include "policies/pipe/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/list.h"
#include "base/sha256.h"
#include "base/text.h"

#define FILES_BYTES_MAX ((size_t)256 << 20)
#define LINE_BYTES_MAX 4096u

/* ---- words ---- */

void command_free_words(char **words, size_t count)
{
	for (size_t i = 0; words && i < count; i++)
		free(words[i]);
	free(words);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* Cuts off the word at *at, which is not blank. False: a quote is not closed. */
static bool cut_word(const char **at, struct text *word)
{
	const char *c = *at;
	char quote = '\0';
	for (; *c && (quote || !is_blank(*c)); c++) {
		if (*c == '\\' && quote != '\'' && c[1])
			text_add_char(word, *++c);
		else if (quote ? *c == quote : *c == '\'' || *c == '"')
			quote = quote ? '\0' : *c;
		else
			text_add_char(word, *c);
	}
	*at = c;
	return !quote;
}

/* Takes the word over. */
static bool add_word(char ***words, size_t *count, char *word, struct error *err)
{
	char **grown = word ? list_room(*words, *count, sizeof(*grown), "reading a command", err) : NULL;
	if (!word)
		return error_memory(err, "reading a command");
	if (!grown) {
		free(word);
		return false;
	}
	*words = grown;
	grown[(*count)++] = word;
	return true;
}

static bool split(const char *text, char ***words, size_t *count, struct error *err)
{
	for (const char *c = text; *c;) {
		struct text word = {0};
		if (is_blank(*c)) {
			c++;
			continue;
		}
		text_add(&word, ""); /* '' is a word, too */
		bool closed = cut_word(&c, &word);
		char *taken = text_take(&word);
		if (!add_word(words, count, taken, err))
			return false;
		if (!closed)
			return error_set(err, STATUS_INPUT, "a quote is not closed");
	}
	return true;
}

bool command_split(const char *text, char ***words, size_t *count, struct error *err)
{
	*words = NULL;
	*count = 0;
	if (split(text, words, count, err))
		return true;
	command_free_words(*words, *count);
	*words = NULL;
	*count = 0;
	return false;
}

static void add_quoted(struct text *line, const char *word)
{
	if (*word && !strpbrk(word, " \t\n'\"\\")) {
		text_add(line, word);
		return;
	}
	text_add_char(line, '"');
	for (; *word; word++) {
		if (*word == '"' || *word == '\\')
			text_add_char(line, '\\');
		text_add_char(line, *word);
	}
	text_add_char(line, '"');
}

static const char *without_folders(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

static bool keep_words(
	struct command *c, const char *const *words, size_t count, const char *folder, struct error *err)
{
	struct text line = {0};
	*c = (struct command){.words = calloc(count + 1, sizeof(*c->words))};
	if (!c->words)
		return error_memory(err, "reading a command");
	for (; c->count < count; c->count++) {
		text_add(&line, c->count ? " " : "");
		add_quoted(&line, words[c->count]);
		if (!(c->words[c->count] = strdup(words[c->count])))
			break;
	}
	c->line = text_take(&line);
	c->folder = folder ? strdup(folder) : NULL;
	return (c->count == count && c->line && (c->folder || !folder)) ||
	       error_memory(err, "reading a command");
}

void command_finish(struct command *c)
{
	command_free_words(c->words, c->count);
	free(c->folder);
	free(c->line);
	free(c->name);
	*c = (struct command){0};
}

/* ---- files ---- */

/* The path as seen from the current folder; free() it. NULL: out of memory. */
static char *path_of(const struct command *c, const char *word)
{
	char *path = NULL;
	if (!c->folder || word[0] == '/')
		return strdup(word);
	return asprintf(&path, "%s/%s", c->folder, word) < 0 ? NULL : path;
}

/* False: *err, the machine cannot say it. */
static bool is_file(const char *path, bool *file, struct error *err)
{
	struct stat status;
	bool there = stat(path, &status) == 0;
	*file = there && S_ISREG(status.st_mode);
	return there || error_unopened(errno) == STATUS_INPUT ||
	       error_set(err, STATUS_IO, "cannot look at %s: %s", path, strerror(errno));
}

/* Appends what the file holds. */
static bool read_file(const char *path, struct text *content, struct error *err)
{
	char buffer[1 << 16];
	ssize_t got = -1;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	while (fd >= 0 && content->length <= FILES_BYTES_MAX && (got = read(fd, buffer, sizeof(buffer))) > 0)
		text_add_bytes(content, buffer, (size_t)got);
	int reason = errno;
	if (fd >= 0)
		close(fd);
	if (fd < 0 || got < 0)
		return error_set(err, fd < 0 ? error_unopened(reason) : STATUS_IO, "%s cannot be read: %s",
			path, strerror(reason));
	return content->length <= FILES_BYTES_MAX ||
	       error_set(err, STATUS_INPUT, "its files are longer than 256 MiB");
}

/* Takes over the path. *program: it, if the file can be run; else stays as it is. False: *err. */
static bool try_program(char *path, char **program, struct error *err)
{
	bool file = false, ok = path ? is_file(path, &file, err) : error_memory(err, "reading a command");
	if (file && access(path, X_OK) == 0)
		*program = path;
	else
		free(path);
	return ok;
}

/* The program's file, found as execvp(3) does; free() it. NULL: it is not there. False: *err. */
static bool find_program(const struct command *c, char **program, struct error *err)
{
	const char *name = c->words[0], *dirs = getenv("PATH");
	char *path = NULL;
	bool ok = true;
	*program = NULL;
	if (strchr(name, '/'))
		return try_program(path_of(c, name), program, err);
	for (const char *d = dirs ? dirs : "/usr/bin:/bin"; ok && !*program && d; d = *d ? d + 1 : NULL) {
		size_t length = strcspn(d, ":");
		if (asprintf(&path, "%.*s%s%s", (int)length, d, length ? "/" : "./", name) < 0)
			path = NULL;
		ok = try_program(path, program, err);
		d += length;
	}
	return ok;
}

/* The program's own file counts if it is given with its folder. */
static bool add_files(struct command *c, struct text *content, bool *any, struct error *err)
{
	for (size_t i = strchr(c->words[0], '/') ? 0 : 1; i < c->count; i++) {
		char *path = path_of(c, c->words[i]);
		bool file = false,
		     ok = path ? is_file(path, &file, err) : error_memory(err, "reading a command");
		ok = ok && (!file || read_file(path, content, err));
		free(path);
		if (!ok)
			return false;
		*any |= file;
		if (file && i > 0 && !c->name && !(c->name = strdup(without_folders(c->words[i]))))
			return error_memory(err, "reading a command");
	}
	return true;
}

static bool read_files(struct command *c, const char *program, struct text *content, struct error *err)
{
	char text[SHA256_TEXT];
	bool any = false;
	if (!add_files(c, content, &any, err) || (!any && !read_file(program, content, err)))
		return false;
	if (!c->name && !(c->name = strdup(without_folders(c->words[0]))))
		return error_memory(err, "reading a command");
	if (!text_ok(content, "reading a command", err))
		return false;
	sha256(text_data(content), content->length, text);
	snprintf(c->digest, sizeof(c->digest), "%.*s", COMMAND_DIGEST_DIGITS, text);
	return true;
}

bool command_init(
	struct command *c, const char *const *words, size_t count, const char *folder, struct error *err)
{
	struct text content = {0};
	if (!keep_words(c, words, count, folder, err))
		return false;
	if (count == 0)
		return error_set(err, STATUS_INPUT, "there is no command");
	if (strlen(c->line) > LINE_BYTES_MAX)
		return error_set(err, STATUS_INPUT, "the command is longer than %u bytes", LINE_BYTES_MAX);
	char *program = NULL;
	bool ok = find_program(c, &program, err) &&
		  (program ? read_files(c, program, &content, err)
			   : error_set(err, STATUS_INPUT, "there is no program '%.200s'", words[0]));
	text_finish(&content);
	free(program);
	return ok;
}
