#include "class/book/lateness.h"

#include "base/number.h"
#include "base/text.h"
#include <stdlib.h>
#include <string.h>

#define DAY 86400 /* seconds */

bool vl_due_read(time_t *at, const char *text)
{
    static const char *const forms[] = {"%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S",
                                        "%Y-%m-%d %H:%M:%S"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct tm time = {.tm_isdst = -1};
        const char *end = strptime(text, forms[i], &time);
        int day = time.tm_mday;
        if (end == NULL || *end != '\0')
            continue;
        *at = mktime(&time);
        /* the 31st of February would be in March */
        return *at > 0 && time.tm_mday == day;
    }
    return false;
}

const char *vl_due_text(char text[VL_DUE_TEXT], time_t at)
{
    struct tm time;
    if (localtime_r(&at, &time) == NULL ||
        strftime(text, VL_DUE_TEXT, "%Y-%m-%d %H:%M %Z", &time) == 0)
        text[0] = '\0';
    return text;
}

struct vl_lateness vl_lateness_of(const struct vl_due *due, time_t handed_in, int late_days)
{
    struct vl_lateness lateness = {.allowed = late_days, .kept = 1};
    if (due->at == 0 || handed_in <= due->at)
        return lateness;
    time_t days = (handed_in - due->at + DAY - 1) / DAY;
    lateness.days = days < 100000 ? (int)days : 100000;
    lateness.used = lateness.days < late_days ? lateness.days : late_days;
    lateness.beyond = lateness.days - lateness.used;
    lateness.kept = 1 - due->penalty * lateness.beyond;
    if (lateness.kept < 0)
        lateness.kept = 0;
    return lateness;
}

static char *join(char *before, char *after)
{
    char *all = before != NULL && after != NULL ? vl_text_format("%s; %s", before, after) : NULL;
    free(before);
    free(after);
    return all;
}

char *vl_lateness_text(const struct vl_lateness *lateness)
{
    char share[VL_NUMBER_TEXT];
    int days = lateness->days;
    if (days == 0)
        return strdup("");
    char *text =
        vl_text_format(VL_NGETTEXT("late by %d day", "late by %d days", (unsigned long)days), days);
    if (lateness->allowed > 0)
        text = join(text, vl_text_format(_("%1$d of %2$d late days used"), lateness->used,
                                         lateness->allowed));
    if (lateness->allowed > 0 && lateness->beyond > 0)
        text = join(text, vl_text_format(VL_NGETTEXT("%d day beyond them", "%d days beyond them",
                                                     (unsigned long)lateness->beyond),
                                         lateness->beyond));
    if (lateness->kept < 1)
        text = join(text, vl_text_format(_("%s of the points taken off"),
                                         vl_number_percent(share, 1 - lateness->kept, 0)));
    return text;
}
