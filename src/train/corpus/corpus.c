#include "train/corpus/corpus.h"

#include "base/file.h"
#include "base/fingerprint.h"
#include "base/number.h"
#include "base/random.h"
#include "base/text.h"

#include "corpus_text.h" /* vl_corpus_text, vl_corpus_lengths: made from corpus/ by corpus.cmake */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_BYTES   ((size_t)4 << 30)
#define BATCH_STREAM 0x6261746368ULL /* "batch": apart from the streams of the weights */

/* ---- refusals ---- */

static enum vl_status refuse_kind(const char *path, struct vl_problem *problem)
{
    return vl_problem_set(problem, VL_EFORMAT, "data_kind",
                          _("%s is not a regular file of at most 4 GiB: give the file that "
                            "holds the text."),
                          path);
}

/* VL_OK if 'count' bytes hold a window. */
static enum vl_status refuse_short(const char *path, size_t count, size_t sequence,
                                   struct vl_problem *problem)
{
    char needed[VL_NUMBER_TEXT];
    if (count > sequence)
        return VL_OK;
    if (path != NULL && count == 0)
        return vl_problem_set(problem, VL_EINVAL, "data_empty",
                              _("The file %s is empty: give a text to learn from."), path);
    return vl_problem_set(problem, VL_EINVAL, "data_short",
                          _("The text is too short: a sequence of this length needs at least %s "
                            "bytes. Give a longer text, or train with a smaller `--sequence`."),
                          vl_number_text(needed, (double)sequence + 1, 0));
}

/* ---- whole ---- */

static enum vl_status read_text(struct vl_corpus *corpus, const char *path,
                                struct vl_problem *problem)
{
    enum vl_status status = vl_file_read(&corpus->owned, &corpus->count, path, MOST_BYTES);
    corpus->bytes = (const unsigned char *)corpus->owned;
    if (status == VL_EIO)
        return vl_problem_reading(problem, path);
    if (status == VL_EFORMAT)
        return refuse_kind(path, problem);
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
    enum vl_status status = refuse_short(path, corpus->count, sequence, problem);
    if (status != VL_OK)
        vl_corpus_close(corpus);
    else
        corpus->fingerprint = vl_fingerprint(VL_FINGERPRINT, corpus->bytes, corpus->count);
    return status;
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

/* ---- a few windows at a time ---- */

static enum vl_status open_file(struct vl_corpus_stream *stream, struct vl_problem *problem)
{
    struct stat info;
    /* O_NONBLOCK, because opening a pipe without a writer would block forever. */
    stream->fd = open(stream->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (stream->fd < 0 || fstat(stream->fd, &info) != 0)
        return vl_problem_reading(problem, stream->path);
    if (!S_ISREG(info.st_mode) || (uintmax_t)info.st_size > MOST_BYTES)
        return refuse_kind(stream->path, problem);
    stream->count = (size_t)info.st_size;
    stream->block = malloc(stream->capacity);
    return stream->block != NULL ? VL_OK : vl_problem_status(problem, VL_ENOMEM);
}

enum vl_status vl_corpus_stream_open(struct vl_corpus_stream *stream, const char *path, size_t rows,
                                     size_t sequence, struct vl_problem *problem)
{
    *stream = (struct vl_corpus_stream){.path = path, .capacity = rows * sequence + 1, .fd = -1};
    enum vl_status status = VL_OK;
    if (path == NULL) {
        stream->bytes = vl_corpus_text;
        stream->count = sizeof vl_corpus_text;
    } else {
        status = open_file(stream, problem);
    }
    if (status == VL_OK)
        status = refuse_short(path, stream->count, sequence, problem);
    if (status != VL_OK)
        vl_corpus_stream_close(stream);
    return status;
}

/* The bytes from 'begin' on into the block. */
static enum vl_status fill(struct vl_corpus_stream *stream, size_t begin, size_t count,
                           struct vl_problem *problem)
{
    for (size_t filled = 0; filled < count;) {
        ssize_t got =
            pread(stream->fd, stream->block + filled, count - filled, (off_t)(begin + filled));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return vl_problem_reading(problem, stream->path);
        if (got == 0)
            return vl_problem_set(
                problem, VL_EIO, "data_cut",
                _("The file %s became shorter while it was read: try again when nothing is "
                  "writing to it."),
                stream->path);
        filled += (size_t)got;
    }
    return VL_OK;
}

enum vl_status vl_corpus_stream_read(int32_t *tokens, int32_t *targets,
                                     struct vl_corpus_stream *stream, size_t begin, size_t rows,
                                     size_t sequence, struct vl_problem *problem)
{
    struct vl_corpus seen = {.bytes = stream->bytes};
    enum vl_status status = VL_OK;
    if (stream->bytes == NULL) {
        status = fill(stream, begin, rows * sequence + 1, problem);
        seen.bytes = stream->block;
        begin = 0;
    }
    for (size_t row = 0; row < rows && status == VL_OK; row++)
        vl_corpus_window(tokens + row * sequence, targets + row * sequence, &seen,
                         begin + row * sequence, sequence);
    return status;
}

void vl_corpus_stream_close(struct vl_corpus_stream *stream)
{
    if (stream->fd >= 0)
        close(stream->fd);
    free(stream->block);
    *stream = (struct vl_corpus_stream){.fd = -1};
}
