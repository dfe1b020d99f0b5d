#include "cli/shared/grading.h"

#include "base/text.h"
#include "cli/shared/say.h"
#include "cli/shared/state.h"
#include "cli/workspace/workspace.h"
#include "grade/build/lab_files.h"
#include "report/verdict/table.h"
#include <stdlib.h>
#include <string.h>

/* Only a whole grading of the lab's own folder says how far the student is. */
static void remember(const struct vl_grade_request *request, const struct vl_verdict *verdict,
                     const char *fingerprint)
{
    if (request->reference || request->only != NULL || request->submission != NULL ||
        request->mistake != NULL || request->without_throughput ||
        verdict->status == VL_VERDICT_ERROR)
        return;
    if (vl_state_keep(request->lab, verdict, fingerprint) != VL_OK)
        vl_say(VL_EXIT_OK, _("This verdict could not be remembered (%m), so `vialata list` and "
                             "`vialata hint` will not know of it. Set VIALATA_STATE to a folder "
                             "that can be written to."));
}

enum vl_exit vl_grading_run(struct vl_verdict *verdict, struct vl_grade_request *request,
                            FILE *told)
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
        vl_table_wait(&table);
        asked.progress = vl_table_progress;
        asked.context = &table;
    }
    enum vl_status status = vl_grade(verdict, &asked);
    if (verdict->status == VL_VERDICT_ERROR) /* also for what did not come to be graded */
        verdict->max_score = vl_grade_most_points(&asked);
    if (told != NULL)
        vl_table_close(&table, verdict);
    free(own);
    free(student);
    if (status == VL_OK) {
        remember(request, verdict, fingerprint);
        return (enum vl_exit)vl_verdict_exit(verdict);
    }
    enum vl_exit result = status == VL_ELACK    ? VL_EXIT_LACK
                          : status == VL_EINVAL ? VL_EXIT_USAGE
                                                : VL_EXIT_FAULT;
    if (told != NULL && verdict->message != NULL)
        return result; /* said in the table */
    return vl_say(result, "%s",
                  verdict->message != NULL ? verdict->message : vl_status_text(status));
}
