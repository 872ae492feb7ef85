/* model.h: what work takes, one model for every pass.
 *
 * work.c counts operations, model.c turns operations and moved bytes into
 * cycles of a machine, predict.c (with predict_nodes.c) says what a planned
 * program takes.
 * Choices are made in cycles, from facts that do not change from run to run
 * (cache sizes, width of vectors): the same program on the same machine is
 * always compiled alike.  Only explain and bench turn cycles into time. */
#ifndef LOCKSTEP_PASSES_MODEL_H
#define LOCKSTEP_PASSES_MODEL_H

#include "passes.h"

/* -- operations (work.c) ----------------------------------------------- */

/* The product of the sizes of a set of labels; size[l]: of label l. */
double pass_extent(uint64_t labels, const int64_t *size);
/* An einsum of n operands, joined from the left, each label summed as soon as
 * nothing later needs it: what contract makes of it. */
double pass_einsum_flops(const char *spec, int n, const Type *operands);
/* The same in one loop nest over all labels, as a kernel runs it. */
double pass_nest_flops(const Einsum *einsum);
/* Arithmetic of one op on one device, for choices: integer work counts as
 * that of floats, a function as the arithmetic that it takes. */
double pass_op_work(Op op, const char *spec, Type result, int n,
                    const Type *operands);
/* For people: a multiply-add is two operations, a function of a float one,
 * integer work none. */
double pass_node_flops(const Node *node);

/* Steps of a scan; -1: not known. */
int64_t pass_scan_length(const Node *scan);

/* -- cycles (model.c) -------------------------------------------------- */

/* The machine with what is not known filled in. */
Hardware pass_machine(const Hardware *hardware);
/* The same machine as n threads see it that share the work. */
Hardware pass_team(const Hardware *hardware, int threads);
/* Cycles for moving bytes, where the loop around touches `touched` bytes again
 * and again: from the cache that holds these, or further out. */
double pass_move_cycles(const Hardware *hardware, double bytes, double touched);
/* Which that is: 0, 1, 2 for caches, 3 for memory. */
int pass_level(const Hardware *hardware, double touched);

/* -- nodes of kernels (predict_nodes.c) -------------------------------- */

/* Cycles of arithmetic; those of functions (exp, draws) are added to *calls. */
double pass_node_work(const Hardware *machine, const Node *node, double *calls);
/* Cycles from its operands to its result. */
double pass_node_latency(const Hardware *machine, const Node *node);

#endif
