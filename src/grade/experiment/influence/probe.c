#include "grade/experiment/influence/probe.h"

#include "base/random.h"
#include "grade/experiment/influence/argument.h"
#include "grade/judge/compare.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define SEED         16
#define LEAST        -0.4 /* of itself, by which a number changes if all do ... */
#define MOST         0.8  /* ... not as much one way as the other: sums of them shall move too */
#define SCALAR       0.75 /* what is below 1 stays so */
#define BYTE_VALUES  0xee /* the bytes of inputs are below it (collectives.h) */
#define MOST_SCALARS 6
#define MOST_ARRAYS  8
#define EACH         5 /* elements of one array */

static bool is_scalar(const struct vl_tensor_entry *entry)
{
    return entry->dtype == VL_F64 && entry->count == 1;
}

static bool is_array(const struct vl_tensor_entry *entry)
{
    return vl_input_is_data(entry) && entry->count > 0 && !is_scalar(entry);
}

static bool is_whole(const struct vl_tensor_entry *entry)
{
    for (size_t i = 0; i < entry->count; i++)
        if (vl_entry_value(entry, i) != rint(vl_entry_value(entry, i)))
            return false;
    return entry->dtype == VL_F64;
}

/* ---- which ---- */

struct list {
    struct vl_probe *probes;
    size_t count;
};

static void add(struct list *list, enum vl_probe_kind kind, size_t input, size_t element,
                size_t other)
{
    if (list->count == VL_PROBES_MOST)
        return;
    list->probes[list->count++] =
        (struct vl_probe){.kind = kind, .input = input, .element = element, .other = other};
}

/* From this element on in its row, the first that is not small: a change of it shows. */
static size_t weighty(const struct vl_tensor_entry *entry, size_t row, size_t column)
{
    const size_t columns = vl_entry_columns(entry);
    double squares = 0;
    for (size_t i = 0; i < columns; i++) {
        double value = vl_entry_value(entry, row * columns + i);
        squares += isfinite(value) ? value * value : 0;
    }
    for (size_t i = 0; i < columns; i++) {
        size_t element = row * columns + (column + i) % columns;
        double value = vl_entry_value(entry, element);
        if (isfinite(value) && value != 0 && value * value >= squares / (double)columns / 4)
            return element;
    }
    return row * columns + column;
}

/* The k-th element of an array that is changed alone: in each third of an inner row, so that q, k and v
 * are met, then in the first and the last row. Where each rank has a row: two neighbours in each of them,
 * then its ends. */
static void add_one(struct list *list, const struct vl_tensor_entry *entry, size_t input, size_t k,
                    size_t ranks)
{
    const size_t columns = vl_entry_columns(entry), rows = entry->count / columns;
    const bool by_rank = ranks > 1 && rows == ranks;
    const size_t row[EACH] = {rows / 2, rows / 2, rows / 2, 0, rows - 1};
    const size_t column[EACH] = {columns / 6, columns / 2, columns - 1 - columns / 6, columns / 3,
                                 columns - 1 - columns / 3};
    const size_t end[] = {columns / 2, (columns / 2 + 1) % columns, 0, columns - 1};
    if (k >= (by_rank ? 4 * ranks : EACH))
        return;
    size_t element =
        by_rank ? weighty(entry, k % ranks, end[k / ranks]) : weighty(entry, row[k], column[k]);
    for (size_t i = 0; i < list->count; i++)
        if (list->probes[i].kind == VL_PROBE_ONE && list->probes[i].input == input &&
            list->probes[i].element == element)
            return;
    add(list, VL_PROBE_ONE, input, element, 0);
}

static void add_exchange(struct list *list, const struct vl_tensor_entry *entry, size_t input)
{
    const size_t columns = vl_entry_columns(entry), rows = entry->count / columns;
    const size_t one = rows / 2 * columns, each = columns * vl_dtype_bytes(entry->dtype);
    const char *data = entry->data;
    for (size_t row = 0; row < rows; row++)
        if (memcmp(data + rows / 2 * each, data + row * each, each) != 0) {
            add(list, VL_PROBE_EXCHANGE, input, one, row * columns);
            return;
        }
}

/* Where it makes sense to halve an input that is changed anyway. */
static void add_powers(struct list *list, const struct vl_bag *inputs, struct vl_probe probe)
{
    const struct vl_tensor_entry *entry = vl_bag_entry(inputs, probe.input);
    if ((probe.kind != VL_PROBE_ALL && probe.kind != VL_PROBE_SCALAR) || entry->dtype == VL_U8 ||
        (entry->count > 1 && is_whole(entry)))
        return;
    add(list, VL_PROBE_HALF, probe.input, 0, 0);
    add(list, VL_PROBE_QUARTER, probe.input, 0, 0);
}

