/* tests/support/warp_params.h - a warp scheduler and its manager as a user names them. */
#ifndef CEGSIM_TESTS_SUPPORT_WARP_PARAMS_H
#define CEGSIM_TESTS_SUPPORT_WARP_PARAMS_H

#include "models/policy.h"
#include "models/warps/options.h"

/* The policy, and its parameters for a set of `kernels` kernels. Fails the test if there is no such
 * policy. */
const struct policy *warp_params(const struct warp_options *options, uint32_t kernels, struct params *params);

#endif
