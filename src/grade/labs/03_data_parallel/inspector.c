/*
 * Lab 03 in words: which buckets went on while one rank polled and the others did nothing.
 */
#include "base/text.h"
#include "grade/catalogue/case.h"
#include "grade/judge/inspect.h"

static VL_INSPECTION(tell_poll)
{
    char name[VL_RANKED_NAME];
    const int64_t should = vl_bag_int(expected, vl_ranked(name, "driven", 0));
    const int64_t driven = vl_bag_int(outputs, name);
    if (driven < 0 || driven >= should)
        return VL_OK;
    return vl_sign_say(
        sign, "bucket_left_behind",
        vl_bag_int(inputs, "ended") != 0
            ? _("Rank 0 polled while another bucket had ended already: %1$lld of the other %2$lld went on. A "
                "poll drives all that are under way.")
            : _("Rank 0 polled, and %1$lld of %2$lld buckets went on. A poll drives all that are under way."),
        (long long)driven, (long long)should);
}

const struct vl_inspector vl_inspectors_data_parallel[] = {{"vl_buckets_poll", NULL, tell_poll},
                                                           {NULL, NULL, NULL}};
