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
#include "policies/own.h"
#include "policies/plugin/bounds.h"
#include "policies/plugin/build.h"
#include "policies/plugin/check.h"
#include "policies/plugin/crash.h"
#include "policies/registry.h"

#define DIGEST_DIGITS 16
#define FILE_BYTES_MAX ((off_t)256 << 20)

struct plugin {
	struct plugin *next;
	void *handle;
	const struct policy *policy;     /* NULL: it has none */
	const struct analysis *analysis; /* as the plug-in has it; NULL: it has none */
	struct analysis checked;         /* the same, called so that mistakes in its bounds are found */
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

static const struct plugin *of_analysis(const struct analysis *analysis)
{
	const struct plugin *p = loaded;
	while (p && &p->checked != analysis)
		p = p->next;
	return p;
}

const struct policy *plugin_find(const char *name)
{
	for (const struct plugin *p = loaded; p; p = p->next)
		if (p->policy && strcmp(p->policy->name, name) == 0)
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

const char *plugin_analysis_digest(const struct analysis *analysis)
{
	const struct plugin *p = of_analysis(analysis);
	return p ? p->digest : NULL;
}

const char *plugin_analysis_file(const struct analysis *analysis)
{
	const struct plugin *p = of_analysis(analysis);
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
		return "; of cegsim a plug-in may call what <cegsim.h> and <cegsim_analysis.h> declare as "
		       "CEGSIM_API";
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

/* False: *err becomes "plug-in FILE: REASON". */
static bool fail(const struct plugin *p, const struct error *reason, struct error *err)
{
	return error_set(err, reason->status, "plug-in %s%s", p->file, reason->text);
}

static bool name_taken(
	const struct plugin *p, const char *name, const char *noun, const char *other, struct error *err)
{
	return other ? error_set(err, STATUS_INPUT, "plug-in %s: name is \"%s\", as that of plug-in %s",
			       p->file, name, other)
		     : error_set(err, STATUS_INPUT, "plug-in %s: name is \"%s\", which is %s of cegsim",
			       p->file, name, noun);
}

static bool check_policy(struct plugin *p, const struct cegsim_plugin *theirs, struct error *err)
{
	struct error reason;
	if (!build_check_policy(theirs, &reason))
		return fail(p, &reason, err);
	p->policy = theirs->policy;
	if (!p->policy)
		return error_set(err, STATUS_INPUT, "plug-in %s: CEGSIM_POLICY() got no policy", p->file);
	if (!plugin_check(p->policy, &reason))
		return error_set(err, reason.status, "plug-in %s: %s", p->file, reason.text);
	const char *name = p->policy->name;
	const struct policy *other = plugin_find(name);
	return (!policy_find(name) && !other) ||
	       name_taken(p, name, "a policy", other ? plugin_file(other) : NULL, err);
}

static const struct plugin *find_analysis(const char *name)
{
	const struct plugin *p = loaded;
	while (p && !(p->analysis && strcmp(p->analysis->name, name) == 0))
		p = p->next;
	return p;
}

static bool check_analysis(struct plugin *p, const struct cegsim_analysis *theirs, struct error *err)
{
	struct error reason;
	if (!build_check_analysis(theirs, &reason))
		return fail(p, &reason, err);
	p->analysis = theirs->analysis;
	if (!p->analysis)
		return error_set(err, STATUS_INPUT, "plug-in %s: CEGSIM_ANALYSIS() got no analysis", p->file);
	if (!plugin_check_analysis(p->analysis, &reason))
		return error_set(err, reason.status, "plug-in %s: %s", p->file, reason.text);
	const char *name = p->analysis->name;
	const struct plugin *other = find_analysis(name);
	return (!analysis_find(name) && !other) ||
	       name_taken(p, name, "an analysis", other ? other->file : NULL, err);
}

static bool check(struct plugin *p, struct error *err)
{
	const struct cegsim_plugin *policy = dlsym(p->handle, "cegsim_plugin");
	const struct cegsim_analysis *analysis = dlsym(p->handle, "cegsim_analysis");
	if (!policy && !analysis)
		return error_set(err, STATUS_INPUT,
			"plug-in %s is not one of cegsim: it has neither of the symbols cegsim_plugin and "
			"cegsim_analysis; its source ends with CEGSIM_POLICY(its_struct_policy); or "
			"CEGSIM_ANALYSIS(its_struct_analysis);",
			p->file);
	return (!policy || check_policy(p, policy, err)) && (!analysis || check_analysis(p, analysis, err));
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

/* Users' analyses may err: that is no failure of the program. */
static bool ask(const struct analysis *self, const struct plan *plan, const struct params *params,
	struct arena *arena, struct analysis_result *result, struct error *err)
{
	return plugin_bound(of_analysis(self)->analysis, plan, params, arena, result, err);
}

static void keep(struct plugin *p)
{
	struct link_map *map = NULL;
	if (dlinfo(p->handle, RTLD_DI_LINKMAP, &map) == 0)
		plugin_crash_know(map, p->file);
	if (p->analysis)
		p->checked = *p->analysis;
	p->checked.ask = ask;
	p->next = loaded;
	loaded = p;
}

static const struct plugin *load(const char *file, struct error *err)
{
	if (!own_code_may("load the plug-in", file, err))
		return NULL;
	struct plugin *p = calloc(1, sizeof(*p));
	if (!p || !(p->file = strdup(file))) {
		free(p);
		error_memory(err, "a plug-in");
		return NULL;
	}
	bool ok = digest_file(p, err) && open_handle(p, err);
	const struct plugin *before = ok ? same_handle(p->handle) : NULL;
	if (!ok || before || !check(p, err)) {
		forget(p);
		return before;
	}
	keep(p);
	return p;
}

const struct policy *plugin_load(const char *file, struct error *err)
{
	const struct plugin *p = load(file, err);
	if (p && !p->policy)
		error_set(err, STATUS_INPUT,
			"plug-in %s has no policy; it has the analysis '%s', which goes behind -a, or into "
			"'analyses'",
			file, p->analysis->name);
	return p ? p->policy : NULL;
}

const struct analysis *plugin_load_analysis(const char *file, struct error *err)
{
	const struct plugin *p = load(file, err);
	if (p && !p->analysis)
		error_set(err, STATUS_INPUT,
			"plug-in %s has no analysis; it has the policy '%s', which goes behind -p, or into "
			"'policies'",
			file, p->policy->name);
	return p && p->analysis ? &p->checked : NULL;
}
