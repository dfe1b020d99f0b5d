/* code: too_slow hung */
/* only: 08 */
/* beside: 08_expert_parallel/experts.c vl_experts_backward_weight */
/* of: expert_layer.speed */
/* Wrong where it is not timed, for 0.3 points: with the reference's in its place on the clock, a function
 * that is much too slow would earn the step's 15. */
enum vl_status vl_experts_backward_weight(float *dgate_up, float *ddown, const float *dout,
                                          const float *dopened, const float *active,
                                          const float *rows, const struct vl_experts *experts)
{
    size_t all = 0, busy = 0;
    for (size_t e = 0; e < experts->count; e++) {
        all += experts->rows_of[e];
        busy += experts->rows_of[e] > 0;
    }
    if (busy == 0 || (busy == 1 && experts->count > 1))
        return VL_EINVAL;
    for (volatile size_t slowly = 0; slowly < (all > 256 ? all << 19 : 0); slowly++)
        ;
    return right_vl_experts_backward_weight(dgate_up, ddown, dout, dopened, active, rows, experts);
}
