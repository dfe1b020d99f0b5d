/*
 * Lab 03 in words: which buckets went on while one rank polled and the others did nothing, and what a poll changed.
 */
#include "base/text.h"
#include "grade/catalogue/case.h"
#include "grade/judge/inspect.h"

/* How far the others came depends on the moment, but not that a counter is another one afterwards. */
static VL_INSPECTION(look_at_counter)
{
    char name[VL_RANKED_NAME];
    (void)inputs;
    const int64_t before = vl_bag_int(expected, vl_ranked(name, "started", 0));
    const int64_t after = vl_bag_int(outputs, name);
    return after == before
               ? VL_OK
               : vl_sign_say(
                     sign, "started_counts_down",
                     _("Polls changed `started` from %1$lld to %2$lld: it counts the buckets that "
                       "are under way or done, so poll leaves it as it is."),
                     (long long)before, (long long)after);
}

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
            ? _("Rank 0 polled while another bucket was already done, and %1$lld of the other "
                "%2$lld advanced. A poll drives all that are under way.")
            : _("Rank 0 polled, and %1$lld of %2$lld buckets advanced. A poll drives all that "
                "are under way."),
        (long long)driven, (long long)should);
}

const struct vl_inspector vl_inspectors_data_parallel[] = {
    {"vl_buckets_poll", look_at_counter, tell_poll}, {NULL, NULL, NULL}};
