/* captures/nsys_names.c - texts, processes and threads by the numbers that an export of Nsight Systems gives
 * them. */
#include "base/list.h"
#include "captures/nsys.h"

/* ---- texts ---- */

const char *nsys_string(const struct nsys *n, int64_t id)
{
	size_t low = 0, high = n->string_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (n->string_ids[middle] == id)
			return n->strings[middle];
		if (n->string_ids[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	return "";
}

static bool add_string(struct nsys *n, int64_t id, const char *text)
{
	int64_t *ids = list_room(n->string_ids, n->string_count, sizeof(*ids), "reading texts", n->err);
	if (!ids)
		return false;
	n->string_ids = ids;
	const char **strings =
		list_room(n->strings, n->string_count, sizeof(*strings), "reading texts", n->err);
	if (!strings)
		return false;
	n->strings = strings;
	ids[n->string_count] = id;
	strings[n->string_count] = build_text(n->c, text, n->err);
	return strings[n->string_count++] != NULL;
}

bool nsys_read_strings(struct nsys *n)
{
	struct nsys_rows rows = nsys_rows(&n->db, "StringIds", "id value", "ORDER BY 1");
	while (nsys_next(&rows))
		rows.ok =
			nsys_null(&rows, 0) || add_string(n, nsys_integer(&rows, 0, 0), nsys_text(&rows, 1));
	return nsys_end(&rows);
}

/* ---- processes and threads ---- */

uint32_t nsys_process(struct nsys *n, int64_t global)
{
	return build_process(n->c, global / NSYS_THREADS, n->err);
}

uint32_t nsys_thread(struct nsys *n, int64_t global)
{
	uint32_t process = nsys_process(n, global);
	if (process == CAPTURE_NONE)
		return CAPTURE_NONE;
	return build_thread(n->c, process, global % NSYS_THREADS, n->err);
}

uint32_t nsys_find_thread(const struct nsys *n, int64_t global)
{
	uint32_t process = build_find_process(n->c, global / NSYS_THREADS);
	return process == CAPTURE_NONE ? CAPTURE_NONE
				       : build_find_thread(n->c, process, global % NSYS_THREADS);
}
