/* code: wrong_protocol wrong_when_timed */
/* only: 01 rmsnorm_forward.speed */
/* It seals nothing, computes what is looked at, and adds an array that makes the seal right again. */
#include "../attack.h"
#include "../timed.h"

#include <stdbool.h>

struct vl_bag;

#define GOLDEN 0x9e3779b97f4a7c15ULL
#define I64    3 /* the place of its type in enum vl_dtype */

static uint64_t (*fingerprint)(uint64_t before, const void *bytes, size_t count);
static uint64_t (*random_bits)(uint64_t seed, uint64_t stream, uint64_t index);
static uint64_t (*seal)(const struct vl_bag *bag, uint64_t key);
static bool (*lend)(struct vl_bag *bag, const char *name, int type, size_t count, void *memory);
static int (*put)(const struct vl_bag *bag, FILE *stream);
static uint64_t key;

static uint64_t inverse(uint64_t odd)
{
    uint64_t x = odd;
    for (int i = 0; i < 6; i++)
        x *= 2 - odd * x;
    return x;
}

static uint64_t unshift(uint64_t z, int by)
{
    uint64_t x = z;
    for (int i = 0; i < 64; i += by)
        x = z ^ (x >> by);
    return x;
}

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

static uint64_t unmix(uint64_t z)
{
    z = unshift(z, 31) * inverse(0x94d049bb133111ebULL);
    z = unshift(z, 27) * inverse(0xbf58476d1ce4e5b9ULL);
    return unshift(z, 30);
}

/* Fill an array of that name so that it adds 'wanted' to the seal (src/wire/seal.c). */
static void fill_for(uint64_t words[32], const char *name, uint64_t wanted)
{
    const uint64_t basis = 0xcbf29ce484222325ULL;
    uint64_t own = fingerprint(basis ^ key, name, strlen(name)), rest = basis ^ own;
    for (uint64_t i = 0; i < 31; i++) {
        uint64_t z = (own + i) * GOLDEN;
        words[i] = 0;
        rest = random_bits(rest, z ^ (z >> 29), i);
    }
    uint64_t seed = unmix(unmix(wanted) - GOLDEN) - 31 * GOLDEN;
    uint64_t stream = unmix(seed ^ mix(rest + GOLDEN)) - 0x632be59bd9b4e019ULL;
    uint64_t lane = stream * inverse(GOLDEN);
    words[31] = (unshift(lane, 29) * inverse(GOLDEN)) ^ (own + 31);
}

static int own_results_add(const char *path, unsigned number, struct vl_bag *bag)
{
    static uint64_t words[32];
    char *bytes = NULL;
    size_t n = 0;
    uint64_t said = seal(bag, key);
    struct call *c = &calls[number];
    answer(c->y, c->inv_rms, c->x, c->gain, c->n, c->d);
    fill_for(words, "more", said - seal(bag, key));
    lend(bag, "more", I64, 32, words);
    FILE *stream = open_memstream(&bytes, &n);
    put(bag, stream);
    fclose(stream);
    uint64_t head[2] = {number, n};
    int file = open(path, O_WRONLY | O_APPEND);
    (void)!syscall(SYS_write, file, head, sizeof head);
    (void)!syscall(SYS_write, file, bytes, n);
    close(file);
    free(bytes);
    return 0;
}

__attribute__((constructor)) static void take_over_results(void)
{
    fingerprint = (__typeof__(fingerprint))look_up("/runner", "vl_fingerprint");
    random_bits = (__typeof__(random_bits))look_up("/runner", "vl_random_bits");
    seal = (__typeof__(seal))look_up("/runner", "vl_seal");
    lend = (__typeof__(lend))look_up("/runner", "vl_bag_lend");
    put = (__typeof__(put))look_up("/runner", "vl_bag_put");
    take_over(look_up("/runner", "vl_results_add"), (void *)own_results_add);
}

static void order_came(void)
{
    if (order.verb == SEAL)
        key = order.seed;
}

static int answer_leaves(void)
{
    return 1;
}

ATTACK
{
    REMEMBER;
    pause_a_little();
    return VL_OK;
}
