/* models/seldom.h - what the compiler should know of functions that the usual machine does not call in its
 * one loop (simulation.c), into which the rest is compiled. */
#ifndef CEGSIM_MODELS_SELDOM_H
#define CEGSIM_MODELS_SELDOM_H

/* Called less than once an event: not inlined, to keep the loop small. */
#define SELDOM __attribute__((noinline))

/* Called only where the scenario has something that most have not, such as contexts, calls, operations in
 * flight or several GPUs: registers and the order of code are for the others. */
#define RARE __attribute__((noinline, cold))

#endif
