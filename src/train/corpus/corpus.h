/*
 * The text a model learns from: bytes, whatever they say. The vocabulary is the 256 bytes, so any
 * file will do; five languages or a photograph, the model only sees numbers.
 *
 * A batch is drawn without a running state: row r of step s starts at a place that depends only on
 * (seed, s, r). So a run can be resumed from its step number, with nothing else to keep.
 */
#ifndef VIALATA_TRAIN_CORPUS_CORPUS_H
#define VIALATA_TRAIN_CORPUS_CORPUS_H

#include "train/log/problem.h"
#include <stddef.h>
#include <stdint.h>

struct vl_corpus {
    const unsigned char *bytes;
    size_t count;
    uint64_t fingerprint; /* of the bytes, so that a resumed run recognises its text */
    char *owned;          /* what to free */
};

/*
 * Open the file 'path', or the course's own text in five languages if it is NULL. 'sequence' is T:
 * a text shorter than T + 1 bytes has no window to learn from and is refused, as are files that are
 * missing, unreadable or not regular files.
 */
enum vl_status vl_corpus_open(struct vl_corpus *corpus, const char *path, size_t sequence,
                              struct vl_problem *problem);
void vl_corpus_close(struct vl_corpus *corpus);

/*
 * A text that is read from its beginning to its end, a few windows at a time, and never whole in
 * memory.
 */
struct vl_corpus_stream {
    const char *path;
    size_t count;
    const unsigned char *bytes; /* the course's own text, or NULL */
    int fd;
    unsigned char *block; /* of the file: what the windows asked for cover */
    size_t capacity;
};

/* As vl_corpus_open, with the same refusals; 'rows' windows of 'sequence' tokens are read at once at
 * most. */
enum vl_status vl_corpus_stream_open(struct vl_corpus_stream *stream, const char *path, size_t rows,
                                     size_t sequence, struct vl_problem *problem);

/* tokens and targets (rows,sequence) of windows one after the other, the first from byte 'begin'.
 * VL_EIO if the file can no longer be read that far. */
enum vl_status vl_corpus_stream_read(int32_t *tokens, int32_t *targets,
                                     struct vl_corpus_stream *stream, size_t begin, size_t rows,
                                     size_t sequence, struct vl_problem *problem);
void vl_corpus_stream_close(struct vl_corpus_stream *stream);

/* The course's own text, language by language. */
struct vl_corpus_part {
    const char *language; /* "en", "pt_BR" ...: named like the catalogues in po/ */
    const unsigned char *bytes;
    size_t count;
};
/* Part i, in the order of the text. Zero if there is no such part. */
int vl_corpus_part(struct vl_corpus_part *part, size_t i);

/* Fill tokens and targets, (batch,sequence) each: a target is the token after its token. */
void vl_corpus_batch(int32_t *tokens, int32_t *targets, const struct vl_corpus *corpus,
                     uint64_t seed, uint64_t step, size_t batch, size_t sequence);

/* tokens and targets (sequence) of the window that starts at byte 'begin'. */
void vl_corpus_window(int32_t *tokens, int32_t *targets, const struct vl_corpus *corpus,
                      size_t begin, size_t sequence);

#endif
