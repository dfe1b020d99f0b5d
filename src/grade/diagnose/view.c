#include "grade/diagnose/view.h"

#include "base/text.h"
#include "grade/catalogue/part.h"
#include "grade/diagnose/reading.h"
#include "grade/judge/compare.h"

#include <stdio.h>
#include <string.h>

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
    return vl_input_shown(vl_view_input(v, p)->name);
}

bool vl_view_is_whole(const struct vl_view *v, size_t p)
{
    return v->usable[p] && vl_view_kind(v, p) != VL_PROBE_SAME &&
           vl_view_kind(v, p) != VL_PROBE_ONE;
}

bool vl_view_is_ignored(const struct vl_view *v, size_t p)
{
    return vl_view_is_whole(v, p) && vl_truth_moves(&v->of[p]) && vl_answer_rests(&v->of[p]);
}

bool vl_view_is_saved(const struct vl_view *v, size_t p)
{
    return strncmp(vl_view_input(v, p)->name, "saved_", strlen("saved_")) == 0;
}

const char *vl_place_shown(char text[VL_SHOWN_NAME], const struct vl_tensor_entry *entry, size_t i)
{
    char bare[VL_RANKED_NAME];
    const size_t columns = vl_entry_columns(entry);
    int rank = vl_split_name(bare, entry->name);
    if (entry->count == 1)
        return vl_shown_name(text, entry->name);
    if (rank < 0)
        snprintf(text, VL_SHOWN_NAME, "%s[%zu, %zu]", bare, i / columns, i % columns);
    else /* TRANSLATORS: an element of an array of one of several ranks. */
        snprintf(text, VL_SHOWN_NAME, _("%1$s[%2$zu, %3$zu] (rank %4$d)"), bare, i / columns,
                 i % columns, rank);
    return text;
}

/* The rank that alone has this element; -1: several have it. */
static int owner_of(const struct vl_view *v, const struct vl_probe *probe)
{
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
    struct vl_tensor_entry entry = *vl_view_input(v, p);
    int owner = owner_of(v, probe);
    entry.name = vl_view_shown(v, p);
    if (owner < 0)
        return vl_place_shown(text, &entry, probe->element);
    /* TRANSLATORS: an array, as one of several ranks has it. */
    snprintf(text, VL_SHOWN_NAME, _("%1$s on rank %2$d"), entry.name, owner);
    return text;
}
