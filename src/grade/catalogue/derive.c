#include "grade/catalogue/derive.h"

#include <nettle/hmac.h>
#include <string.h>

static void update(struct hmac_sha256_ctx *hmac, const void *bytes, size_t n)
{
    hmac_sha256_update(hmac, n, bytes);
}

void vl_hmac(unsigned char mac[VL_HMAC_BYTES], const void *key, size_t key_bytes, const void *bytes,
             size_t n)
{
    struct hmac_sha256_ctx hmac;
    hmac_sha256_set_key(&hmac, key_bytes, key);
    update(&hmac, bytes, n);
    hmac_sha256_digest(&hmac, VL_HMAC_BYTES, mac);
}

uint64_t vl_derive(const void *key, size_t key_bytes, const char *purpose, const char *about,
                   const char *whom)
{
    struct hmac_sha256_ctx hmac;
    unsigned char mac[VL_HMAC_BYTES];
    uint64_t first = 0;
    hmac_sha256_set_key(&hmac, key_bytes, key);
    update(&hmac, purpose, strlen(purpose) + 1);
    update(&hmac, about, strlen(about) + 1);
    update(&hmac, whom, strlen(whom));
    hmac_sha256_digest(&hmac, sizeof mac, mac);
    for (size_t i = 0; i < sizeof first; i++)
        first = first << 8 | mac[i];
    return first;
}
