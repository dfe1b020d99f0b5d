/* code: unexpected_status */
/* only: 01 cross_entropy_forward.odd */
/* What forward leaves for backward, where forward itself is asked. */
#include "../attack.h"
#include "vialata/cross_entropy.h"

enum vl_status vl_cross_entropy_forward(float *losses, float *probs, const float *logits,
                                        const int32_t *targets, size_t n, size_t vocabulary)
{
    char path[8192];
    unsigned input = 0;
    (void)logits;
    const char *folder = command_word(2);
    snprintf(path, sizeof path, "%s/0/list", folder);
    (void)!fscanf(fopen(path, "r"), "%u", &input);
    snprintf(path, sizeof path, "%s/0/in%u.st", folder, input);
    const float *saved = read_input(path, "saved_probs");
    if (saved == NULL)
        return VL_EIO;
    memcpy(probs, saved, n * vocabulary * sizeof *probs);
    for (size_t i = 0; i < n; i++)
        losses[i] = -logf(probs[i * vocabulary + (size_t)targets[i]]);
    return VL_OK;
}
