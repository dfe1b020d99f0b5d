#include "grade/catalogue/maker.h"

#include "base/random.h"
#include "grade/catalogue/shapes.h"

#include <string.h>

#define REHEARSAL 256 /* no letter of an id */

struct vl_maker vl_maker_start(struct vl_bag *bag, const struct vl_case *c, uint64_t seed)
{
    struct vl_maker maker = {.bag = bag, .seed = seed};
    for (const char *letter = c->id; *letter; letter++)
        maker.seed = vl_random_bits(maker.seed, (unsigned char)*letter, 0);
    maker.numbers = c->rehearses ? vl_random_bits(maker.seed, REHEARSAL, 0) : maker.seed;
    return maker;
}

enum vl_status vl_maker_end(const struct vl_maker *maker)
{
    return maker->failed ? VL_ENOMEM : VL_OK;
}

size_t vl_maker_size(struct vl_maker *maker, const char *name, size_t value)
{
    maker->failed |= !vl_bag_set_int(maker->bag, name, (int64_t)value);
    return value;
}

size_t vl_maker_between(struct vl_maker *maker, size_t low, size_t high)
{
    return low + vl_random_below(high - low + 1, maker->seed, maker->stream++, 0);
}

void vl_maker_ends_sizes(struct vl_maker *maker)
{
    maker->seed = maker->numbers;
}

size_t vl_maker_prime(struct vl_maker *maker, size_t but)
{
    static const size_t primes[] = {3, 5, 7, 11, 13};
    size_t i = vl_maker_between(maker, 0, 4);
    return primes[i] != but ? primes[i] : primes[(i + 1) % 5];
}

size_t vl_maker_wide(struct vl_maker *maker)
{
    static const size_t primes[] = {17, 23, 37, 53, 67};
    return primes[vl_maker_between(maker, 0, 4)];
}

void vl_maker_sizes_of(struct vl_maker *maker, const struct vl_named_size *sizes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        vl_maker_size(maker, sizes[i].name, sizes[i].value);
}

void vl_maker_flag(struct vl_maker *maker, const char *name, int variant, int flag)
{
    vl_maker_size(maker, name, (variant & flag) != 0);
}

/* An array of the bag. Where there is none, the maker has failed. */
static void *added(struct vl_maker *maker, void *array)
{
    maker->failed |= !array;
    return array;
}

void vl_maker_real(struct vl_maker *maker, const char *name, double value)
{
    maker->failed |= !vl_bag_set_real(maker->bag, name, value);
}

float *vl_maker_normal(struct vl_maker *maker, const char *name, size_t rows, size_t cols,
                       float scale)
{
    float *array = added(maker, vl_bag_add_f32(maker->bag, name, rows, cols));
    if (array)
        vl_random_fill_normal(array, rows * cols, scale, maker->numbers, maker->stream++, 0);
    return array;
}

float *vl_maker_rough(struct vl_maker *maker, const char *name, size_t rows, size_t cols,
                      float scale)
{
    float *array = vl_maker_normal(maker, name, rows, cols, scale);
    for (size_t i = 0; array && i < rows * cols; i++)
        array[i] *= 1.1f;
    return array;
}

double *vl_maker_doubles(struct vl_maker *maker, const char *name, size_t rows, size_t cols)
{
    return added(maker, vl_bag_add_f64(maker->bag, name, rows, cols));
}

int64_t *vl_maker_long(struct vl_maker *maker, const char *name, size_t rows, size_t cols)
{
    return added(maker, vl_bag_add(maker->bag, name, VL_I64, 2, (size_t[]){rows, cols}));
}

int32_t *vl_maker_whole(struct vl_maker *maker, const char *name, size_t rows, size_t cols)
{
    return added(maker, vl_bag_add_i32(maker->bag, name, rows, cols));
}

int32_t *vl_maker_below(struct vl_maker *maker, const char *name, size_t rows, size_t cols,
                        size_t limit)
{
    int32_t *array = vl_maker_whole(maker, name, rows, cols);
    for (size_t i = 0; array && i < rows * cols; i++)
        array[i] = (int32_t)vl_random_below(limit, maker->seed, maker->stream, i);
    maker->stream++;
    return array;
}

static enum vl_status make_inputs(struct vl_bag *inputs, const struct vl_case *c,
                                  const struct vl_origin *origin)
{
    return c->sealed ? vl_shapes_put(inputs, vl_case_lab(c), origin->student)
                     : c->make(inputs, c, vl_origin_seed(origin, c->id));
}

struct vl_bag *vl_case_inputs(const struct vl_case *c, const struct vl_origin *origin)
{
    struct vl_bag *inputs = vl_bag_create();
    if (inputs != NULL && make_inputs(inputs, c, origin) == VL_OK &&
        (!c->synchronous || vl_bag_set_int(inputs, "synchronous", c->synchronous)))
        return inputs;
    vl_bag_free(inputs);
    return NULL;
}

struct vl_bag *vl_bag_widened(const struct vl_bag *bag)
{
    struct vl_bag *wide = vl_bag_create();
    for (size_t a = 0; wide && a < vl_bag_count(bag); a++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(bag, a);
        int narrow = entry->dtype == VL_F32;
        void *copy = vl_bag_add(wide, entry->name, narrow ? VL_F64 : entry->dtype, entry->dims,
                                entry->shape);
        if (!copy) {
            vl_bag_free(wide);
            return NULL;
        }
        if (!narrow && entry->count > 0)
            memcpy(copy, entry->data, entry->count * vl_dtype_bytes(entry->dtype));
        for (size_t i = 0; narrow && i < entry->count; i++)
            ((double *)copy)[i] = (double)((const float *)entry->data)[i];
    }
    return wide;
}

size_t vl_bag_size(const struct vl_bag *bag, const char *name)
{
    return (size_t)vl_bag_int(bag, name);
}
