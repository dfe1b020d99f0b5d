#include "wire/seal.h"

#include "base/fingerprint.h"
#include "base/random.h"

#include <string.h>

/*
 * Each word is multiplied into one of the lanes, which a processor computes at the same time. This is
 * as fast as the processor allows, close to the speed of memory: a submission that seals faster than
 * we do gains time in which no clock runs for it.
 */
enum { LANES = 32 };
#define ODD   0x9e3779b97f4a7c15ULL
#define BLOCK (LANES * sizeof(uint64_t))
#define SEAL(name, processor, width)                                                               \
    processor static void name(uint64_t state[LANES], const unsigned char *bytes, size_t blocks)   \
    {                                                                                              \
        typedef uint64_t words __attribute__((vector_size(8 * (width))));                          \
        words lane[LANES / (width)], next;                                                         \
        memcpy(lane, state, sizeof lane);                                                          \
        for (const unsigned char *end = bytes + blocks * BLOCK; bytes < end; bytes += BLOCK)       \
            for (size_t i = 0; i < LANES / (width); i++) {                                         \
                memcpy(&next, bytes + i * sizeof next, sizeof next);                               \
                next = (lane[i] ^ next) * ODD;                                                     \
                lane[i] = next ^ (next >> 29);                                                     \
            }                                                                                      \
        memcpy(state, lane, sizeof lane);                                                          \
    }

SEAL(seal_blocks, , 2)
#ifdef __x86_64__
SEAL(seal_blocks_avx2, __attribute__((target("avx2"))), 4)
SEAL(seal_blocks_avx512, __attribute__((target("avx512f,avx512dq"))), 8)
#endif

static uint64_t seal_bytes(const unsigned char *bytes, size_t count, uint64_t key)
{
    uint64_t lane[LANES];
    size_t blocks = count / BLOCK;
    for (uint64_t i = 0; i < LANES; i++)
        lane[i] = key + i;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512dq"))
        seal_blocks_avx512(lane, bytes, blocks);
    else if (__builtin_cpu_supports("avx2"))
        seal_blocks_avx2(lane, bytes, blocks);
    else
#endif
        seal_blocks(lane, bytes, blocks);
    uint64_t rest =
        vl_fingerprint(VL_FINGERPRINT ^ key, bytes + blocks * BLOCK, count - blocks * BLOCK);
    for (size_t i = 0; i < LANES; i++)
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
