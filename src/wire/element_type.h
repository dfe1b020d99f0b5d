/*
 * The predefined types of MPI whose values are all alike, as ranks tell each other's watcher: which one a call named,
 * and which of them mean the same numbers. Types that a program makes itself, bytes and pairs are unknown: about
 * those nothing can be said.
 */
#ifndef VIALATA_WIRE_ELEMENT_TYPE_H
#define VIALATA_WIRE_ELEMENT_TYPE_H

#include <stdint.h>

/* Its kind, how many bytes, and MPI's name for it. The sign of a whole number makes no difference. */
#define VL_ELEMENT_TYPES(X)                                                                        \
    X(INT, WHOLE_4)                                                                                \
    X(UNSIGNED, WHOLE_4)                                                                           \
    X(INT32_T, WHOLE_4)                                                                            \
    X(UINT32_T, WHOLE_4)                                                                           \
    X(INTEGER, WHOLE_4)                                                                            \
    X(LONG, WHOLE_8)                                                                               \
    X(UNSIGNED_LONG, WHOLE_8)                                                                      \
    X(LONG_LONG, WHOLE_8)                                                                          \
    X(UNSIGNED_LONG_LONG, WHOLE_8)                                                                 \
    X(INT64_T, WHOLE_8)                                                                            \
    X(UINT64_T, WHOLE_8)                                                                           \
    X(FLOAT, REAL_4)                                                                               \
    X(REAL, REAL_4)                                                                                \
    X(DOUBLE, REAL_8)                                                                              \
    X(DOUBLE_PRECISION, REAL_8)

enum vl_element_kind {
    VL_ELEMENT_UNKNOWN,
    VL_ELEMENT_WHOLE_4,
    VL_ELEMENT_WHOLE_8,
    VL_ELEMENT_REAL_4,
    VL_ELEMENT_REAL_8,
    VL_ELEMENT_KINDS
};

#define VL_ELEMENT_NUMBER(name, kind) VL_TYPE_##name,
enum vl_element_type { VL_TYPE_UNKNOWN, VL_ELEMENT_TYPES(VL_ELEMENT_NUMBER) VL_TYPES };
#undef VL_ELEMENT_NUMBER

/* VL_ELEMENT_UNKNOWN for a number that is not a type. */
enum vl_element_kind vl_element_kind(uint32_t type);

/* "MPI_DOUBLE"; "?" for a number that is not a type. */
const char *vl_element_name(uint32_t type);

#endif
