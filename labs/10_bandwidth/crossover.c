/*
 * Lab 10, station 5: the bandwidth above which no pipeline is needed.
 *
 * The contract is in include/vialata/crossover.h.
 */
#include "vialata/crossover.h"

#include <math.h>

/* include/vialata/crossover.h: the least bandwidth at which it is true, to a thousandth. */
enum vl_status vl_crossover(double *bandwidth, double low, double high, double slack,
                            const struct vl_rivals *rivals)
{
    (void)bandwidth;
    (void)low;
    (void)high;
    (void)slack;
    (void)rivals;
    /* TODO(10): refuse null pointers, low <= 0, high < low, slack < 0. */
    /* TODO(10): a static function: is it true at this bandwidth? It is false where no division
     * without a pipeline fits; a status that is not VL_OK is returned at once. */
    /* TODO(10): is 'low' enough already? Is even 'high' too little (INFINITY)? */
    /* TODO(10): it is true at one end and false at the other: narrow the range, by ratio and not
     * by difference. 40 calls are allowed. */
    return VL_TODO;
}
