#include "grade/catalogue/origin.h"

#include "grade/catalogue/derive.h"
#include <inttypes.h>
#include <stdio.h>

/* A seed as a key: its decimal digits, which are the same on every machine. */
#define DIGITS 24

static uint64_t from_seed(uint64_t seed, const char *purpose, const char *about)
{
    char key[DIGITS];
    int n = snprintf(key, sizeof key, "%" PRIu64, seed);
    return vl_derive(key, (size_t)n, purpose, about, "");
}

uint64_t vl_secret_seed(const void *secret, size_t n, const char *lab, const char *student)
{
    return vl_derive(secret, n, "vialata-seed", lab, student);
}

uint64_t vl_origin_seed(const struct vl_origin *origin, const char *id)
{
    return origin->secret ? from_seed(origin->seed, "vialata-case", id) : origin->seed;
}

uint64_t vl_seed_of(uint64_t seed, uint64_t index)
{
    char number[DIGITS];
    snprintf(number, sizeof number, "%" PRIu64, index);
    return from_seed(seed, "vialata-next", number);
}
