/* code: does_not_compile */
/* compiler: too large */
char huge[~0ul];
