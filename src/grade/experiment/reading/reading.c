#include "grade/experiment/reading/reading.h"

#include "grade/experiment/influence/argument.h"
#include "grade/judge/compare.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
    struct vl_reading *readings;
    size_t count;
};

static void add(struct list *list, struct vl_reading reading)
{
    if (list->count < VL_READINGS_MOST)
        list->readings[list->count++] = reading;
}

static bool is_number(const struct vl_tensor_entry *entry)
{
    return entry->dtype == VL_F32 || entry->dtype == VL_F64;
}

static bool is_movable(const struct vl_bag *inputs, const struct vl_tensor_entry *entry)
{
    return entry->count > 1 && (vl_input_is_data(entry) || vl_input_is_index(inputs, entry));
}

/* Each way to cut a length in two factors above 1, and an inner one up to 'most'. */
static void add_factors(struct list *list, const char *input, enum vl_reading_kind kind, size_t n,
                        size_t most)
{
    for (size_t inner = 1; inner <= most; inner++)
        for (size_t one = 2; n % inner == 0 && one <= n / inner / 2; one++)
            if (n / inner % one == 0)
                add(list, (struct vl_reading){.kind = kind,
                                              .input = input,
                                              .one = one,
                                              .other = n / inner / one,
                                              .inner = inner});
}

static void add_places(struct list *list, const struct vl_tensor_entry *entry)
{
    const size_t columns = vl_entry_columns(entry), rows = entry->count / columns;
    for (int kind = VL_READ_TRANSPOSED; kind <= VL_READ_BACKWARDS; kind++)
        add(list, (struct vl_reading){.kind = (enum vl_reading_kind)kind, .input = entry->name});
    if (columns % 2 == 0)
        add(list, (struct vl_reading){.kind = VL_READ_HALVES, .input = entry->name});
    for (size_t one = 1; columns % 3 == 0 && one < 3; one++)
        for (size_t other = one + 1; other <= 3; other++)
            add(list,
                (struct vl_reading){
                    .kind = VL_READ_THIRDS, .input = entry->name, .one = one, .other = other});
    add_factors(list, entry->name, VL_READ_COLUMNS, columns, columns / 4);
    add_factors(list, entry->name, VL_READ_ROWS, rows, rows / 4);
}

/* What may be taken for a number that stands alone. */
enum form { ZERO, ONE, NEGATIVE, TWICE, HALF, SQUARE, ROOT, REST, INVERSE, FORMS };

static double formed(enum form form, double is)
{
    switch (form) {
    case ZERO:
        return 0;
    case ONE:
        return 1;
    case NEGATIVE:
        return -is;
    case TWICE:
        return 2 * is;
    case HALF:
        return is / 2;
    case SQUARE:
        return is * is;
    case ROOT:
        return sqrt(is);
    case REST:
        return 1 - is;
    default:
        return 1 / is;
    }
}

const char *vl_reading_form(char text[VL_READING_TEXT], size_t which, const char *name)
{
    static const char *const parts[FORMS][2] = {
        [ZERO] = {"0", NULL},    [ONE] = {"1", NULL},   [NEGATIVE] = {"-", ""},
        [TWICE] = {"2 * ", ""},  [HALF] = {"", " / 2"}, [SQUARE] = {"", "^2"},
        [ROOT] = {"sqrt(", ")"}, [REST] = {"1 - ", ""}, [INVERSE] = {"1 / ", ""}};
    const char *end = parts[which][1];
    snprintf(text, VL_READING_TEXT, "%s%s%s", parts[which][0], end != NULL ? name : "",
             end != NULL ? end : "");
    return text;
}

static void add_values(struct list *list, const struct vl_tensor_entry *entry)
{
    const double is = vl_entry_value(entry, 0);
    for (int form = ZERO; form < FORMS; form++) {
        double value = formed((enum form)form, is);
        if (isfinite(value) && value != is)
            add(list, (struct vl_reading){
                          .kind = VL_READ_VALUE, .input = entry->name, .one = (size_t)form});
    }
}

static bool are_alike(const struct vl_tensor_entry *one, const struct vl_tensor_entry *other)
{
    return one->dtype == other->dtype && one->count == other->count && is_number(one) &&
           vl_entry_columns(one) == vl_entry_columns(other);
}

size_t vl_readings_list(struct vl_reading readings[VL_READINGS_MOST], const struct vl_bag *inputs)
{
    struct list list = {.readings = readings};
    for (size_t i = 0; i < vl_bag_count(inputs); i++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(inputs, i);
        if (entry->count == 1 && entry->dtype == VL_F64)
            add_values(&list, entry);
        else if (is_number(entry) && entry->count > 0)
            for (int kind = VL_READ_ZEROS; kind <= VL_READ_SQUARED; kind++)
                add(&list,
                    (struct vl_reading){.kind = (enum vl_reading_kind)kind, .input = entry->name});
        if (is_movable(inputs, entry))
            add_places(&list, entry);
        for (size_t k = 0; k < i; k++)
            if (are_alike(vl_bag_entry(inputs, k), entry))
                add(&list, (struct vl_reading){.kind = VL_READ_EXCHANGED,
                                               .input = vl_bag_entry(inputs, k)->name,
                                               .second = entry->name});
    }
    return list.count;
}

