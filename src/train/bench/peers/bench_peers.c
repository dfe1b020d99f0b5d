#include "train/bench/peers/bench_peers.h"

#include "base/file.h"
#include "base/path.h"
#include "engine/check.h"
#include "engine/checkpoint/checkpoint.h"
#include "train/bench/peers/peer.h"
#include "train/bench/timing.h"
#include "vialata/budget.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = VL_BENCH_ROUNDS };

/* What both begin with, and the two. */
struct bench {
    struct vl_learning learning;
    struct vl_peer peer;
    char *folder, *weights, *tokens; /* files in that folder */
};

/* ---- the files that the peer reads ---- */

static enum vl_status make_folder(struct bench *bench)
{
    const char *where = getenv("TMPDIR");
    char *folder =
        vl_path_join(where != NULL && where[0] == '/' ? where : "/tmp", "vialata-peer-XXXXXX");
    if (folder == NULL)
        return VL_ENOMEM;
    if (mkdtemp(folder) == NULL) {
        free(folder); /* free keeps errno */
        return VL_EIO;
    }
    bench->folder = folder;
    bench->weights = vl_path_join(folder, "weights.safetensors");
    bench->tokens = vl_path_join(folder, "tokens");
    return bench->weights != NULL && bench->tokens != NULL ? VL_OK : VL_ENOMEM;
}

static void remove_folder(struct bench *bench)
{
    if (bench->weights != NULL)
        unlink(bench->weights);
    if (bench->tokens != NULL)
        unlink(bench->tokens);
    if (bench->folder != NULL)
        rmdir(bench->folder);
    free(bench->weights);
    free(bench->tokens);
    free(bench->folder);
}

static enum vl_status write_files(const struct bench *bench, const struct vl_bench_shape *shape)
{
    const struct vl_training_state state = {.batch = shape->batch};
    VL_CHECK(vl_checkpoint_save(bench->weights, bench->learning.model, &state));
    return vl_file_write(bench->tokens, bench->learning.tokens,
                         2 * shape->batch * shape->shape.sequence * sizeof *bench->learning.tokens);
}

/* ---- the steps ---- */

static bool is_near(double loss, double other)
{
    return fabs(loss - other) <= VL_PEERS_LOSS * fabs(loss); /* false for a NaN */
}

/* Our step, then the peer's. */
static enum vl_status round_of(struct bench *bench, struct vl_peers_result *result, double *ours,
                               double *theirs)
{
    double start = vl_bench_seconds();
    VL_CHECK(vl_learning_step(&bench->learning));
    *ours = vl_bench_seconds() - start;
    result->loss = bench->learning.loss;
    VL_CHECK(vl_peer_step(&bench->peer, &result->peer_loss, theirs));
    return is_near(result->loss, result->peer_loss) ? VL_OK : VL_EFORMAT;
}

static enum vl_status measure(struct vl_peers_result *result, struct bench *bench)
{
    double ours[ROUNDS], theirs[ROUNDS], flops, first;
    const double tokens = (double)(result->shape.batch * result->shape.shape.sequence);
    VL_CHECK(vl_flops_per_token(&flops, &result->shape.shape));
    VL_CHECK(round_of(bench, result, &first, &first)); /* warms both up */
    for (size_t round = 0; round < ROUNDS; round++)
        VL_CHECK(round_of(bench, result, &ours[round], &theirs[round]));
    result->tokens_per_second = tokens / vl_bench_median(ours, ROUNDS);
    result->peer_tokens_per_second = tokens / vl_bench_median(theirs, ROUNDS);
    result->gflops = 1e-9 * flops * result->tokens_per_second;
    result->peer_gflops = 1e-9 * flops * result->peer_tokens_per_second;
    result->ratio = result->tokens_per_second / result->peer_tokens_per_second;
    return VL_OK;
}

static enum vl_status open_both(struct bench *bench, const struct vl_bench_shape *shape,
                                const char *python, const char *script)
{
    char batch[32];
    snprintf(batch, sizeof batch, "%zu", shape->batch);
    VL_CHECK(vl_learning_open(&bench->learning, shape));
    VL_CHECK(make_folder(bench));
    VL_CHECK(write_files(bench, shape));
    return vl_peer_start(&bench->peer, (const char *const[]){python, script, bench->weights,
                                                             bench->tokens, batch, NULL});
}

enum vl_status vl_bench_peers(struct vl_peers_result results[VL_BENCH_SHAPES], const char *python,
                              const char *script)
{
    enum vl_status status = VL_OK;
    openblas_set_num_threads(1);
    for (size_t k = 0; k < VL_BENCH_SHAPES && status == VL_OK; k++) {
        struct bench bench = {0};
        results[k] = (struct vl_peers_result){.shape = vl_bench_shapes[k]};
        status = open_both(&bench, &vl_bench_shapes[k], python, script);
        memcpy(results[k].version, bench.peer.version, sizeof results[k].version);
        remove_folder(&bench); /* it has been read: whatever ends us, it is gone */
        if (status == VL_OK)
            status = measure(&results[k], &bench);
        vl_peer_end(&bench.peer);
        vl_learning_close(&bench.learning);
    }
    return status;
}
