/*
 * General signs of a wrong result: what the numbers alone show, whatever the function.
 *
 *   not_accumulated, accumulated   the old content was overwritten, or added to, wrongly
 *   all_zero, sign_flipped, scaled the right numbers times 0, -1, or another factor
 *   transposed, rotated, halves_swapped      the right numbers in the wrong place
 *   places_exchanged               the same of single rows, columns or numbers (places.h)
 *   of_another_rank, of_another_array        the right numbers of another result (case_sign.c)
 *   last_row, last_column          only the last rows (columns) are wrong, a quarter at most: a boundary
 */
#ifndef VIALATA_GRADE_JUDGE_SIGNS_H
#define VIALATA_GRADE_JUDGE_SIGNS_H

#include "wire/bag.h"
#include <stdbool.h>
#include <stddef.h>

#define VL_SIGN_NAME 96

struct vl_sign {
    const char *code;
    char *message;           /* translated, fresh */
    double factor;           /* of what is scaled; else 0 */
    char name[VL_SIGN_NAME]; /* ... in the case's own sizes: "sqrt(head_width)"; or empty */
};

/* Fill *sign with a code and a sentence. VL_ENOMEM without memory: then the message is NULL. */
enum vl_status vl_sign_say(struct vl_sign *sign, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Look at one wrong array. 'near' is how close (relative) counts as the same. VL_OK with code NULL
 * if nothing is recognised; VL_ENOMEM.
 */
enum vl_status vl_signs_find(struct vl_sign *sign, const struct vl_tensor_entry *got,
                             const struct vl_tensor_entry *expected, const struct vl_bag *inputs,
                             double near);

/* Do both say the same? Two factors do if they are equal, or the same sizes explain them. */
bool vl_signs_agree(const struct vl_sign *one, const struct vl_sign *other, double near);

/* May a single case show this by coincidence? Something is wrong at the end of an array for many reasons. */
bool vl_sign_is_weak(const struct vl_sign *sign);

/* Does it say all there is to say, so that no other cause need be looked for? "Every number is zero" has
 * one, and so has a factor. */
bool vl_sign_is_certain(const struct vl_sign *sign);

/* Does it say where each number belongs? */
bool vl_sign_is_of_places(const struct vl_sign *sign);

/* Two, or a half: it has too many reasons to be named after a size, such as the root of 4. */
bool vl_sign_is_easy_factor(double factor, double near);

/* A factor that the sizes of a case explain: "sqrt(head_width)". False if there is none. */
bool vl_sign_name_factor(char *text, size_t size, double factor, const struct vl_bag *inputs,
                         double near);

#endif
