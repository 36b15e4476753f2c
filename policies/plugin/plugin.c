/* policies/plugin/plugin.c - loads plug-ins and owns the table of those that are loaded. */
#include "policies/plugin/plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sha256.h"
#include "models/cegsim.h"
#include "policies/plugin/check.h"
#include "policies/plugin/crash.h"
#include "policies/registry.h"

#define DIGEST_DIGITS 16
#define FILE_BYTES_MAX ((off_t)256 << 20)

struct plugin {
	struct plugin *next;
	void *handle;
	const struct policy *policy;
	char *file;
	char digest[DIGEST_DIGITS + 1];
};

static struct plugin *loaded;

bool plugin_is_file(const char *name)
{
	size_t length = strlen(name);
	return strchr(name, '/') || (length > 3 && strcmp(name + length - 3, ".so") == 0);
}

/* ---- the table ---- */

static const struct plugin *of(const struct policy *policy)
{
	const struct plugin *p = loaded;
	while (p && p->policy != policy)
		p = p->next;
	return p;
}

const struct policy *plugin_find(const char *name)
{
	for (const struct plugin *p = loaded; p; p = p->next)
		if (strcmp(p->policy->name, name) == 0)
			return p->policy;
	return NULL;
}

const char *plugin_digest(const struct policy *policy)
{
	const struct plugin *p = of(policy);
	return p ? p->digest : NULL;
}

const char *plugin_file(const struct policy *policy)
{
	const struct plugin *p = of(policy);
	return p ? p->file : NULL;
}

/* ---- the file ---- */

static bool digest_open_file(int fd, struct plugin *p, struct error *err)
{
	struct stat status;
	char text[SHA256_TEXT];
	if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > FILE_BYTES_MAX ||
		status.st_size == 0)
		return error_set(err, STATUS_INPUT, "plug-in %s is not a shared object", p->file);
	void *data = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED)
		return error_set(err, STATUS_IO, "plug-in %s cannot be read: %s", p->file, strerror(errno));
	sha256(data, (size_t)status.st_size, text);
	munmap(data, (size_t)status.st_size);
	snprintf(p->digest, sizeof(p->digest), "%.*s", DIGEST_DIGITS, text);
	return true;
}

