#include "grade/mutants/relatives.h"

#include <stdio.h>
#include <string.h>

bool vl_relatives_have(const struct vl_relatives *relatives, const struct vl_c_function *f)
{
    for (size_t i = 0; i < relatives->count; i++)
        if (relatives->list[i].name == f->name)
            return true;
    return false;
}

static void add(struct vl_relatives *relatives, const struct vl_c_function *f)
{
    if (relatives->count < VL_RELATIVES_MOST && !vl_relatives_have(relatives, f))
        relatives->list[relatives->count++] = *f;
}

static bool calls(const struct vl_c_function *f, const struct vl_c_function *other)
{
    char call[128];
    snprintf(call, sizeof call, "%.*s(", (int)other->length, other->name);
    const char *at = strstr(f->start, call);
    return at != NULL && at < f->end;
}

struct vl_relatives vl_relatives_of(const char *file, const char *function)
{
    struct vl_relatives found = {.count = 0};
    struct vl_c_function f;
    for (const char *at = file; vl_c_function_next(&f, at); at = f.end)
        if (f.length == strlen(function) && strncmp(f.name, function, f.length) == 0)
            add(&found, &f);
    for (size_t i = 0; i < found.count; i++)
        for (const char *at = file; vl_c_function_next(&f, at); at = f.end)
            if (f.is_static && calls(&found.list[i], &f))
                add(&found, &f);
    return found;
}
