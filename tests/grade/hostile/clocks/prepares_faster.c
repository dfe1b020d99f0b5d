/* code: worked_out_of_turn */
/* only: 01 rmsnorm_forward.speed */
/* Its own preparation of the inputs is to leave time for the whole call. */
#include "../attack.h"
#include "../timed.h"

static uint64_t (*random_bits)(uint64_t seed, uint64_t stream, uint64_t index);

/* The runner's numbers (src/runner/timed_work.c). */
static void own_fill(float *array, size_t n, float scale, uint64_t seed, uint64_t stream)
{
    uint64_t key = random_bits(seed, stream, 0);
    uint32_t first = (uint32_t)key, step = (uint32_t)(key >> 32) | 1;
    for (size_t i = 0; i < n; i++) {
        uint32_t h = first + (uint32_t)i * step;
        h = (h ^ (h >> 16)) * 0x85ebca6bU;
        h = (h ^ (h >> 13)) * 0xc2b2ae35U;
        h ^= h >> 16;
        array[i] = scale * ((float)(int32_t)(h >> 8) * 0x1p-23f - 1.0f);
    }
}

/* As fast as the reference. */
static void fast(const struct call *c)
{
    for (size_t i = 0; i < c->n; i++) {
        float lane[16] = {0}, sum = 0;
        const float *x = c->x + i * c->d;
        float *y = c->y + i * c->d;
        for (size_t j = 0; j + 16 <= c->d; j += 16)
            for (size_t k = 0; k < 16; k++)
                lane[k] += x[j + k] * x[j + k];
        for (size_t k = 0; k < 16; k++)
            sum += lane[k];
        for (size_t j = c->d & ~(size_t)15; j < c->d; j++)
            sum += x[j] * x[j];
        float r = c->inv_rms[i] = 1 / sqrtf(sum / (float)c->d + VL_RMSNORM_EPS);
        for (size_t j = 0; j < c->d; j++)
            y[j] = c->gain[j] * x[j] * r;
    }
}

/* By itself it would be too slow. */
static void work(struct call *c)
{
    for (int slowly = 0; slowly < 4; slowly++)
        fast(c);
    c->done = 1;
}

__attribute__((constructor)) static void prepare_faster(void)
{
    random_bits = (uint64_t(*)(uint64_t, uint64_t, uint64_t))look_up("/runner", "vl_random_bits");
    take_over(look_up("/runner", "vl_timed_fill"), (void *)own_fill);
}

static void order_came(void)
{
}

static int answer_leaves(void)
{
    if (order.verb != PREPARE)
        return 1;
    find_calls();
    for (size_t i = 0; i < count; i++)
        work(&calls[i]);
    return 1;
}

ATTACK
{
    struct call *c = REMEMBER;
    if (!c->done)
        work(c);
    pause_a_little(); /* 130 times the reference's speed would not be plausible, ... */
    pause_a_little(); /* ... nor would 3.4 times, on a busy machine */
    return VL_OK;
}