static bool digest_file(struct plugin *p, struct error *err)
{
	int fd = open(p->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return error_set(
			err, STATUS_INPUT, "plug-in %s cannot be opened: %s", p->file, strerror(errno));
	bool ok = digest_open_file(fd, p, err);
	close(fd);
	return ok;
}

/* ---- loading ---- */

static const char *hint(const char *reason)
{
	if (strstr(reason, "undefined symbol"))
		return "; of cegsim a plug-in may call what <cegsim.h> declares as CEGSIM_API";
	return strstr(reason, "ELF") || strstr(reason, "too short") || strstr(reason, "executable")
		       ? "; a plug-in is a shared object, built with -shared -fPIC"
		       : "";
}

/* The dynamic linker takes a name for a path only if it contains a '/'. */
static bool open_handle(struct plugin *p, struct error *err)
{
	char *path = realpath(p->file, NULL);
	if (!path)
		return error_set(
			err, STATUS_INPUT, "plug-in %s cannot be opened: %s", p->file, strerror(errno));
	plugin_crash_watch();
	p->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	const char *reason = p->handle ? NULL : dlerror();
	if (reason) {
		size_t length = strlen(path);
		bool prefixed = strncmp(reason, path, length) == 0 && reason[length] == ':';
		error_set(err, STATUS_INPUT, "plug-in %s cannot be loaded: %s%s", p->file,
			prefixed ? reason + length + 2 : reason, hint(reason));
	}
	free(path);
	return !reason;
}

static const char *const type_names[] = {
#define NAME(type) #type,
	CEGSIM_PLUGIN_TYPES(NAME)
#undef NAME
};
#define TYPES (sizeof(type_names) / sizeof(*type_names))
_Static_assert(TYPES < CEGSIM_PLUGIN_TYPES_MAX, "a 0 ends the list");

/* Was it built against the headers of this program? */
static bool check_build(const struct plugin *p, const struct cegsim_plugin *theirs, struct error *err)
{
	static const uint32_t ours[CEGSIM_PLUGIN_TYPES_MAX] = {CEGSIM_PLUGIN_TYPES(CEGSIM_PLUGIN_SIZE)};
	if (theirs->abi >> 16 != CEGSIM_PLUGIN_ABI >> 16)
		return error_set(err, STATUS_INPUT,
			"plug-in %s: its cegsim_plugin is not made by CEGSIM_POLICY()", p->file);
	if (theirs->abi != CEGSIM_PLUGIN_ABI)
		return error_set(err, STATUS_INPUT,
			"plug-in %s was built for version %u of the interface, this program has "
			"version %u; build it again with this program's headers (pkg-config --cflags cegsim)",
			p->file, theirs->abi & 0xFFFF, CEGSIM_PLUGIN_ABI & 0xFFFF);
	for (size_t i = 0; i <= TYPES; i++)
		if (theirs->size[i] != ours[i])
			return error_set(err, STATUS_INPUT,
				"plug-in %s was built against other headers: %s has %u bytes there, "
				"%u here; build it again with this program's headers (pkg-config --cflags "
				"cegsim)",
				p->file, i < TYPES ? type_names[i] : "a further type", theirs->size[i],
				ours[i]);
	return true;
}

static bool check_name(const struct plugin *p, struct error *err)
{
	const char *name = p->policy->name;
	if (policy_find(name))
		return error_set(err, STATUS_INPUT, "plug-in %s: name is \"%s\", which is a policy of cegsim",
			p->file, name);
	const struct policy *other = plugin_find(name);
	return !other || error_set(err, STATUS_INPUT, "plug-in %s: name is \"%s\", as that of plug-in %s",
				 p->file, name, plugin_file(other));
}

static bool check_policy(struct plugin *p, struct error *err)
{
	struct error reason;
	const struct cegsim_plugin *theirs = dlsym(p->handle, "cegsim_plugin");
	if (!theirs)
		return error_set(err, STATUS_INPUT,
			"plug-in %s is not one of cegsim: it has no symbol cegsim_plugin; its "
			"source ends with CEGSIM_POLICY(its_struct_policy);",
			p->file);
	if (!check_build(p, theirs, err))
		return false;
	p->policy = theirs->policy;
	if (!p->policy)
		return error_set(err, STATUS_INPUT, "plug-in %s: CEGSIM_POLICY() got no policy", p->file);
	if (!plugin_check(p->policy, &reason))
		return error_set(err, reason.status, "plug-in %s: %s", p->file, reason.text);
	return check_name(p, err);
}

static void forget(struct plugin *p)
{
	if (p->handle)
		dlclose(p->handle);
	free(p->file);
	free(p);
}

/* A file is loaded once, even if it is named in several ways. */
static const struct plugin *same_handle(void *handle)
{
	const struct plugin *p = loaded;
	while (p && p->handle != handle)
		p = p->next;
	return p;
}

const struct policy *plugin_load(const char *file, struct error *err)
{
	struct plugin *p = calloc(1, sizeof(*p));
	struct link_map *map = NULL;
	if (!p || !(p->file = strdup(file))) {
		free(p);
		error_memory(err, "a plug-in");
		return NULL;
	}
	bool ok = digest_file(p, err) && open_handle(p, err);
	const struct plugin *before = ok ? same_handle(p->handle) : NULL;
	if (!ok || before || !check_policy(p, err)) {
		forget(p);
		return before ? before->policy : NULL;
	}
	if (dlinfo(p->handle, RTLD_DI_LINKMAP, &map) == 0)
		plugin_crash_know(map, p->file);
	p->next = loaded;
	loaded = p;
	return p->policy;
}
