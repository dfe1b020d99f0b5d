/* code: unexpected_status */
/* only: 01 cross_entropy_forward.odd */
/* What forward leaves for backward, where forward itself is asked. */
#include "../attack.h"
#include "vialata/cross_entropy.h"

enum vl_status vl_cross_entropy_forward(float *losses, float *probs, const float *logits,
                                        const int32_t *targets, size_t n, size_t vocabulary)
{
    char words[4096] = "", path[8192];
    unsigned input = 0;
    (void)logits;
    FILE *file = fopen("/proc/self/cmdline", "r"); /* the runner, "cases", the folder */
    (void)!fread(words, 1, sizeof words - 1, file);
    const char *folder = words + strlen(words) + 1;
    folder += strlen(folder) + 1;
    snprintf(path, sizeof path, "%s/0/list", folder);
    (void)!fscanf(freopen(path, "r", file), "%u", &input);
    snprintf(path, sizeof path, "%s/0/in%u.st", folder, input);
    const float *saved = read_input(path, "saved_probs");
    if (saved == NULL)
        return VL_EIO;
    memcpy(probs, saved, n * vocabulary * sizeof *probs);
    for (size_t i = 0; i < n; i++)
        losses[i] = -logf(probs[i * vocabulary + (size_t)targets[i]]);
    return VL_OK;
}
