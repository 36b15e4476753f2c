/* models/platform.c - defaults of a platform; see models/platform.h. */
#include "models/platform.h"

struct platform platform_default(void)
{
	return (struct platform){
		.name = "custom",
		.cores = 1,
		.engines = 1,
		.pool = POOL_SM,
		.sms_per_tpc = 1,
		.work_queues = 32,
	};
}
