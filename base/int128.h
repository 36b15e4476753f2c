/* base/int128.h - 128-bit integers, a GNU extension of both compilers we build with. Products of
 * times and of power and time need them to stay exact. */
#ifndef CEGSIM_BASE_INT128_H
#define CEGSIM_BASE_INT128_H

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

#endif
