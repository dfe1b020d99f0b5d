/* code: function_missing */
/* What only the grader's own stand-in for a missing function returns. */
static enum vl_status status_of_the_grader(void)
{
    return VL_EMISSING;
}
