/*
 * A view: one wrong array of an answer, and how each probe moves it. For influence.c and the files
 * that look at it in their own ways.
 *
 * Each vl_find_...() says something only if it is certain.
 */
#ifndef VIALATA_GRADE_EXPERIMENT_INFLUENCE_VIEW_H
#define VIALATA_GRADE_EXPERIMENT_INFLUENCE_VIEW_H

#include "grade/experiment/influence/movement.h"

struct vl_view {
    const struct vl_influence *influence;
    const struct vl_tensor_entry *expected;
    char name[VL_SHOWN_NAME];
    struct vl_moving moving[VL_PROBES_MOST];
    struct vl_movement of[VL_PROBES_MOST];
    bool usable[VL_PROBES_MOST];
};

/* The probe p and its input, as the submission knows it. */
enum vl_probe_kind vl_view_kind(const struct vl_view *v, size_t p);
const struct vl_tensor_entry *vl_view_input(const struct vl_view *v, size_t p);
const char *vl_view_shown(const struct vl_view *v, size_t p);

/* Does p change a whole input, and is known what came of it? */
bool vl_view_is_whole(const struct vl_view *v, size_t p);

/* Is the array indifferent to all of an input that it should follow? */
bool vl_view_is_ignored(const struct vl_view *v, size_t p);

/* Is there an input that it should follow and does not? Then it may follow others in a way of its own. */
bool vl_view_ignores_some(const struct vl_view *v);

/* Was the input made by another function, so that the submission may have made it again by itself? */
bool vl_view_is_saved(const struct vl_view *v, size_t p);

/* What of other ranks' inputs arrives (arrivals.c). */
void vl_find_arrivals(struct vl_sign *finding, const struct vl_view *v);

/* What single elements move (places.c). */
void vl_find_places(struct vl_sign *finding, const struct vl_view *v);

/* With which power of inputs it goes (powers.c). */
void vl_find_power(struct vl_sign *finding, const struct vl_view *v);

/* With what weight an input counts, one element of it, or all (weights.c). */
void vl_find_uneven(struct vl_sign *finding, const struct vl_view *v);
void vl_find_weight(struct vl_sign *finding, const struct vl_view *v);

/* The elements of the array under a probe of one element: how many should move, do, and should and do not. */
struct vl_places {
    size_t should, does;
    size_t missing, extra;           /* should and do not; do and should not */
    size_t most_missing, most_extra; /* of these, the one that should, or does, move most */
};
struct vl_places vl_view_places(const struct vl_view *v, size_t p);

/* Which inputs its error follows (errors.c): one, several but not all, or none. */
void vl_find_use(struct vl_sign *finding, const struct vl_view *v);
void vl_find_uses(struct vl_sign *finding, const struct vl_view *v);
void vl_find_constant(struct vl_sign *finding, const struct vl_view *v);

/* Where it is wrong (parts.c): at the elements that an index says, or in one part of each row. */
void vl_find_index(struct vl_sign *finding, const struct vl_view *v);
void vl_find_part(struct vl_sign *finding, const struct vl_view *v);
void vl_find_first(struct vl_sign *finding, const struct vl_view *v); /* all but the first lines */

/* The rank that alone has the element which p changes; -1: several have it, or there is one rank only. */
int vl_source_owner(const struct vl_view *v, size_t p);

/* "y[2, 3]", "y[2, 3] (rank 1)" on several ranks, or "y" where there is only one number. */
const char *vl_place_shown(char text[VL_SHOWN_NAME], const struct vl_view *v, size_t i);

/* The same for an element of an input; on several ranks "x on rank 2" if that rank alone has it. */
const char *vl_source_shown(char text[VL_SHOWN_NAME], const struct vl_view *v, size_t p);

#endif
