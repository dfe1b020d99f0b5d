#include "clinic/cause.h"

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

static const struct {
    const char *name, *meaning;
} causes[VL_CAUSES] = {
    [VL_CAUSE_SENDS_MEET] = {"sends_meet",
                             N_("Ranks send to each other first, and none of them has come to its "
                                "receive.")},
    [VL_CAUSE_RECEIVES_MEET] = {"receives_meet",
                                N_("Ranks receive from each other first, and none of them has come "
                                   "to its send.")},
    [VL_CAUSE_WRONG_ORDER] = {"wrong_order", N_("Messages are awaited in a different order from "
                                                "the one in which they are sent.")},
    [VL_CAUSE_COLLECTIVE_ORDER] = {"collective_order",
                                   N_("Ranks call collectives in different orders.")},
    [VL_CAUSE_COLLECTIVE_SKIPPED] = {"collective_skipped",
                                     N_("A rank of the communicator leaves out a collective that "
                                        "the others call.")},
    [VL_CAUSE_WRONG_ROOT] = {"wrong_root",
                             N_("Ranks name different roots, or a root that does not have the "
                                "data.")},
    [VL_CAUSE_WRONG_PEER] = {"wrong_peer",
                             N_("A message goes to the wrong rank, or is awaited from the wrong "
                                "one.")},
    [VL_CAUSE_WRONG_TAG] = {"wrong_tag",
                            N_("A tag differs from the one on the other side, or two messages that "
                               "should be told apart have the same.")},
    [VL_CAUSE_WRONG_COUNT] = {"wrong_count",
                              N_("A count differs from the one on the other side, or is not the "
                                 "number of elements there are.")},
    [VL_CAUSE_WRONG_TYPE] = {"wrong_type", N_("The type named in a call is not that of the data.")},
    [VL_CAUSE_WRONG_COMMUNICATOR] = {"wrong_communicator",
                                     N_("A call uses a communicator with the wrong members.")},
    [VL_CAUSE_MISSING_MESSAGE] = {"missing_message",
                                  N_("A message is awaited that nobody sends, or sent and awaited "
                                     "by nobody.")},
    [VL_CAUSE_EARLY_READ] = {"early_read", N_("A buffer is read before its transfer is complete.")},
    [VL_CAUSE_EARLY_WRITE] = {"early_write",
                              N_("A buffer is changed while it is still being sent.")},
    [VL_CAUSE_SHARED_BUFFER] = {"shared_buffer",
                                N_("Two transfers use the same memory at the same time.")},
    [VL_CAUSE_ORDER_OF_ARRIVAL] = {"order_of_arrival",
                                   N_("The result depends on which message arrives first.")},
    [VL_CAUSE_NEVER_COMPLETED] = {"never_completed",
                                  N_("A nonblocking transfer is started and never completed.")},
    [VL_CAUSE_NEVER_FREED] = {"never_freed",
                              N_("A communicator or a request is made and never freed.")},
    [VL_CAUSE_NO_OVERLAP] =
        {"no_overlap",
         N_("Transfers that could go on during the computation begin too late, or are waited for too early.")},
    [VL_CAUSE_WRONG_SHARE] = {"wrong_share",
                              N_("A rank takes a part of the data that is not its own.")},
    [VL_CAUSE_WRONG_REDUCTION] = {"wrong_reduction",
                                  N_("What ranks contribute is combined wrongly: counted twice, "
                                     "left out, or scaled by the wrong number.")},
};

const char *vl_cause_name(enum vl_cause cause)
{
    return causes[cause].name;
}

const char *vl_cause_meaning(enum vl_cause cause)
{
    return causes[cause].meaning;
}

static bool is_same(const char *typed, const char *name)
{
    while (*typed != '\0' && (*typed == *name || (*typed == '-' && *name == '_'))) {
        typed++;
        name++;
    }
    return *typed == *name;
}

enum vl_cause vl_cause_named(const char *name)
{
    for (int cause = VL_CAUSE_NONE + 1; cause < VL_CAUSES; cause++)
        if (is_same(name, causes[cause].name))
            return (enum vl_cause)cause;
    return VL_CAUSE_NONE;
}
