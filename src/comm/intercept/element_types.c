/* MPI's types, as numbers of our own. */
#include "comm/intercept/watch.h"
#include "wire/element_type.h"

uint32_t vl_element_type(MPI_Datatype type)
{
#define HANDLE(name, kind) MPI_##name,
    const MPI_Datatype handles[] = {VL_ELEMENT_TYPES(HANDLE)};
#undef HANDLE
    static MPI_Datatype latest =
        MPI_DATATYPE_NULL; /* most calls name the type of the call before */
    static uint32_t number = VL_TYPE_UNKNOWN;
    if (!vl_thread_is_watched())
        return VL_TYPE_UNKNOWN;
    if (type == latest)
        return number;
    latest = type;
    number = VL_TYPE_UNKNOWN;
    for (uint32_t i = 0; i < sizeof handles / sizeof *handles && number == VL_TYPE_UNKNOWN; i++)
        if (handles[i] == type)
            number = i + 1;
    return number;
}
