#include "wire/seal.h"

#include "base/fingerprint.h"
#include "base/random.h"

#include <string.h>

/* Each word is multiplied into one of four lanes, which a processor computes at the same time. */
static uint64_t seal_bytes(const unsigned char *bytes, size_t count, uint64_t key)
{
    const uint64_t odd = 0x9e3779b97f4a7c15ULL;
    uint64_t lane[4] = {key, key + 1, key + 2, key + 3};
    size_t at = 0;
    for (; at + sizeof lane <= count; at += sizeof lane)
        for (size_t i = 0; i < 4; i++) {
            uint64_t word;
            memcpy(&word, bytes + at + i * sizeof word, sizeof word);
            lane[i] = (lane[i] ^ word) * odd;
            lane[i] ^= lane[i] >> 29;
        }
    uint64_t rest = vl_fingerprint(VL_FINGERPRINT ^ key, bytes + at, count - at);
    for (size_t i = 0; i < 4; i++)
        rest = vl_random_bits(rest, lane[i], i);
    return rest;
}

uint64_t vl_seal(const struct vl_bag *bag, uint64_t key)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < vl_bag_count(bag); i++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(bag, i);
        uint64_t own = vl_fingerprint(VL_FINGERPRINT ^ key, entry->name, strlen(entry->name));
        sum += seal_bytes(entry->data, entry->count * vl_dtype_bytes(entry->dtype), own);
    }
    return sum;
}
