#include "wire/seal.h"

#include "base/fingerprint.h"
#include "base/random.h"

#include <string.h>

/*
 * Each word is multiplied into one lane of each of two rows, which a processor computes at the same
 * time. One row could be turned back: whoever seals anything and learns later what is looked at would
 * choose one word of the outputs, or of an array more, so that the seal is right. No word is right for
 * both rows.
 *
 * This is as fast as the processor allows, close to the speed of memory: a submission that seals faster
 * than we do gains time in which no clock runs for it.
 */
enum { LANES = 16 };
#define ODD   0x9e3779b97f4a7c15ULL
#define OTHER 0xd6e8feb86659fd93ULL
#define BLOCK (LANES * sizeof(uint64_t))
#define SEAL(name, processor, width)                                                               \
    processor static void name(uint64_t state[2 * LANES], const unsigned char *bytes,              \
                               size_t blocks)                                                      \
    {                                                                                              \
        typedef uint64_t words __attribute__((vector_size(8 * (width))));                          \
        words lane[2][LANES / (width)], next;                                                      \
        memcpy(lane, state, sizeof lane);                                                          \
        for (const unsigned char *end = bytes + blocks * BLOCK; bytes < end; bytes += BLOCK)       \
            for (size_t i = 0; i < LANES / (width); i++) {                                         \
                memcpy(&next, bytes + i * sizeof next, sizeof next);                               \
                words one = (lane[0][i] ^ next) * ODD, two = (lane[1][i] ^ next) * OTHER;          \
                lane[0][i] = one ^ (one >> 29);                                                    \
                lane[1][i] = two ^ (two >> 32);                                                    \
            }                                                                                      \
        memcpy(state, lane, sizeof lane);                                                          \
    }

SEAL(seal_blocks, , 2)
#ifdef __x86_64__
SEAL(seal_blocks_avx2, __attribute__((target("avx2"))), 4)
SEAL(seal_blocks_avx512, __attribute__((target("avx512f,avx512dq"))), 8)
#endif

static void seal_all(uint64_t lane[2 * LANES], const unsigned char *bytes, size_t blocks)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512dq"))
        seal_blocks_avx512(lane, bytes, blocks);
    else if (__builtin_cpu_supports("avx2"))
        seal_blocks_avx2(lane, bytes, blocks);
    else
#endif
        seal_blocks(lane, bytes, blocks);
}

/* What does not fill a block is sealed like one, too, with zeros behind it. */
static uint64_t seal_bytes(const unsigned char *bytes, size_t count, uint64_t key)
{
    uint64_t lane[2 * LANES], sealed = key ^ count;
    unsigned char last[BLOCK] = {0};
    size_t blocks = count / BLOCK, rest = count % BLOCK;
    for (uint64_t i = 0; i < 2 * LANES; i++)
        lane[i] = vl_random_bits(key, i, 0);
    seal_all(lane, bytes, blocks);
    if (rest > 0)
        memcpy(last, bytes + blocks * BLOCK, rest);
    seal_all(lane, last, 1);
    for (size_t i = 0; i < 2 * LANES; i++)
        sealed = vl_random_bits(sealed, lane[i], i);
    return sealed;
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
