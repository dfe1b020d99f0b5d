#include "class/book/board.h"

#include "base/number.h"
#include "base/text.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

struct place {
    const struct vl_class_verdict *who; /* NULL: nobody */
    double ratio;
};

/* The points wait until somebody has looked at a suspicious one, so it has no place. */
static bool is_timed(const struct vl_case_result *result)
{
    return result->group == VL_GROUP_THROUGHPUT && result->status != VL_CASE_ERROR &&
           isfinite(result->measured) && result->points > 0;
}

static void enter(struct place places[VL_BOARD_PLACES], struct place entry)
{
    for (size_t i = 0; i < VL_BOARD_PLACES; i++)
        if (places[i].who == NULL || entry.ratio > places[i].ratio) {
            struct place pushed = places[i];
            places[i] = entry;
            entry = pushed;
            if (entry.who == NULL)
                return;
        }
}

static void find_places(struct place places[VL_BOARD_PLACES],
                        const struct vl_class_verdict *const *list, size_t count, const char *id)
{
    for (size_t i = 0; i < VL_BOARD_PLACES; i++)
        places[i] = (struct place){0};
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < list[i]->verdict.case_count; k++) {
            const struct vl_case_result *result = &list[i]->verdict.cases[k];
            if (is_timed(result) && strcmp(result->id, id) == 0)
                enter(places, (struct place){list[i], result->measured});
        }
}

static void put_places(struct vl_page *page, const char *function,
                       const struct place places[VL_BOARD_PLACES])
{
    for (size_t i = 0; i < VL_BOARD_PLACES && places[i].who != NULL; i++) {
        const struct vl_class_verdict *who = places[i].who;
        char ratio[VL_NUMBER_TEXT];
        bool named = who->known == NULL || who->known->board;
        const char *const cells[] = {function, named ? who->student : _("(without a name)"),
                                     vl_number_percent(ratio, places[i].ratio, 0)};
        vl_page_row(page, cells, 3);
    }
}

void vl_board_put(struct vl_page *page, const struct vl_class_verdict *const *list, size_t count)
{
    const char *const heads[] = {_("Function"), _("Student"), _("Speed")};
    const struct vl_verdict *any = count > 0 ? &list[0]->verdict : NULL;
    bool headed = false;
    for (size_t k = 0; any != NULL && k < any->case_count; k++) {
        struct place places[VL_BOARD_PLACES];
        if (any->cases[k].group != VL_GROUP_THROUGHPUT)
            continue;
        find_places(places, list, count, any->cases[k].id);
        if (places[0].who == NULL)
            continue;
        if (!headed)
            vl_page_table_of_words(page,
                                   _("The fastest version of each function, compared with the "
                                     "reference"),
                                   heads, 3);
        headed = true;
        put_places(page, any->cases[k].function, places);
    }
    if (headed)
        vl_page_end_table(page);
}
