/* base/limits.h - limits that are the same in rooms which know nothing of each other. */
#ifndef CEGSIM_BASE_LIMITS_H
#define CEGSIM_BASE_LIMITS_H

/* GPUs of a platform: what the models simulate, and charts and traces have lanes for. */
#define GPUS_MOST 16u

#endif
