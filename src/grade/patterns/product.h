/*
 * Which product of sizes, times a plain factor, gives these numbers? One number for each case, and the
 * sizes of that case:
 *
 *     width  tokens  ranks      number
 *         8      16      2         128     = width × tokens
 *        12       7      3          84     = width × tokens
 *
 * Only what leaves no doubt is an answer: all cases agree to the last digit, the product differs between
 * them, and no other product of as few sizes fits. From three cases on it may be a factor alone.
 */
#ifndef VIALATA_GRADE_PATTERNS_PRODUCT_H
#define VIALATA_GRADE_PATTERNS_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>

#define VL_PRODUCT_COLUMNS 128
#define VL_PRODUCT_CASES   64
#define VL_PRODUCT_SIZES   5 /* the most in a product */

/* A size, or something of it, in every case. */
struct vl_product_column {
    const char *name; /* "width" */
    const char *form; /* "%s", "(%s - 1)": how it is written */
    double value[VL_PRODUCT_CASES];
};

struct vl_product {
    const struct vl_product_column *times[VL_PRODUCT_SIZES], *over; /* over: may be NULL */
    int size_count;
    double factor;
};

struct vl_product_search {
    size_t case_count;
    double number[VL_PRODUCT_CASES];
    struct vl_product_column columns[VL_PRODUCT_COLUMNS];
    size_t column_count;
    double value[VL_PRODUCT_SIZES + 2][VL_PRODUCT_CASES]; /* of the product so far, by its sizes */
    struct vl_product product, found;
    bool divides; /* products over a size are tried: the others do not fit */
    int fits;
};

/* The caller has filled the values of columns[column_count]. Keep it if it helps: it is never negative, it
 * is more than 0 and 1, and no kept column has the same values. */
void vl_product_keep(struct vl_product_search *search, const char *name, const char *form);

/* True if there is exactly one; it is in 'found'. */
bool vl_product_find(struct vl_product_search *search);

/* "2 × layers × width"; fresh, NULL without memory. */
char *vl_product_text(const struct vl_product *product);

#endif
