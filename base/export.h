/* base/export.h - CEGSIM_API marks what policies and analyses outside the tree may call
 * (docs/adding-a-policy.md, docs/own-bounds.md). The program exports these functions to plug-ins; everything
 * else is built with hidden visibility. */
#ifndef CEGSIM_BASE_EXPORT_H
#define CEGSIM_BASE_EXPORT_H

#define CEGSIM_API __attribute__((visibility("default")))

#endif
