#include "grade/mutants/beginnings.h"

/* A variable that begins with a value, and may get another one later. Its name, its value and where that ends. */
static bool begins_plainly(const struct vl_writer *w, size_t i, size_t *name, size_t *value,
                           size_t *last)
{
    *name = vl_scope_declarators(w->tokens, i);
    *value = vl_writer_end_of(w, i, "=", ";") + 1;
    *last = vl_writer_end_of(w, i, ",", ";");
    bool plain = vl_token_is_name(w->tokens, *name) && *value == *name + 2 &&
                 vl_writer_is(w, *last, ";") && !vl_writer_is(w, *value, "{");
    for (size_t k = i; k < *name; k++)
        plain = plain && !vl_writer_is(w, k, "const") && !vl_writer_is(w, k, "static");
    return plain;
}

void vl_beginning_note(struct vl_writer *w, size_t i)
{
    struct vl_begun begun = {.depth = w->depth};
    size_t value;
    if (w->begun_count < VL_BEGUN_MOST && begins_plainly(w, i, &begun.name, &value, &begun.last))
        w->begun[w->begun_count++] = begun;
}

void vl_beginnings_anew(struct vl_writer *w)
{
    for (size_t k = 0; k < w->begun_count; k++) {
        const struct vl_begun *begun = &w->begun[k];
        const struct vl_mutation anew = {
            .kind = VL_MUTATION_ORDER, .first = begun->name, .last = begun->last};
        if (begun->depth != w->depth)
            continue;
        fprintf(w->out, "if ( " VL_MUTANT_CHOSEN " == %zuu ) { ",
                vl_writer_list(w, &anew, begun->name, begun->last));
        vl_writer_put(w, begun->name, begun->last);
        fputs("; }\n", w->out);
    }
}

struct vl_early vl_early_of(const struct vl_writer *w, size_t i)
{
    struct vl_early early = {.left = 3};
    bool plain = begins_plainly(w, i, &early.name, &early.first, &early.last), reads = false;
    for (size_t k = early.first; k < early.last && plain; k++)
        reads |= vl_writer_is(w, k, "[") || vl_writer_is(w, k, "->");
    return plain && reads ? early : (struct vl_early){.left = 0};
}

void vl_early_put(struct vl_writer *w, struct vl_early *early)
{
    if (early->left-- <= 0)
        return;
    size_t mutant = vl_writer_list_order(w, early->name, early->last);
    fprintf(w->out, "if ( " VL_MUTANT_CHOSEN " == %zuu ) { ", mutant);
    vl_writer_put(w, early->name, early->last);
    fputs("; }\n", w->out);
}
