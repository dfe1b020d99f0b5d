/*
 * Intercepts lab 01's functions in the trainer (the linker's --wrap), so that operators.h can time
 * them. What it costs otherwise is two comparisons a call.
 */
#include "train/bench/step/roof/operators.h"
#include "vialata/attention.h"
#include "vialata/cross_entropy.h"
#include "vialata/embedding.h"
#include "vialata/linear.h"
#include "vialata/rmsnorm.h"
#include "vialata/rotary.h"
#include "vialata/swiglu.h"

/* The call of a function with the clock around it. */
#define TIMED(operator, call, work)                                                                \
    do {                                                                                           \
        vl_operators_enter(operator);                                                              \
        enum vl_status status = call;                                                              \
        vl_operators_leave(work);                                                                  \
        return status;                                                                             \
    } while (0)

/* ---- embedding ---- */

typedef enum vl_status embedding_fn(float *out, const float *in, const int32_t *tokens, size_t n,
                                    size_t width, size_t vocabulary);
embedding_fn __real_vl_embedding_forward, __wrap_vl_embedding_forward;
embedding_fn __real_vl_embedding_backward_weight, __wrap_vl_embedding_backward_weight;

enum vl_status __wrap_vl_embedding_forward(float *x, const float *table, const int32_t *tokens,
                                           size_t n, size_t width, size_t vocabulary)
{
    TIMED(VL_OPERATOR_EMBEDDING_FORWARD,
          __real_vl_embedding_forward(x, table, tokens, n, width, vocabulary),
          vl_work_embedding_forward(n, width, vocabulary));
}

enum vl_status __wrap_vl_embedding_backward_weight(float *dtable, const float *dx,
                                                   const int32_t *tokens, size_t n, size_t width,
                                                   size_t vocabulary)
{
    TIMED(VL_OPERATOR_EMBEDDING_BACKWARD_WEIGHT,
          __real_vl_embedding_backward_weight(dtable, dx, tokens, n, width, vocabulary),
          vl_work_embedding_backward_weight(n, width, vocabulary));
}

/* ---- norm ---- */

typedef enum vl_status rmsnorm_forward_fn(float *y, float *inv_rms, const float *x,
                                          const float *gain, size_t n, size_t d);
typedef enum vl_status rmsnorm_input_fn(float *dx, const float *dy, const float *x,
                                        const float *gain, const float *inv_rms, size_t n,
                                        size_t d);
typedef enum vl_status rmsnorm_weight_fn(float *dgain, const float *dy, const float *x,
                                         const float *inv_rms, size_t n, size_t d);
rmsnorm_forward_fn __real_vl_rmsnorm_forward, __wrap_vl_rmsnorm_forward;
rmsnorm_input_fn __real_vl_rmsnorm_backward_input, __wrap_vl_rmsnorm_backward_input;
rmsnorm_weight_fn __real_vl_rmsnorm_backward_weight, __wrap_vl_rmsnorm_backward_weight;

enum vl_status __wrap_vl_rmsnorm_forward(float *y, float *inv_rms, const float *x,
                                         const float *gain, size_t n, size_t d)
{
    TIMED(VL_OPERATOR_RMSNORM_FORWARD, __real_vl_rmsnorm_forward(y, inv_rms, x, gain, n, d),
          vl_work_rmsnorm_forward(n, d));
}

enum vl_status __wrap_vl_rmsnorm_backward_input(float *dx, const float *dy, const float *x,
                                                const float *gain, const float *inv_rms, size_t n,
                                                size_t d)
{
    TIMED(VL_OPERATOR_RMSNORM_BACKWARD_INPUT,
          __real_vl_rmsnorm_backward_input(dx, dy, x, gain, inv_rms, n, d),
          vl_work_rmsnorm_backward_input(n, d));
}

enum vl_status __wrap_vl_rmsnorm_backward_weight(float *dgain, const float *dy, const float *x,
                                                 const float *inv_rms, size_t n, size_t d)
{
    TIMED(VL_OPERATOR_RMSNORM_BACKWARD_WEIGHT,
          __real_vl_rmsnorm_backward_weight(dgain, dy, x, inv_rms, n, d),
          vl_work_rmsnorm_backward_weight(n, d));
}

/* ---- products ---- */

typedef enum vl_status linear_fn(float *result, const float *a, const float *b, size_t n, size_t in,
                                 size_t out);
linear_fn __real_vl_linear_forward, __wrap_vl_linear_forward;
linear_fn __real_vl_linear_backward_input, __wrap_vl_linear_backward_input;
linear_fn __real_vl_linear_backward_weight, __wrap_vl_linear_backward_weight;

enum vl_status __wrap_vl_linear_forward(float *y, const float *x, const float *w, size_t n,
                                        size_t in, size_t out)
{
    TIMED(vl_operators_product(VL_OPERATOR_LINEAR_FORWARD, out),
          __real_vl_linear_forward(y, x, w, n, in, out), vl_work_linear(n, in, out));
}

enum vl_status __wrap_vl_linear_backward_input(float *dx, const float *dy, const float *w, size_t n,
                                               size_t in, size_t out)
{
    TIMED(vl_operators_product(VL_OPERATOR_LINEAR_BACKWARD_INPUT, out),
          __real_vl_linear_backward_input(dx, dy, w, n, in, out), vl_work_linear(n, in, out));
}

enum vl_status __wrap_vl_linear_backward_weight(float *dw, const float *dy, const float *x,
                                                size_t n, size_t in, size_t out)
{
    TIMED(vl_operators_product(VL_OPERATOR_LINEAR_BACKWARD_WEIGHT, out),
          __real_vl_linear_backward_weight(dw, dy, x, n, in, out),
          vl_work_linear_backward_weight(n, in, out));
}

