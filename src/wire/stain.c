#include "wire/stain.h"

#include <stdint.h>
#include <string.h>

#define WORD   0x7ff9c005u
#define NUMBER 0x00000ff0u

void vl_stain_put(void *memory, size_t bytes, unsigned number)
{
    const uint32_t word = WORD | (number << 4 & NUMBER);
    char *at = memory;
    for (; bytes >= sizeof word; at += sizeof word, bytes -= sizeof word)
        memcpy(at, &word, sizeof word);
    memcpy(at, &word, bytes);
}

static int number_of(uint32_t word)
{
    return (word & ~NUMBER) == WORD ? (int)((word & NUMBER) >> 4) : -1;
}

/* A double becomes a float by losing the low 29 bits of its fraction. */
static int find_f32(uint32_t bits)
{
    bits &= 0x7fffffffu;
    int number = number_of(bits);
    if (number >= 0 || bits >> 23 != 0xff || (bits & 7) != WORD >> 29)
        return number;
    return number_of(0x7ff00000u | (bits >> 3 & 0xfffffu));
}

static int find_f64(uint64_t bits)
{
    bits &= UINT64_MAX >> 1;
    uint32_t high = (uint32_t)(bits >> 32), low = (uint32_t)bits;
    if (number_of(high) >= 0 && high == low)
        return number_of(high);
    if (high >> 20 != 0x7ff || (bits & 0x1fffffffu) != 0)
        return -1;
    return number_of(0x7f800000u | (uint32_t)(bits >> 29 & 0x7fffffu));
}

/* Sums of few small numbers leave the upper half alone. */
static int find_i64(uint64_t bits)
{
    return number_of((uint32_t)(bits >> 32));
}

int vl_stain_find(const struct vl_tensor_entry *entry)
{
    int number = -1;
    for (size_t i = 0; i < entry->count && number < 0; i++) {
        uint32_t narrow;
        uint64_t wide;
        if (entry->dtype == VL_F32) {
            memcpy(&narrow, (const char *)entry->data + i * sizeof narrow, sizeof narrow);
            number = find_f32(narrow);
        } else if (entry->dtype == VL_F64 || entry->dtype == VL_I64) {
            memcpy(&wide, (const char *)entry->data + i * sizeof wide, sizeof wide);
            number = entry->dtype == VL_F64 ? find_f64(wide) : find_i64(wide);
        }
    }
    return number;
}
