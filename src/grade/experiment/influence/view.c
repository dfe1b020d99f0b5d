#include "grade/experiment/influence/view.h"

#include "base/text.h"
#include "grade/catalogue/part.h"
#include "grade/experiment/influence/argument.h"
#include "grade/judge/compare.h"

#include <stdio.h>

enum vl_probe_kind vl_view_kind(const struct vl_view *v, size_t p)
{
    return v->influence->probed[p].probe.kind;
}

const struct vl_tensor_entry *vl_view_input(const struct vl_view *v, size_t p)
{
    return vl_bag_entry(v->influence->inputs, v->influence->probed[p].probe.input);
}

const char *vl_view_shown(const struct vl_view *v, size_t p)
{
    return vl_input_shown(v->influence->inputs, vl_view_input(v, p)->name);
}

bool vl_view_is_whole(const struct vl_view *v, size_t p)
{
    const enum vl_probe_kind kind = vl_view_kind(v, p);
    return v->usable[p] &&
           (kind == VL_PROBE_ALL || kind == VL_PROBE_SCALAR || kind == VL_PROBE_EXCHANGE);
}

bool vl_view_is_ignored(const struct vl_view *v, size_t p)
{
    return vl_view_is_whole(v, p) && vl_truth_moves(&v->of[p]) && vl_answer_rests(&v->of[p]);
}

bool vl_view_ignores_some(const struct vl_view *v)
{
    for (size_t p = 0; p < v->influence->count; p++)
        if (vl_view_is_ignored(v, p))
            return true;
    return false;
}

bool vl_view_is_saved(const struct vl_view *v, size_t p)
{
    return vl_input_is_saved(vl_view_input(v, p)->name);
}

const char *vl_place_shown(char text[VL_SHOWN_NAME], const struct vl_view *v, size_t i)
{
    char bare[VL_RANKED_NAME];
    const size_t columns = vl_entry_columns(v->expected);
    int rank = vl_split_name(bare, v->expected->name);
    if (v->expected->count == 1)
        return v->name;
    if (rank < 0 || v->influence->c->ranks == 1)
        snprintf(text, VL_SHOWN_NAME, "%s[%zu, %zu]", bare, i / columns, i % columns);
    else /* TRANSLATORS: an element of an array of one of several ranks. */
        snprintf(text, VL_SHOWN_NAME, _("%1$s[%2$zu, %3$zu] (rank %4$d)"), bare, i / columns,
                 i % columns, rank);
    return text;
}

int vl_source_owner(const struct vl_view *v, size_t p)
{
    const struct vl_probe *probe = &v->influence->probed[p].probe;
    const struct vl_case *c = v->influence->c;
    int owner = -1, owners = 0;
    for (int rank = 0; rank < c->ranks; rank++) {
        struct vl_bag *own =
            vl_part_of(c, v->influence->inputs, vl_part_rank(c, v->influence->inputs, rank));
        const struct vl_tensor_entry *entry = own != NULL ? vl_bag_entry(own, probe->input) : NULL;
        if (entry != NULL && !vl_bag_is_poison(entry, probe->element)) {
            owner = rank;
            owners++;
        }
        vl_bag_free(own);
    }
    return owners == 1 && c->ranks > 1 ? owner : -1;
}

const char *vl_source_shown(char text[VL_SHOWN_NAME], const struct vl_view *v, size_t p)
{
    const struct vl_probe *probe = &v->influence->probed[p].probe;
    const size_t columns = vl_entry_columns(vl_view_input(v, p));
    const size_t row = probe->element / columns, column = probe->element % columns;
    bool micro_batch = vl_input_is_micro_batch(v->influence->inputs, vl_view_input(v, p)->name);
    int owner = vl_source_owner(v, p);
    if (micro_batch && owner < 0)
        snprintf(text, VL_SHOWN_NAME, _("micro-batch %zu"), row);
    else if (micro_batch)
        snprintf(text, VL_SHOWN_NAME, _("a micro-batch of rank %d"), owner);
    else if (owner >= 0) /* TRANSLATORS: an array, as one of several ranks has it. */
        snprintf(text, VL_SHOWN_NAME, _("%1$s on rank %2$d"), vl_view_shown(v, p), owner);
    else
        snprintf(text, VL_SHOWN_NAME, "%s[%zu, %zu]", vl_view_shown(v, p), row, column);
    return text;
}
