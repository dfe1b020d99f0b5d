/*
 * The update in the trace. Labs call vl_adamw_update, and the linker (--wrap) routes those calls
 * through here; only the trainer is linked with this. (Calls within one object file, as in the step
 * on one device, are not seen: then the trace has no update.)
 */
#include "comm/span.h"
#include "vialata/adamw.h"

enum vl_status __real_vl_adamw_update(float *weights, float *m, float *v, const float *gradient,
                                      float gradient_scale, const struct vl_adamw *settings,
                                      uint64_t step, size_t n);
enum vl_status __wrap_vl_adamw_update(float *weights, float *m, float *v, const float *gradient,
                                      float gradient_scale, const struct vl_adamw *settings,
                                      uint64_t step, size_t n);

enum vl_status __wrap_vl_adamw_update(float *weights, float *m, float *v, const float *gradient,
                                      float gradient_scale, const struct vl_adamw *settings,
                                      uint64_t step, size_t n)
{
    double begin = vl_span_clock();
    enum vl_status status =
        __real_vl_adamw_update(weights, m, v, gradient, gradient_scale, settings, step, n);
    vl_span_compute("update", -1, begin);
    return status;
}
