/* code: function_missing */
int vl_nothing_here(void);
int vl_nothing_here(void)
{
    return 0;
}
