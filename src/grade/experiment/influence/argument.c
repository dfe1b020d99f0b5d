#include "grade/experiment/influence/argument.h"

#include "base/text.h"

#include <string.h>

#define SAVED "saved_"
#define OWN   "own_"

static bool is_named(const struct vl_tensor_entry *entry, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(entry->name, names[i]) == 0)
            return true;
    return false;
}

bool vl_input_is_data(const struct vl_tensor_entry *entry)
{
    static const char *const names[] = {"data", "other"};
    return entry->dtype == VL_F32 || entry->dtype == VL_F64 ||
           (entry->dtype == VL_U8 && is_named(entry, names, sizeof names / sizeof *names));
}

bool vl_input_is_index(const struct vl_bag *inputs, const struct vl_tensor_entry *entry)
{
    static const char *const names[] = {"tokens", "targets", "choices", "chosen_by"};
    return entry->dtype == VL_I32 && is_named(entry, names, sizeof names / sizeof *names) &&
           vl_bag_find(inputs, "own_tokens") == NULL; /* a plan follows from those choices */
}

bool vl_input_is_micro_batch(const struct vl_bag *inputs, const char *name)
{
    return (strcmp(name, "a") == 0 || strcmp(name, "t") == 0) && vl_bag_find(inputs, "a") != NULL &&
           vl_bag_find(inputs, "t") != NULL;
}

bool vl_input_is_saved(const char *name)
{
    return strncmp(name, SAVED, strlen(SAVED)) == 0;
}

const char *vl_input_shown(const struct vl_bag *inputs, const char *name)
{
    static const char *const others[][2] = {{"sums", "gradients"}, {"local", "gradients"}};
    if (vl_input_is_micro_batch(inputs, name))
        return _("the micro-batches");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(name, others[i][0]) == 0)
            return others[i][1];
    if (strncmp(name, OWN, strlen(OWN)) == 0)
        return name + strlen(OWN);
    return vl_input_is_saved(name) ? name + strlen(SAVED) : name;
}
