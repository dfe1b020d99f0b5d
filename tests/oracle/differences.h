/*
 * Central finite differences: the gradient of a function of many numbers, without calculus.
 *
 * Five points, so the error is of fourth order: with step 1e-3 about 1e-12 of the function's size.
 */
#ifndef VIALATA_TESTS_DIFFERENCES_H
#define VIALATA_TESTS_DIFFERENCES_H

#include "base/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define WITHIN 1e-6

static inline void fill(double *array, size_t n, uint64_t stream)
{
    for (size_t i = 0; i < n; i++)
        array[i] = (double)vl_random_normal(7, stream, i);
}

/* value(context) with *x moved by 'by'; *x is restored. */
static inline double moved(double *x, double by, double (*value)(void *), void *context)
{
    double kept = *x;
    *x = kept + by;
    double result = value(context);
    *x = kept;
    return result;
}

/* Is gradient (n) the derivative of value by x (n), relative error below WITHIN? */
static inline void assert_gradient(const double *gradient, double *x, size_t n,
                                   double (*value)(void *), void *context)
{
    const double h = 1e-3;
    double difference = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        double slope =
            (8 * (moved(x + i, h, value, context) - moved(x + i, -h, value, context)) -
             (moved(x + i, 2 * h, value, context) - moved(x + i, -2 * h, value, context))) /
            (12 * h);
        difference = hypot(difference, gradient[i] - slope);
        size = hypot(size, slope);
    }
    if (!(difference <= WITHIN * size))
        print_error("relative difference %g\n", difference / size);
    assert_true(size > 0);
    assert_true(difference <= WITHIN * size);
}

/* The function that is differentiated: the sum of y times fixed weights, so that dy = weights. */
static inline double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

#endif
