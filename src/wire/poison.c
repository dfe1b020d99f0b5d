#include "wire/poison.h"

#include <string.h>

static const uint32_t poison_f32 = VL_POISON_BITS;
static const uint64_t poison_f64 = 0x7ffdeaf0eaf0eaf0ULL;
static const int32_t poison_i32 = INT32_MIN;
static const int64_t poison_i64 = INT64_MIN;
static const uint8_t poison_u8 = VL_POISON_BYTE;
static const void *const poisons[] = {[VL_F32] = &poison_f32,
                                      [VL_F64] = &poison_f64,
                                      [VL_I32] = &poison_i32,
                                      [VL_I64] = &poison_i64,
                                      [VL_U8] = &poison_u8};

void vl_poison_fill(void *data, size_t bytes, enum vl_dtype dtype)
{
    if (bytes == 0)
        return;
    size_t done = vl_dtype_bytes(dtype);
    memcpy(data, poisons[dtype], done);
    while (done < bytes) { /* as much again as there is already */
        size_t more = done < bytes - done ? done : bytes - done;
        memcpy((char *)data + done, data, more);
        done += more;
    }
}

/* Asked of every element that is judged: memcmp of a length that the compiler knows. */
bool vl_poison_is(const void *data, enum vl_dtype dtype, size_t i)
{
    const size_t bytes = vl_dtype_bytes(dtype);
    const char *element = (const char *)data + i * bytes;
    if (bytes == sizeof(uint32_t))
        return memcmp(element, poisons[dtype], sizeof(uint32_t)) == 0;
    if (bytes == sizeof(uint64_t))
        return memcmp(element, poisons[dtype], sizeof(uint64_t)) == 0;
    return *(const uint8_t *)element == poison_u8;
}

size_t vl_poison_ahead(const void *data, size_t n, enum vl_dtype dtype)
{
    char block[VL_POISON_BLOCK];
    size_t ahead = 0;
    vl_poison_fill(block, sizeof block, dtype);
    while (n - ahead >= sizeof block &&
           memcmp((const char *)data + ahead, block, sizeof block) == 0)
        ahead += sizeof block;
    return ahead;
}

size_t vl_poison_behind(const void *data, size_t n, enum vl_dtype dtype)
{
    char block[VL_POISON_BLOCK];
    size_t left = n;
    vl_poison_fill(block, sizeof block, dtype);
    while (left >= sizeof block &&
           memcmp((const char *)data + left - sizeof block, block, sizeof block) == 0)
        left -= sizeof block;
    return n - left;
}
