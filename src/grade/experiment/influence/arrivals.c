/*
 * What of the other ranks' inputs arrives in a rank's answer. One element of an input is changed on one rank
 * after the other:
 *
 *   on rank      0    1    2    3      elements changed there that move the answer of rank 0
 *   should       ✓✓   ✓✓   ✓✓   ✓✓
 *   nothing      ✓✓   ..   ..   ..     it depends on its own part alone
 *   not of all   ✓✓   ✓✓   ..   ..
 *   a part       ✓✓   ✓.   ✓.   ✓.
 */
#include "grade/experiment/influence/view.h"

#include "base/text.h"
#include "grade/catalogue/part.h"
#include "grade/experiment/influence/argument.h"
#include "grade/judge/compare.h"
#include "wire/board.h"

#include <stdio.h>
#include <string.h>

/* The elements of one input that ranks have alone. */
struct arrivals {
    size_t arrived[VL_BOARD_RANKS],
        lost[VL_BOARD_RANKS]; /* of each rank, of those that should move it */
    size_t example_arrived,
        example_lost; /* probes of one rank that has both; the number of probes: none */
    bool mixed;       /* one moves some of the places that it should, or others */
};

static struct arrivals look(const struct vl_view *v, size_t input)
{
    const size_t count = v->influence->count;
    struct arrivals found = {.example_arrived = count, .example_lost = count};
    for (size_t p = 0; p < count; p++) {
        if (!v->usable[p] || vl_view_kind(v, p) != VL_PROBE_ONE || vl_view_is_saved(v, p) ||
            v->influence->probed[p].probe.input != input)
            continue;
        const struct vl_places places = vl_view_places(v, p);
        const int owner = vl_source_owner(v, p);
        if (places.should == 0 || owner < 0)
            continue;
        const bool lost = places.does == 0 && places.missing > 0;
        found.mixed |= !lost && (places.missing > 0 || places.extra > 0);
        found.arrived[owner] += !lost;
        found.lost[owner] += lost;
    }
    return found;
}

/* Probes of one other rank of which one arrives and one does not. */
static void find_examples(struct arrivals *found, const struct vl_view *v, size_t input, int rank)
{
    for (size_t p = 0; p < v->influence->count; p++) {
        if (!v->usable[p] || vl_view_kind(v, p) != VL_PROBE_ONE ||
            v->influence->probed[p].probe.input != input || vl_source_owner(v, p) != rank)
            continue;
        const struct vl_places places = vl_view_places(v, p);
        if (places.should > 0)
            *(places.does == 0 ? &found->example_lost : &found->example_arrived) = p;
    }
}

/* "1, 3" */
static void list_ranks(char text[VL_SHOWN_NAME], const struct arrivals *found, int own, bool lost)
{
    size_t length = 0;
    text[0] = '\0';
    for (int rank = 0; rank < VL_BOARD_RANKS && length + 8 < VL_SHOWN_NAME; rank++)
        if (rank != own && (lost ? found->lost : found->arrived)[rank] > 0)
            length += (size_t)snprintf(text + length, VL_SHOWN_NAME - length, "%s%d",
                                       length > 0 ? ", " : "", rank);
}

/* An input with a row for each rank: the element of the row. */
static size_t own_element(const struct vl_view *v, size_t p)
{
    return v->influence->probed[p].probe.element % vl_entry_columns(vl_view_input(v, p));
}

static void say(struct vl_sign *finding, const struct vl_view *v, size_t input,
                struct arrivals *found, int own)
{
    char lost[VL_SHOWN_NAME], arrived[VL_SHOWN_NAME];
    const struct vl_tensor_entry *entry = vl_bag_entry(v->influence->inputs, input);
    const size_t ranks = (size_t)v->influence->c->ranks;
    const char *id = v->influence->c->id;
    int part = -1, all = 0, none = 0;
    for (int rank = 0; rank < v->influence->c->ranks; rank++) {
        if (rank == own)
            continue;
        none += found->arrived[rank] == 0 && found->lost[rank] > 0;
        all += found->arrived[rank] > 0 && found->lost[rank] == 0;
        if (found->arrived[rank] > 0 && found->lost[rank] > 0 && part < 0)
            part = rank;
    }
    const char *shown = vl_input_shown(v->influence->inputs, entry->name);
    list_ranks(lost, found, own, true);
    list_ranks(arrived, found, own, false);
    if (part >= 0 && entry->count == ranks * vl_entry_columns(entry)) {
        find_examples(found, v, input, part);
        vl_sign_say(finding, "nothing_arrives",
                    /* TRANSLATORS: an input, an array of the answer, a case's name. */
                    _("In %6$s, only a part of what rank %1$d has in %2$s arrives in %3$s: element "
                      "%4$zu does, element %5$zu does not."),
                    part, shown, v->name, own_element(v, found->example_arrived),
                    own_element(v, found->example_lost), id);
    } else if (part < 0 && none > 0 && all == 0)
        vl_sign_say(finding, "nothing_arrives",
                    /* TRANSLATORS: an input, an array of the answer, a case's name. */
                    _("In %3$s, nothing of what other ranks have in %1$s arrives in %2$s, which "
                      "depends on it: look at whether it is sent, and whether what comes in is "
                      "used."),
                    shown, v->name, id);
    else if (part < 0 && none > 0)
        vl_sign_say(
            finding, "nothing_arrives",
            /* TRANSLATORS: an input, an array of the answer, two lists of ranks: "1, 3", a case's name. */
            _("In %5$s, what these ranks have in %1$s arrives in %2$s: %3$s. What these "
              "have does not: %4$s."),
            shown, v->name, arrived, lost, id);
}

void vl_find_arrivals(struct vl_sign *finding, const struct vl_view *v)
{
    char bare[VL_RANKED_NAME];
    const int own = vl_split_name(bare, v->expected->name);
    if (v->influence->again || v->influence->c->ranks == 1 || own < 0)
        return;
    for (size_t i = 0; i < vl_bag_count(v->influence->inputs) && finding->code == NULL; i++) {
        struct arrivals found = look(v, i);
        if (!found.mixed && found.lost[own] == 0)
            say(finding, v, i, &found, own);
    }
}
