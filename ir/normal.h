/* normal.h: from a uniform number to a normal one: what normal.c and generated
 * code (codegen/element_normal.c) share.  Both compute the same steps in the
 * same order, so they give the same bits. */
#ifndef LOCKSTEP_IR_NORMAL_H
#define LOCKSTEP_IR_NORMAL_H

/* sqrt(2) erfinv(uniform), the normal number that belongs to a uniform one in
 * (-1, 1). */
double ir_normal(double uniform);

enum { NORMAL_TERMS = 8 };
enum { NORMAL_MIDDLE, NORMAL_NEAR, NORMAL_FAR, N_NORMAL_PIECES };

/* R of each piece: coefficients above and below, lowest first. */
extern const double ir_normal_terms[N_NORMAL_PIECES][2][NORMAL_TERMS];

/* |u| <= MIDDLE_END is in the middle, v < NEAR_END in the near piece. */
#define NORMAL_MIDDLE_END 0.85
#define NORMAL_MIDDLE_TURN 0.7225
#define NORMAL_NEAR_END 3.0
#define NORMAL_NEAR_TURN 1.375
#define NORMAL_FAR_TURN 3.0
#define NORMAL_NEAR_SCALE 1.1875
#define NORMAL_FAR_SCALE 1.3125
/* sqrt(pi/2), and the rest of it */
#define NORMAL_ROOT 0x1.40d931ff62705p+0
#define NORMAL_ROOT_REST 0x1.2caf9483f5ce4p-53

#endif
