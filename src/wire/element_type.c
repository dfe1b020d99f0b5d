#include "wire/element_type.h"

#define ROW(name, kind) {"MPI_" #name, VL_ELEMENT_##kind},
static const struct {
    const char *name;
    enum vl_element_kind kind;
} types[VL_TYPES] = {{"?", VL_ELEMENT_UNKNOWN}, VL_ELEMENT_TYPES(ROW)};
#undef ROW

enum vl_element_kind vl_element_kind(uint32_t type)
{
    return type < VL_TYPES ? types[type].kind : VL_ELEMENT_UNKNOWN;
}

const char *vl_element_name(uint32_t type)
{
    return types[type < VL_TYPES ? type : 0].name;
}
