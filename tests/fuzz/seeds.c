/* tests/fuzz/seeds.c - runs a fuzzer on its seeds, once each, without libFuzzer: in every build, with any
 * compiler, what was once found stays mended. Arguments are files, and folders of them. Prints TAP; the seed
 * that ends the program was named before. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

static int count;

static void fail(const char *path)
{
	perror(path);
	exit(EXIT_FAILURE);
}

static void run_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	if (!f || fseek(f, 0, SEEK_END) != 0)
		fail(path);
	long size = ftell(f);
	rewind(f);
	/* Of exactly this size: a sanitizer sees a byte too far. */
	uint8_t *bytes = malloc((size_t)size + !size);
	if (!bytes || fread(bytes, 1, (size_t)size, f) != (size_t)size)
		fail(path);
	fclose(f);
	printf("# %s\n", path);
	LLVMFuzzerTestOneInput(bytes, (size_t)size);
	printf("ok %d - %s\n", ++count, path);
	free(bytes);
}

static int not_hidden(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void run_path(const char *path)
{
	struct dirent **entries;
	int entry_count = scandir(path, &entries, not_hidden, alphasort);
	if (entry_count < 0) {
		run_file(path);
		return;
	}
	for (int i = 0; i < entry_count; i++) {
		char name[4096];
		snprintf(name, sizeof(name), "%s/%s", path, entries[i]->d_name);
		run_path(name);
		free(entries[i]);
	}
	free(entries);
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (LLVMFuzzerInitialize)
		LLVMFuzzerInitialize(&argc, &argv);
	for (int i = 1; i < argc; i++)
		run_path(argv[i]);
	printf("1..%d\n", count);
	return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
