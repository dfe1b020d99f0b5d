#include "grade/experiment/unread.h"

#include "base/random.h"
#include "base/text.h"
#include "grade/diagnose/evidence.h"
#include "grade/experiment/influence/argument.h"
#include "grade/judge/compare.h"
#include "sandbox/process.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED        20
#define SAMPLE      48 /* elements that are tried alone: if all of them matter, so will the rest */
#define MOST        4096 /* elements of an array that is searched */
#define MOST_BLANKS 3    /* arrays */

/* One array of the inputs, searched. */
struct search {
    const struct vl_trial *trial;
    struct vl_bag *changed; /* a copy of the inputs, in which this array is changed */
    const struct vl_tensor_entry *entry, *kept; /* the array there, and as it was */
    double until;
    bool unread[MOST];
};

static void put(const struct vl_tensor_entry *entry, size_t i, double value)
{
    if (entry->dtype == VL_F32)
        ((float *)entry->data)[i] = (float)value;
    else
        ((double *)entry->data)[i] = value;
}

/* Of a list of questions, some do not depend on everything that is asked; a matrix is one thing. */
static bool is_searched(const struct vl_tensor_entry *entry)
{
    const size_t columns = vl_entry_columns(entry);
    return vl_input_is_data(entry) && (entry->dtype == VL_F32 || entry->dtype == VL_F64) &&
           columns > 1 && entry->count > columns && entry->count <= MOST;
}

static bool is_truth_the_same(const struct search *s)
{
    struct vl_bag *truth = vl_truth_of(s->trial->seen->c, s->changed);
    bool same = truth != NULL && vl_bag_difference(s->trial->truth, truth) == NULL;
    vl_bag_free(truth);
    return same;
}

/* Is the truth the same with this value in those of the elements 'first' up to before 'last' that are 'unread',
 * or with 'all' in each of them? */
static bool is_without_meaning(const struct search *s, size_t first, size_t last, bool all,
                               double value)
{
    const size_t each = vl_dtype_bytes(s->entry->dtype);
    for (size_t i = first; i < last; i++)
        if (all || s->unread[i])
            put(s->entry, i, value);
    bool same = is_truth_the_same(s);
    memcpy((char *)s->entry->data + first * each, (const char *)s->kept->data + first * each,
           (last - first) * each);
    return same;
}

/* Mark those from 'first' up to before 'last': all of them if they do not matter together, else each half
 * for itself. */
static void mark(struct search *s, size_t first, size_t last)
{
    const size_t half = first + (last - first) / 2;
    if (vl_clock() > s->until)
        return;
    if (is_without_meaning(s, first, last, true, NAN)) {
        memset(s->unread + first, true, last - first);
    } else if (half > first) {
        mark(s, first, half);
        mark(s, half, last);
    }
}

/* Most arrays are read everywhere, and that is cheap to see. */
static bool is_worth_it(const struct search *s)
{
    for (size_t k = 0; k < SAMPLE && vl_clock() < s->until; k++) {
        size_t i = (size_t)(vl_random_uniform(SEED, k, 0) * (double)s->entry->count);
        i = i < s->entry->count ? i : s->entry->count - 1;
        if (is_without_meaning(s, i, i + 1, true, NAN))
            return true;
    }
    return false;
}

/* A maximum passes NaN by, but no large number. What is there must matter to somebody who reads it. Of an
 * array that is not read anywhere, a change of all of it says as much. */
static bool is_certain(const struct search *s)
{
    static const double values[] = {0, 1e4, -1e4};
    bool matters = false, all = true;
    for (size_t i = 0; i < s->entry->count; i++) {
        matters |= s->unread[i] && vl_entry_value(s->entry, i) != 0;
        all = all && s->unread[i];
    }
    matters = matters && !all;
    for (size_t k = 0; k < sizeof values / sizeof *values && matters; k++)
        matters = is_without_meaning(s, 0, s->entry->count, false, values[k]);
    return matters;
}

/* Search one array; true if it has some, which are zero in 'blank' then. */
static bool search(struct search *s, const struct vl_bag *blank, const char *name)
{
    s->entry = vl_bag_find(s->changed, name);
    s->kept = vl_bag_find(s->trial->inputs, name);
    memset(s->unread, false, sizeof s->unread);
    if (!is_searched(s->entry) || !is_worth_it(s))
        return false;
    mark(s, 0, s->entry->count);
    if (vl_clock() > s->until || !is_certain(s))
        return false;
    for (size_t i = 0; i < s->entry->count; i++)
        if (s->unread[i])
            put(vl_bag_find(blank, name), i, 0);
    return true;
}

