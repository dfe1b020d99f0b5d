/*
 * The sizes of a question of lab 10, by the names of their fields: what a term of a formula is made of.
 */
#include "grade/labs/10_bandwidth/bandwidth.h"

#include <stddef.h>
#include <string.h>

enum kind { WHOLE_NUMBER, REAL_NUMBER, STAGE, WAY }; /* size_t, double, size_t, an enum */

struct field {
    const char *name;
    size_t offset;
    enum kind kind;
};

#define FIELD(name, field, kind)                                                                   \
    {                                                                                              \
        name, offsetof(struct vl_question, field), kind                                            \
    }
#define WHOLE(place, field) FIELD(#field, place.field, WHOLE_NUMBER)
#define REAL(place, field)  FIELD(#field, place.field, REAL_NUMBER)
/* By a name that tells whose it is: others are called so, too. */
#define PART(place, field) FIELD(#place "." #field, place.field, REAL_NUMBER)

static const struct field fields[] = {
    WHOLE(plan.setting.model, layers),
    WHOLE(plan.setting.model, width),
    WHOLE(plan.setting.model, heads),
    WHOLE(plan.setting.model, kv_heads),
    WHOLE(plan.setting.model, key_width),
    WHOLE(plan.setting.model, value_width),
    WHOLE(plan.setting.model, rope_width),
    WHOLE(plan.setting.model, query_rank),
    WHOLE(plan.setting.model, latent_rank),
    WHOLE(plan.setting.model, ff),
    WHOLE(plan.setting.model, ff_matrices),
    WHOLE(plan.setting.model, expert_ff),
    WHOLE(plan.setting.model, experts),
    WHOLE(plan.setting.model, chosen),
    WHOLE(plan.setting.model, shared),
    WHOLE(plan.setting.model, dense_layers),
    WHOLE(plan.setting.model, vocabulary),
    WHOLE(plan.setting.model, sequence),
    WHOLE(plan.setting.recipe, batch),
    REAL(plan.setting.recipe, weight_bytes),
    REAL(plan.setting.recipe, gradient_bytes),
    REAL(plan.setting.recipe, optimizer_bytes),
    REAL(plan.setting.recipe, kept_bytes),
    REAL(plan.setting.recipe, element_bytes),
    REAL(plan.setting.recipe, dispatch_bytes),
    REAL(plan.setting.recipe, combine_bytes),
    WHOLE(plan.division, tensor),
    WHOLE(plan.division, expert),
    WHOLE(plan.division, data),
    WHOLE(plan.division, pipeline),
    WHOLE(plan.division, chunks),
    WHOLE(plan.division, micro_batches),
    FIELD("zero", plan.division.zero, STAGE),
    FIELD("keep", plan.division.keep, WAY),
    PART(chip, common),
    PART(chip, experts),
    PART(chip, unit),
    PART(work, useful),
    PART(work, again),
    PART(work, head),
    PART(loads, arithmetic),
    PART(loads, tensor),
    PART(loads, flowing.experts),
    PART(loads, flowing.pipeline),
    PART(loads, flowing.data),
    PART(loads, closing),
};

bool vl_sizes_of_question(struct vl_size *size, const struct vl_bag *inputs, size_t question,
                          size_t k)
{
    if (k >= sizeof fields / sizeof *fields || question >= vl_question_count(inputs))
        return false;
    const struct field *field = &fields[k];
    const char *at = (const char *)&vl_questions(inputs)[question] + field->offset;
    *size = (struct vl_size){.name = field->name, .is_choice = field->kind >= STAGE};
    size_t whole;
    enum vl_keep way;
    switch (field->kind) {
    case REAL_NUMBER:
        memcpy(&size->value, at, sizeof size->value);
        break;
    case WAY:
        memcpy(&way, at, sizeof way);
        size->value = (double)way;
        break;
    default:
        memcpy(&whole, at, sizeof whole);
        size->value = (double)whole;
    }
    return true;
}