/* ---- attention ---- */

typedef enum vl_status rotary_fn(float *qkv, const float *table, size_t batch, size_t sequence,
                                 size_t heads, size_t head_width);
typedef enum vl_status attention_forward_fn(float *out, float *probs, const float *qkv,
                                            size_t batch, size_t sequence, size_t heads,
                                            size_t head_width);
typedef enum vl_status attention_input_fn(float *dqkv, float *scratch, const float *dout,
                                          const float *qkv, const float *probs, size_t batch,
                                          size_t sequence, size_t heads, size_t head_width);
rotary_fn __real_vl_rotary_forward, __wrap_vl_rotary_forward;
rotary_fn __real_vl_rotary_backward_input, __wrap_vl_rotary_backward_input;
attention_forward_fn __real_vl_attention_forward, __wrap_vl_attention_forward;
attention_input_fn __real_vl_attention_backward_input, __wrap_vl_attention_backward_input;

enum vl_status __wrap_vl_rotary_forward(float *qkv, const float *table, size_t batch,
                                        size_t sequence, size_t heads, size_t head_width)
{
    TIMED(VL_OPERATOR_ROTARY_FORWARD,
          __real_vl_rotary_forward(qkv, table, batch, sequence, heads, head_width),
          vl_work_rotary(batch, sequence, heads, head_width));
}

enum vl_status __wrap_vl_rotary_backward_input(float *dqkv, const float *table, size_t batch,
                                               size_t sequence, size_t heads, size_t head_width)
{
    TIMED(VL_OPERATOR_ROTARY_BACKWARD_INPUT,
          __real_vl_rotary_backward_input(dqkv, table, batch, sequence, heads, head_width),
          vl_work_rotary(batch, sequence, heads, head_width));
}

enum vl_status __wrap_vl_attention_forward(float *out, float *probs, const float *qkv, size_t batch,
                                           size_t sequence, size_t heads, size_t head_width)
{
    TIMED(VL_OPERATOR_ATTENTION_FORWARD,
          __real_vl_attention_forward(out, probs, qkv, batch, sequence, heads, head_width),
          vl_work_attention_forward(batch, sequence, heads, head_width));
}

enum vl_status __wrap_vl_attention_backward_input(float *dqkv, float *scratch, const float *dout,
                                                  const float *qkv, const float *probs,
                                                  size_t batch, size_t sequence, size_t heads,
                                                  size_t head_width)
{
    TIMED(VL_OPERATOR_ATTENTION_BACKWARD_INPUT,
          __real_vl_attention_backward_input(dqkv, scratch, dout, qkv, probs, batch, sequence,
                                             heads, head_width),
          vl_work_attention_backward_input(batch, sequence, heads, head_width));
}

/* ---- elementwise ---- */

typedef enum vl_status swiglu_forward_fn(float *out, const float *gate_up, size_t n, size_t ff);
typedef enum vl_status swiglu_input_fn(float *dgate_up, const float *dout, const float *gate_up,
                                       size_t n, size_t ff);
typedef enum vl_status losses_fn(float *losses, float *probs, const float *logits,
                                 const int32_t *targets, size_t n, size_t vocabulary);
typedef enum vl_status dlogits_fn(float *dlogits, const float *probs, const int32_t *targets,
                                  float scale, size_t n, size_t vocabulary);
swiglu_forward_fn __real_vl_swiglu_forward, __wrap_vl_swiglu_forward;
swiglu_input_fn __real_vl_swiglu_backward_input, __wrap_vl_swiglu_backward_input;
losses_fn __real_vl_cross_entropy_forward, __wrap_vl_cross_entropy_forward;
dlogits_fn __real_vl_cross_entropy_backward_input, __wrap_vl_cross_entropy_backward_input;

enum vl_status __wrap_vl_swiglu_forward(float *out, const float *gate_up, size_t n, size_t ff)
{
    TIMED(VL_OPERATOR_SWIGLU_FORWARD, __real_vl_swiglu_forward(out, gate_up, n, ff),
          vl_work_swiglu_forward(n, ff));
}

enum vl_status __wrap_vl_swiglu_backward_input(float *dgate_up, const float *dout,
                                               const float *gate_up, size_t n, size_t ff)
{
    TIMED(VL_OPERATOR_SWIGLU_BACKWARD_INPUT,
          __real_vl_swiglu_backward_input(dgate_up, dout, gate_up, n, ff),
          vl_work_swiglu_backward_input(n, ff));
}

enum vl_status __wrap_vl_cross_entropy_forward(float *losses, float *probs, const float *logits,
                                               const int32_t *targets, size_t n, size_t vocabulary)
{
    TIMED(VL_OPERATOR_CROSS_ENTROPY_FORWARD,
          __real_vl_cross_entropy_forward(losses, probs, logits, targets, n, vocabulary),
          vl_work_cross_entropy_forward(n, vocabulary));
}

enum vl_status __wrap_vl_cross_entropy_backward_input(float *dlogits, const float *probs,
                                                      const int32_t *targets, float scale, size_t n,
                                                      size_t vocabulary)
{
    TIMED(VL_OPERATOR_CROSS_ENTROPY_BACKWARD_INPUT,
          __real_vl_cross_entropy_backward_input(dlogits, probs, targets, scale, n, vocabulary),
          vl_work_cross_entropy_backward_input(n, vocabulary));
}