/* ---- the inputs, read that way ---- */

/* What is at (other, one, inner) is read at (one, other, inner). */
static size_t factored(size_t i, const struct vl_reading *r)
{
    size_t block = i / r->inner;
    return (block % r->one * r->other + block / r->one) * r->inner + i % r->inner;
}

/* Where the element comes from that is read at [row, column]. */
static size_t source(const struct vl_reading *r, size_t row, size_t column, size_t rows,
                     size_t columns)
{
    size_t i = row * columns + column, part = columns / 3;
    switch (r->kind) {
    case VL_READ_HALVES:
        return row * columns + (column + columns / 2) % columns;
    case VL_READ_THIRDS:
        if (column / part == r->one - 1)
            return i + (r->other - r->one) * part;
        return column / part == r->other - 1 ? i - (r->other - r->one) * part : i;
    case VL_READ_COLUMNS:
        return row * columns + factored(column, r);
    case VL_READ_ROWS:
        return factored(row, r) * columns + column;
    case VL_READ_TRANSPOSED:
        return i % rows * columns + i / rows;
    case VL_READ_NEXT_ROW:
        return (row + 1) % rows * columns + column;
    case VL_READ_LAST_ROW:
        return (row + rows - 1) % rows * columns + column;
    case VL_READ_NEXT_COLUMN:
        return row * columns + (column + 1) % columns;
    case VL_READ_LAST_COLUMN:
        return row * columns + (column + columns - 1) % columns;
    case VL_READ_FIRST_ROW:
        return column;
    case VL_READ_FIRST_COLUMN:
        return row * columns;
    case VL_READ_BACKWARDS:
        return (rows - 1 - row) * columns + column;
    default:
        return i;
    }
}

static bool fits(const struct vl_reading *r, size_t rows, size_t columns)
{
    const size_t cut = r->one * r->other * r->inner;
    return !(r->kind == VL_READ_HALVES && columns % 2 != 0) &&
           !(r->kind == VL_READ_THIRDS && columns % 3 != 0) &&
           !(r->kind == VL_READ_COLUMNS && columns != cut) &&
           !(r->kind == VL_READ_ROWS && rows != cut);
}

static void move(const struct vl_reading *r, const struct vl_tensor_entry *to,
                 const struct vl_tensor_entry *from)
{
    const size_t columns = vl_entry_columns(from), rows = from->count / columns;
    const size_t each = vl_dtype_bytes(from->dtype);
    for (size_t i = 0; i < from->count && fits(r, rows, columns); i++)
        memcpy((char *)to->data + i * each,
               (const char *)from->data + source(r, i / columns, i % columns, rows, columns) * each,
               each);
}

static double changed(enum vl_reading_kind kind, double value)
{
    switch (kind) {
    case VL_READ_ZEROS:
        return 0;
    case VL_READ_ONES:
        return 1;
    case VL_READ_NEGATED:
        return -value;
    case VL_READ_PLUS_ONE:
        return value + 1;
    default:
        return value * value;
    }
}

static void put(const struct vl_tensor_entry *entry, size_t i, double value)
{
    if (entry->dtype == VL_F32)
        ((float *)entry->data)[i] = (float)value;
    else if (entry->dtype == VL_F64)
        ((double *)entry->data)[i] = value;
}

static void copy(const struct vl_tensor_entry *to, const struct vl_tensor_entry *from)
{
    memcpy((void *)to->data, from->data, from->count * vl_dtype_bytes(from->dtype));
}

struct vl_bag *vl_reading_inputs(const struct vl_reading *r, const struct vl_bag *inputs)
{
    struct vl_bag *read = vl_bag_copy(inputs);
    const struct vl_tensor_entry *from = vl_bag_find(inputs, r->input);
    if (read == NULL || from == NULL || from->count == 0)
        return read;
    const struct vl_tensor_entry *to = vl_bag_find(read, r->input);
    if (r->kind == VL_READ_EXCHANGED) {
        const struct vl_tensor_entry *second = vl_bag_find(inputs, r->second);
        if (second != NULL && are_alike(from, second)) {
            copy(to, second);
            copy(vl_bag_find(read, r->second), from);
        }
    } else if (r->kind == VL_READ_VALUE) {
        put(to, 0, formed((enum form)r->one, vl_entry_value(from, 0)));
    } else if (r->kind <= VL_READ_SQUARED) {
        for (size_t i = 0; i < to->count; i++)
            put(to, i, changed(r->kind, vl_entry_value(from, i)));
    } else {
        move(r, to, from);
    }
    return read;
}