size_t vl_probes_choose(struct vl_probe probes[VL_PROBES_MOST], const struct vl_bag *inputs,
                        int ranks)
{
    struct list list = {.probes = probes};
    size_t scalars = 0, arrays = 0;
    add(&list, VL_PROBE_SAME, 0, 0, 0);
    for (size_t i = 0; i < vl_bag_count(inputs); i++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(inputs, i);
        if (is_scalar(entry) && vl_entry_value(entry, 0) != 0 && scalars++ < MOST_SCALARS)
            add(&list, VL_PROBE_SCALAR, i, 0, 0);
        else if (is_array(entry) && arrays++ < MOST_ARRAYS)
            add(&list, VL_PROBE_ALL, i, 0, 0);
        else if (vl_input_is_index(inputs, entry) && entry->count > 0)
            add_exchange(&list, entry, i);
    }
    const size_t whole = list.count;
    for (size_t k = 0; k < VL_PROBES_MOST; k++)
        for (size_t i = 0; i < vl_bag_count(inputs); i++)
            if (is_array(vl_bag_entry(inputs, i)))
                add_one(&list, vl_bag_entry(inputs, i), i, k, (size_t)ranks);
    for (size_t i = 0; i < whole; i++)
        add_powers(&list, inputs, probes[i]);
    return list.count;
}

/* ---- the changed inputs ---- */

static void put(const struct vl_tensor_entry *entry, size_t i, double value)
{
    if (entry->dtype == VL_F32)
        ((float *)entry->data)[i] = (float)value;
    else if (entry->dtype == VL_F64)
        ((double *)entry->data)[i] = value;
    else
        ((uint8_t *)entry->data)[i] = (uint8_t)value;
}

/* Times 1 + share; by at least 1 where only whole numbers make sense. */
static void change(const struct vl_tensor_entry *entry, size_t i, double share, bool whole)
{
    double value = vl_entry_value(entry, i);
    if (entry->dtype == VL_U8)
        put(entry, i, fmod(value + 1 + floor(fabs(share) * 100), BYTE_VALUES));
    else if (whole)
        put(entry, i, value + 1 + floor(fabs(value * share)));
    else if (isfinite(value))
        put(entry, i, value * (1 + share));
}

static void exchange(const struct vl_tensor_entry *entry, size_t one, size_t other)
{
    int32_t *data = (int32_t *)entry->data;
    for (size_t i = 0; i < vl_entry_columns(entry); i++) {
        int32_t kept = data[one + i];
        data[one + i] = data[other + i];
        data[other + i] = kept;
    }
}

struct vl_bag *vl_probe_inputs(const struct vl_probe *probe, const struct vl_bag *inputs)
{
    struct vl_bag *changed = vl_bag_copy(inputs);
    if (changed == NULL || probe->kind == VL_PROBE_SAME)
        return changed;
    const struct vl_tensor_entry *entry = vl_bag_entry(changed, probe->input);
    const bool whole = is_whole(entry);
    if (probe->kind == VL_PROBE_EXCHANGE)
        exchange(entry, probe->element, probe->other);
    else if (probe->kind == VL_PROBE_SCALAR) /* some are given on as float */
        put(entry, 0, (double)(float)(SCALAR * vl_entry_value(entry, 0)));
    else if (probe->kind == VL_PROBE_ONE)
        change(entry, probe->element, 0.5, whole);
    else if (probe->kind == VL_PROBE_BLANK)
        memcpy((void *)entry->data, vl_bag_entry(probe->blank, probe->input)->data,
               entry->count * vl_dtype_bytes(entry->dtype));
    for (size_t i = 0; probe->kind == VL_PROBE_HALF && i < entry->count; i++)
        put(entry, i, vl_entry_value(entry, i) / 2);
    for (size_t i = 0; probe->kind == VL_PROBE_QUARTER && i < entry->count; i++)
        put(entry, i, vl_entry_value(entry, i) / 4);
    for (size_t i = 0; probe->kind == VL_PROBE_ALL && i < entry->count; i++)
        change(entry, i, LEAST + (MOST - LEAST) * vl_random_uniform(SEED, probe->input, i), whole);
    return changed;
}
