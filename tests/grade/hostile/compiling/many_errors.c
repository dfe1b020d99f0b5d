/* code: does_not_compile */
#define E0 @ @ @ @ @ @ @ @ @ @
#define E1                                                                                         \
    E0;                                                                                            \
    E0;                                                                                            \
    E0;                                                                                            \
    E0;                                                                                            \
    E0;                                                                                            \
    E0;                                                                                            \
    E0;                                                                                            \
    E0;                                                                                            \
    E0;                                                                                            \
    E0;
#define E2 E1 E1 E1 E1 E1 E1 E1 E1 E1 E1
E2 E2 E2 E2 E2 E2 E2 E2 E2 E2
