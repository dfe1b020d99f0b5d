#include "train/corpus/corpus.h"

#include "base/file.h"
#include "base/fingerprint.h"
#include "base/number.h"
#include "base/random.h"
#include "base/text.h"

#include "corpus_text.h" /* vl_corpus_text, vl_corpus_lengths: made from corpus/ by corpus.cmake */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES   ((size_t)4 << 30)
#define BATCH_STREAM 0x6261746368ULL /* "batch": apart from the streams of the weights */

static enum vl_status read_text(struct vl_corpus *corpus, const char *path,
                                struct vl_problem *problem)
{
    enum vl_status status = vl_file_read(&corpus->owned, &corpus->count, path, MOST_BYTES);
    corpus->bytes = (const unsigned char *)corpus->owned;
    if (status == VL_EIO)
        return vl_problem_reading(problem, path);
    if (status == VL_EFORMAT)
        return vl_problem_set(problem, status, "data_kind",
                              _("%s is not a regular file of at most 4 GiB: give the file that "
                                "holds the text."),
                              path);
    return status == VL_OK ? VL_OK : vl_problem_status(problem, status);
}

enum vl_status vl_corpus_open(struct vl_corpus *corpus, const char *path, size_t sequence,
                              struct vl_problem *problem)
{
    memset(corpus, 0, sizeof *corpus);
    if (path == NULL) {
        corpus->bytes = vl_corpus_text;
        corpus->count = sizeof vl_corpus_text;
    } else {
        enum vl_status status = read_text(corpus, path, problem);
        if (status != VL_OK)
            return status;
    }
    corpus->fingerprint = vl_fingerprint(VL_FINGERPRINT, corpus->bytes, corpus->count);
    if (corpus->count > sequence)
        return VL_OK;
    char needed[VL_NUMBER_TEXT];
    size_t count = corpus->count;
    vl_corpus_close(corpus);
    if (path != NULL && count == 0)
        return vl_problem_set(problem, VL_EINVAL, "data_empty",
                              _("The file %s is empty: give a text to learn from."), path);
    return vl_problem_set(problem, VL_EINVAL, "data_short",
                          _("The text is too short: a sequence of this length needs at least %s "
                            "bytes. Give a longer text, or train with a smaller `--sequence`."),
                          vl_number_text(needed, (double)sequence + 1, 0));
}

void vl_corpus_close(struct vl_corpus *corpus)
{
    free(corpus->owned);
    memset(corpus, 0, sizeof *corpus);
}

int vl_corpus_part(struct vl_corpus_part *part, size_t i)
{
    const unsigned char *bytes = vl_corpus_text;
    if (i >= sizeof vl_corpus_lengths / sizeof *vl_corpus_lengths)
        return 0;
    for (size_t before = 0; before < i; before++)
        bytes += vl_corpus_lengths[before].count;
    *part =
        (struct vl_corpus_part){vl_corpus_lengths[i].language, bytes, vl_corpus_lengths[i].count};
    return 1;
}

void vl_corpus_window(int32_t *tokens, int32_t *targets, const struct vl_corpus *corpus,
                      size_t begin, size_t sequence)
{
    for (size_t t = 0; t < sequence; t++) {
        tokens[t] = corpus->bytes[begin + t];
        targets[t] = corpus->bytes[begin + t + 1];
    }
}

void vl_corpus_batch(int32_t *tokens, int32_t *targets, const struct vl_corpus *corpus,
                     uint64_t seed, uint64_t step, size_t batch, size_t sequence)
{
    for (size_t row = 0; row < batch; row++) {
        uint64_t begin =
            vl_random_below(corpus->count - sequence, seed, BATCH_STREAM, step * batch + row);
        vl_corpus_window(tokens + row * sequence, targets + row * sequence, corpus, begin,
                         sequence);
    }
}
