/* A shared object that is no plug-in. */
#include <cegsim.h>

bool plan(struct plan *plan, struct error *err);
bool plan(struct plan *plan, struct error *err)
{
	(void)plan;
	(void)err;
	return true;
}
