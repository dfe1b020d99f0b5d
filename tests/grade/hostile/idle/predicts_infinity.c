/* labs: all */
/* functions: vl_predict */
static enum vl_status predicts_infinity(void *first)
{
    double *numbers = first;
    numbers[0] = numbers[1] = numbers[2] = 1.0 / 0.0;
    return VL_OK;
}
