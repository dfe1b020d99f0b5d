/* Functions of libm: too short for a clock around each, so calls are counted and one is timed. */
#include "runner/counted/counted.h"

#define CALLS 1000

#define ONE(name, real, which)                                                                     \
    VL_WRAPS(real, name, real x)                                                                   \
    {                                                                                              \
        vl_counted.math[which] += vl_counted_on;                                                   \
        return __real_##name(x);                                                                   \
    }
#define TWO(name, real, which)                                                                     \
    VL_WRAPS(real, name, real x, real y)                                                           \
    {                                                                                              \
        vl_counted.math[which] += vl_counted_on;                                                   \
        return __real_##name(x, y);                                                                \
    }
ONE(expf, float, VL_MATH_EXPF)
ONE(exp, double, VL_MATH_EXP)
ONE(exp2f, float, VL_MATH_EXP2F)
TWO(powf, float, VL_MATH_POWF)
TWO(pow, double, VL_MATH_POW)
ONE(logf, float, VL_MATH_LOGF)
ONE(log, double, VL_MATH_LOG)
ONE(tanhf, float, VL_MATH_TANHF)

static float of_float(int which, float x)
{
    return which == VL_MATH_EXPF    ? __real_expf(x)
           : which == VL_MATH_EXP2F ? __real_exp2f(x)
           : which == VL_MATH_POWF  ? __real_powf(0.95f, x)
           : which == VL_MATH_LOGF  ? __real_logf(x)
                                    : __real_tanhf(x);
}

static double of_double(int which, double x)
{
    return which == VL_MATH_EXP   ? __real_exp(x)
           : which == VL_MATH_POW ? __real_pow(0.95, x)
                                  : __real_log(x);
}

static int64_t time_of_calls(int which)
{
    int64_t began = vl_counted_clock();
    for (int i = 1; i <= CALLS; i++) {
        double x = 4.0 * i / CALLS;
        if (which == VL_MATH_EXP || which == VL_MATH_POW || which == VL_MATH_LOG)
            of_double(which, x); /* called, since the compiler knows nothing of it */
        else
            of_float(which, (float)x);
    }
    return vl_counted_clock() - began;
}

void vl_counted_estimate_math(struct vl_counts *counts)
{
    for (int which = 0; which < VL_MATH_FUNCTIONS; which++) {
        int64_t least = 0;
        for (int try = 0; try < 3 && counts->math[which] > 0; try++) {
            int64_t taken = time_of_calls(which);
            least = try == 0 || taken < least ? taken : least;
        }
        counts->math_ns[which] = counts->math[which] * least / CALLS;
    }
}
