#include "cli/shared/grading.h"

#include "base/text.h"
#include "cli/companion/functions.h"
#include "cli/companion/journey.h"
#include "cli/shared/say.h"
#include "cli/workspace/standing.h"
#include "cli/workspace/workspace.h"
#include "grade/build/lab_files.h"
#include "report/verdict/replay.h"
#include "report/verdict/table.h"
#include <stdlib.h>
#include <string.h>

static bool is_whole(const struct vl_grade_request *request)
{
    return request->only == NULL && !request->without_throughput;
}

/* Does it say how far the student is? One case alone does not: whether doing nothing is right in it depends on the
 * function's others. */
static bool is_standing(const struct vl_grade_request *request)
{
    return (request->only == NULL || vl_function_named(request->lab, request->only) != NULL) &&
           !request->asan && !request->gdb && request->numbers == NULL &&
           request->origin.student == NULL && !request->origin.secret;
}

/* Of the lab's own folder, what was graded last counts. */
static void remember(const struct vl_grade_request *request, const struct vl_verdict *verdict,
                     const char *fingerprint)
{
    struct vl_standing standing;
    enum vl_status status = vl_standing_read(&standing, request->lab);
    if (status == VL_OK)
        status = vl_standing_add(&standing, verdict, fingerprint, is_whole(request));
    if (status == VL_OK)
        status = vl_standing_write(&standing);
    if (status != VL_OK)
        vl_say(VL_EXIT_OK, _("This verdict could not be remembered (%m), so `vialata list` and "
                             "`vialata hint` will not know of it. Make the workspace writable, "
                             "and grade again."));
    vl_standing_free(&standing);
}

/* Where all that was asked has its points, the table does not say what comes next. */
static void lead_on(FILE *told, const struct vl_grade_request *request,
                    const struct vl_verdict *verdict)
{
    struct vl_step step;
    if (vl_verdict_next(verdict) != NULL || verdict->status != VL_VERDICT_PASSED)
        return;
    fputc('\n', told);
    if (is_whole(request))
        vl_journey_celebrate(told, request->lab);
    else if (vl_journey_after(&step, request->lab) == VL_OK)
        vl_journey_tell(told, &step, NULL);
}

enum vl_exit vl_grading_run(struct vl_verdict *verdict, struct vl_grade_request *request,
                            FILE *told, bool brief)
{
    struct vl_grade_request asked = *request;
    struct vl_table table;
    char fingerprint[VL_LAB_FINGERPRINT] = "";
    char *own = NULL, *student = NULL;
    if (request->submission == NULL && request->mistake == NULL && !request->reference)
        own = vl_workspace_lab(request->lab, NULL);
    if (own != NULL) {
        asked.submission = own;
        asked.is_workspace = 1;
        if (asked.origin.student == NULL)
            asked.origin.student = student = vl_workspace_student();
        /* Before grading: what is written meanwhile is not graded. */
        vl_lab_fingerprint(fingerprint, request->lab, own);
    }
    memset(verdict, 0, sizeof *verdict);
    if (told != NULL) {
        vl_table_open(&table, told);
        table.brief = brief;
        vl_table_wait(&table);
        asked.progress = vl_table_progress;
        asked.context = &table;
    }
    enum vl_status status = vl_grade(verdict, &asked);
    if (verdict->status == VL_VERDICT_ERROR) /* also for what did not come to be graded */
        verdict->max_score = vl_grade_most_points(&asked);
    if (told != NULL)
        vl_table_close(&table, verdict);
    bool known = own != NULL && status == VL_OK && verdict->status != VL_VERDICT_ERROR;
    free(own);
    free(student);
    if (known && is_standing(request))
        remember(request, verdict, fingerprint);
    if (known && told != NULL)
        lead_on(told, request, verdict);
    if (status == VL_OK)
        return (enum vl_exit)vl_verdict_exit(verdict);
    enum vl_exit result = status == VL_ELACK    ? VL_EXIT_LACK
                          : status == VL_EINVAL ? VL_EXIT_USAGE
                                                : VL_EXIT_FAULT;
    if (told != NULL && verdict->message != NULL)
        return result; /* said in the table */
    return vl_say(result, "%s",
                  verdict->message != NULL ? verdict->message : vl_status_text(status));
}