enum vl_status vl_unread_probe(struct vl_trial *trial, double until)
{
    if (trial->seen->c->ranks > 1)
        return VL_OK;
    struct search *s = calloc(1, sizeof *s);
    size_t blanks = 0;
    trial->blank = vl_bag_copy(trial->inputs);
    if (s != NULL)
        *s = (struct search){.trial = trial, .changed = vl_bag_copy(trial->inputs), .until = until};
    enum vl_status status =
        s != NULL && s->changed != NULL && trial->blank != NULL ? VL_OK : VL_ENOMEM;
    for (size_t i = 0; status == VL_OK && i < vl_bag_count(trial->inputs) && blanks < MOST_BLANKS &&
                       trial->count < VL_PROBES_MOST;
         i++)
        if (search(s, trial->blank, vl_bag_entry(trial->inputs, i)->name)) {
            trial->probed[trial->count++].probe =
                (struct vl_probe){.kind = VL_PROBE_BLANK, .input = i, .blank = trial->blank};
            blanks++;
        }
    vl_bag_free(s != NULL ? s->changed : NULL);
    free(s);
    return status;
}

/* ---- what came of it ---- */

static bool is_right(const struct vl_trial *trial, const struct vl_probed *probed)
{
    return probed->answer != NULL && vl_answer_distance(probed->answer, trial->truth, trial->truth,
                                                        trial->seen->c) <= trial->seen->c->bound;
}

/* The same inputs again: is the answer still wrong? Else it is right by chance. */
static bool is_wrong_again(const struct vl_trial *trial)
{
    for (size_t p = 0; p < trial->count; p++)
        if (trial->probed[p].probe.kind == VL_PROBE_SAME)
            return trial->probed[p].answer != NULL && !is_right(trial, &trial->probed[p]);
    return false;
}

/* The first element that is blank, and whether all of them are right of the diagonals of square matrices. */
static size_t first_blank(const struct vl_tensor_entry *entry, const struct vl_tensor_entry *blank,
                          bool *beyond_mask)
{
    const size_t columns = vl_entry_columns(entry);
    size_t first = entry->count;
    *beyond_mask = entry->count % (columns * columns) == 0;
    for (size_t i = entry->count; i-- > 0;)
        if (vl_entry_value(blank, i) == 0 && vl_entry_value(entry, i) != 0) {
            first = i;
            *beyond_mask = *beyond_mask && i % columns > i / columns % columns;
        }
    return first;
}

static enum vl_status say(struct vl_sign *finding, const struct vl_trial *trial, size_t input)
{
    const struct vl_tensor_entry *entry = vl_bag_entry(trial->inputs, input);
    const char *name = vl_input_shown(trial->inputs, entry->name);
    const size_t columns = vl_entry_columns(entry);
    bool beyond_mask;
    size_t first = first_blank(entry, vl_bag_entry(trial->blank, input), &beyond_mask);
    if (beyond_mask)
        return vl_sign_say(finding, "reads_beyond_mask",
                           /* TRANSLATORS: %1$s is an array, %2$s a case's name. */
                           _("In %2$s, the result becomes correct when %1$s is set to 0 right "
                             "of the diagonal, so what is there is read. Only j <= i has "
                             "meaning."),
                           name, trial->seen->c->id);
    return vl_sign_say(finding, "reads_without_meaning",
                       /* TRANSLATORS: %1$s and %2$s[...] are an array, %5$s a case's name. */
                       _("In %5$s, the result becomes correct when the elements of %1$s that "
                         "have no meaning, such as %2$s[%3$zu, %4$zu], are set to 0: they are "
                         "read, but anything may be there."),
                       name, name, first / columns, first % columns, trial->seen->c->id);
}

enum vl_status vl_unread_find(struct vl_sign *finding, const struct vl_trial *trial)
{
    if (!is_wrong_again(trial))
        return VL_OK;
    for (size_t p = 0; p < trial->count; p++)
        if (trial->probed[p].probe.kind == VL_PROBE_BLANK && is_right(trial, &trial->probed[p]))
            return say(finding, trial, trial->probed[p].probe.input);
    return VL_OK;
}
