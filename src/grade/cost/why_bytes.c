#include "grade/cost/why_bytes.h"

#include "base/text.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define SAME 0.01 /* relative */

static bool is_near(double one, double other)
{
    return fabs(one - other) <= SAME * fabs(other);
}

static void say(struct vl_cause *cause, const char *code, char *message)
{
    *cause = (struct vl_cause){.code = code, .message = message};
}

/* ---- below ---- */

static bool is_below(const struct vl_bytes_figure *figure)
{
    return figure->got > 0 && figure->got < figure->right * (1 - SAME);
}

static void say_below(struct vl_cause *cause, const struct vl_bytes_figure *figures, size_t count)
{
    bool smaller = false; /* a type of half the size, or of a quarter, would also explain it */
    for (size_t i = 0; i < count; i++)
        smaller |= is_near(figures[i].got, figures[i].right / 2) ||
                   is_near(figures[i].got, figures[i].right / 4);
    say(cause, "not_all_sent",
        strdup(smaller ? _("Fewer bytes are sent than the result needs: something is not sent, "
                           "or is sent in a smaller type than the contract asks for.")
                       : _("Fewer bytes are sent than the result needs: something is not sent.")));
}

/* ---- above: factors ---- */

enum reason { TWICE, RANKS, HALF_RANKS, OWN_CHUNK, SIZES }; /* SIZES and above: a number by name */

/* The factor that a reason gives in this figure; 0 if it gives none. */
static double factor_of(const struct vl_bytes_figure *figure, size_t reason, const char *name)
{
    const double ranks = figure->facts.ranks;
    int64_t size = 0;
    switch (reason) {
    case TWICE:
        return 2;
    case RANKS:
        return ranks;
    case HALF_RANKS:
        return ranks / 2;
    case OWN_CHUNK:
        return ranks > 1 ? ranks / (ranks - 1) : 0;
    default:
        return vl_facts_number(&figure->facts, name, &size) && size > 2 ? (double)size : 0;
    }
}

static bool explains(const struct vl_bytes_figure *figures, size_t count, size_t reason,
                     const char *name)
{
    for (size_t i = 0; i < count; i++) {
        double factor = factor_of(&figures[i], reason, name);
        if (factor <= 1 + SAME || !is_near(figures[i].got, factor * figures[i].right))
            return false;
    }
    return true;
}

static void say_factor(struct vl_cause *cause, size_t reason, const char *name)
{
    if (reason == TWICE)
        say(cause, "bytes_twice",
            strdup(_("Twice as many bytes are sent as needed. Look for data that is sent "
                     "twice, for float64 instead of float32, or for both halves of an "
                     "all-reduce where one is enough.")));
    else if (reason == RANKS)
        say(cause, "bytes_times_ranks",
            strdup(_("P times as many bytes are sent as needed on P ranks: a whole array "
                     "travels where one rank's chunk of it is enough.")));
    else if (reason == HALF_RANKS)
        say(cause, "bytes_all_to_each",
            strdup(
                _("P / 2 times as many bytes are sent as needed on P ranks: that is what it takes "
                  "when every rank sends all its data to every other.")));
    else if (reason == OWN_CHUNK)
        say(cause, "bytes_own_chunk",
            strdup(
                _("One chunk too many is sent: P instead of P - 1. The rank's own chunk need not "
                  "travel.")));
    else
        say(cause, "bytes_times_size",
            vl_text_format(_("`%s` times as many bytes are sent as needed."), name));
}

/* How many reasons hold in all figures; the last of them is said. */
static size_t find_factor(struct vl_cause *cause, const struct vl_bytes_figure *figures,
                          size_t count)
{
    const struct vl_facts *any = &figures[0].facts;
    size_t found = 0, reason = 0;
    for (size_t i = 0; i < SIZES + any->number_count; i++)
        if (explains(figures, count, i, i >= SIZES ? any->numbers[i - SIZES].name : NULL)) {
            found++;
            reason = i;
        }
    if (found == 1)
        say_factor(cause, reason, reason >= SIZES ? any->numbers[reason - SIZES].name : NULL);
    return found;
}

/* ---- above: arrays ---- */

static double bytes_of(const struct vl_bytes_figure *figure, const char *name)
{
    for (size_t i = 0; i < figure->array_count; i++)
        if (strcmp(figure->arrays[i].name, name) == 0)
            return figure->arrays[i].bytes;
    return 0;
}

/* Is it, in all figures, what gathering this array on all ranks sends, or ('times' 2) adding it up there? */
static bool moves_array(const struct vl_bytes_figure *figures, size_t count, const char *name,
                        int times)
{
    for (size_t i = 0; i < count; i++) {
        const struct vl_bytes_figure *f = &figures[i];
        double whole = times * (f->facts.ranks - 1) * bytes_of(f, name);
        if (whole <= 0 || (!is_near(f->got, whole) && !is_near(f->got, f->right + whole)))
            return false;
    }
    return true;
}

/* Arrays of the same size are one reason, and the first of them gives its name. */
static void find_array(struct vl_cause *cause, const struct vl_bytes_figure *figures, size_t count)
{
    const char *name = NULL;
    bool single = true;
    int how = 0;
    for (size_t i = 0; i < figures[0].array_count; i++)
        for (int times = 1; times <= 2; times++) {
            const char *other = figures[0].arrays[i].name;
            if (!moves_array(figures, count, other, times))
                continue;
            single &= name == NULL ||
                      (how == times && bytes_of(&figures[0], name) == figures[0].arrays[i].bytes);
            name = name == NULL ? other : name;
            how = times;
        }
    if (name == NULL || !single)
        return;
    say(cause, how == 1 ? "array_gathered" : "array_reduced",
        vl_text_format(how == 1
                           ? _("An array of the size of `%s` seems to be gathered on every rank: "
                               "the number of bytes fits. That is not needed.")
                           : _("An array of the size of `%s` seems to be added up over all ranks: "
                               "the number of bytes fits. That is not needed."),
                       name));
}

/* ---- neither ---- */

/* Together they send what they should, and no rank its own part: all figures are wrong somewhere. */
static void say_uneven(struct vl_cause *cause)
{
    say(cause, "bytes_uneven",
        strdup(_("All ranks together send as many bytes as they should, but some of them do the "
                 "work of others: look at which rank sends what.")));
}

/* ---- the whole ---- */

enum vl_status vl_why_bytes(struct vl_cause *cause, const struct vl_bytes_figure *figures,
                            size_t count)
{
    size_t below = 0, above = 0, even = 0;
    *cause = (struct vl_cause){0};
    for (size_t i = 0; i < count; i++) {
        below += is_below(&figures[i]);
        above += figures[i].right > 0 && figures[i].got > figures[i].right * (1 + SAME);
        even += figures[i].right > 0 && figures[i].got == figures[i].right;
    }
    if (count > 0 && below == count)
        say_below(cause, figures, count);
    else if (count > 0 && even == count)
        say_uneven(cause);
    else if (count > 0 && above == count) {
        if (find_factor(cause, figures, count) == 0)
            find_array(cause, figures, count);
        if (cause->code == NULL)
            say(cause, "bytes_above", strdup(_("More bytes are sent than the result needs.")));
    }
    return cause->code != NULL && cause->message == NULL ? VL_ENOMEM : VL_OK;
}
