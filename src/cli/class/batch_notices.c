/* What to look at: columns of the roster that mean nothing; and whom: handed in by nobody in the roster, or in the results and no longer handed in. */
#include "cli/class/batch.h"

#include "base/text.h"
#include "base/utf8.h"
#include "class/book/results.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Names with commas between them, fit to show on a terminal. NULL without memory. */
static char *add_name(char *names, const char *name)
{
    char *clean = vl_utf8_clean(name), *all = NULL;
    if (clean != NULL && names != NULL)
        all = vl_text_format("%s%s%s", names, names[0] != '\0' ? ", " : "", clean);
    free(clean);
    free(names);
    return all;
}

/* ---- not in the roster ---- */

bool vl_batch_is_stranger(const struct vl_batch *batch, const char *student)
{
    return batch->request->roster != NULL && vl_roster_find(&batch->roster, student) == NULL;
}

static enum vl_status note_strangers(struct vl_batch *batch)
{
    const struct vl_intake *intake = &batch->intake;
    char *names = strdup("");
    for (size_t i = 0; i < intake->count && names != NULL; i += vl_intake_same(intake, i))
        if (vl_batch_is_stranger(batch, intake->list[i].student))
            names = add_name(names, intake->list[i].student);
    if (names == NULL)
        return VL_ENOMEM;
    if (names[0] != '\0')
        vl_words_add(&batch->notices, _("Not in the roster: %s."), names);
    free(names);
    return VL_OK;
}

static enum vl_status note_columns(struct vl_batch *batch)
{
    char *names = batch->roster.unknown != NULL ? vl_utf8_clean(batch->roster.unknown) : strdup("");
    if (names == NULL)
        return VL_ENOMEM;
    if (names[0] != '\0')
        vl_words_add(&batch->notices,
                     _("The roster has columns that nothing here knows or uses: %s."), names);
    free(names);
    return VL_OK;
}

/* ---- no longer handed in ---- */

static bool is_handed_in(const struct vl_intake *intake, const char *student)
{
    for (size_t i = 0; i < intake->count; i++)
        if (strcasecmp(intake->list[i].student, student) == 0)
            return true;
    return false;
}

static enum vl_status note_kept(struct vl_batch *batch, const struct vl_kept_verdicts *kept)
{
    char *names = strdup("");
    for (size_t i = 0; i < kept->count && names != NULL; i++) {
        const char *student = kept->list[i].student;
        bool told = i > 0 && strcmp(kept->list[i - 1].student, student) == 0;
        if (!told && !is_handed_in(&batch->intake, student))
            names = add_name(names, student);
    }
    if (names == NULL)
        return VL_ENOMEM;
    if (names[0] != '\0')
        vl_words_add(&batch->notices,
                     _("In the results, but not handed in now: %1$s. `vialata forget STUDENT "
                       "--results %2$s` removes a student from them."),
                     names, batch->request->out);
    free(names);
    return VL_OK;
}

enum vl_status vl_batch_notices(struct vl_batch *batch)
{
    const struct vl_batch_request *request = batch->request;
    struct vl_kept_verdicts kept = {0};
    enum vl_status status = note_columns(batch);
    if (status == VL_OK)
        status = note_strangers(batch);
    if (status == VL_OK)
        status = vl_kept_verdicts_find(&kept, request->out, request->labs, request->lab_count);
    if (status == VL_OK)
        status = note_kept(batch, &kept);
    vl_kept_verdicts_free(&kept);
    return status == VL_OK && batch->notices.failed ? VL_ENOMEM : status;
}
