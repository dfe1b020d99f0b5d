#include "cli/run/with_labs.h"

#include "base/file.h"
#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/shared/say.h"
#include "cli/workspace/standing.h"
#include "cli/workspace/workspace.h"
#include "grade/build/lab_files.h"
#include "report/verdict/summary.h"
#include "sandbox/interrupt.h"
#include "sandbox/machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_COLUMNS 4
#define SLUG_COLUMNS   20

/* ---- deciding ---- */

static int is_skeleton(const struct vl_lab *lab, const char *now)
{
    char skeleton[VL_LAB_FINGERPRINT], *folder = vl_course_lab(lab, NULL);
    int same = folder != NULL && strcmp(vl_lab_fingerprint(skeleton, lab, folder), now) == 0;
    free(folder);
    return same;
}

static void tell_points(char reason[256], const struct vl_standing_points *points)
{
    char now[VL_NUMBER_TEXT], most[VL_NUMBER_TEXT];
    snprintf(reason, 256, _("last grade: %1$s out of %2$s"), vl_points_number(now, points->now),
             vl_points_number(most, points->most));
}

/* Code whose numbers, bytes and memory are right trains as well as code that is fast, too. */
static void decide_graded(struct vl_with_lab *choice, const struct vl_standing *standing,
                          const char *now)
{
    const struct vl_standing_points points = vl_standing_points(standing);
    choice->yours = vl_standing_is_right(standing, now);
    if (choice->yours)
        return;
    if (is_skeleton(choice->lab, now))
        snprintf(choice->reason, sizeof choice->reason, "%s", _("still the skeleton"));
    else if (!points.graded)
        snprintf(choice->reason, sizeof choice->reason, "%s", _("not graded yet"));
    else if (vl_standing_is_old(standing, now))
        snprintf(choice->reason, sizeof choice->reason,
                 _("changed since it was graded: `vialata grade %02d` looks at it again"),
                 choice->lab->number);
    else
        tell_points(choice->reason, &points);
}

static void decide(struct vl_with_lab *choice, const char *folder, int has_files)
{
    char now[VL_LAB_FINGERPRINT];
    struct vl_standing standing;
    vl_lab_fingerprint(now, choice->lab, folder);
    if (!has_files)
        snprintf(choice->reason, sizeof choice->reason, "%s", _("not started yet"));
    else if (vl_standing_read(&standing, choice->lab) == VL_OK)
        decide_graded(choice, &standing, now);
    if (has_files)
        vl_standing_free(&standing);
}

static bool is_part(const struct vl_lab *lab, const struct vl_with_program *program)
{
    return lab->trains && (program->kernels || !lab->kernels);
}

void vl_with_labs_decide(struct vl_with_labs *with, const struct vl_with_program *program)
{
    *with = (struct vl_with_labs){.program = program};
    char *workspace = vl_workspace_folder();
    for (size_t i = 0; i < vl_lab_count && with->count < VL_WITH_LABS_MOST; i++) {
        char *folder = is_part(vl_labs[i], program) ? vl_workspace_lab(vl_labs[i], NULL) : NULL;
        if (folder == NULL)
            continue;
        with->labs[with->count].lab = vl_labs[i];
        decide(&with->labs[with->count++], folder, vl_workspace_has(workspace, vl_labs[i]));
        free(folder);
    }
    free(workspace);
}

/* ---- telling ---- */

const char *vl_with_labs_whose(const struct vl_with_lab *lab)
{
    /* TRANSLATORS: in a table, whose code a lab's is: the student's own or the course's. */
    return lab->yours ? VL_PGETTEXT("code", "yours") : VL_PGETTEXT("code", "the course's");
}

void vl_with_labs_tell(const struct vl_with_labs *with, const struct vl_terminal *terminal)
{
    char number[16];
    int whose = 0;
    for (size_t i = 0; i < with->count; i++) {
        int columns = vl_utf8_width(vl_with_labs_whose(&with->labs[i])) + 2;
        whose = columns > whose ? columns : whose;
    }
    vl_terminal_paragraph(terminal, VL_STYLE_PLAIN, 0, _(with->program->heading));
    for (size_t i = 0; i < with->count; i++) {
        const struct vl_with_lab *lab = &with->labs[i];
        snprintf(number, sizeof number, "%02d", lab->lab->number);
        vl_terminal_put(terminal, VL_STYLE_BOLD, NUMBER_COLUMNS, number);
        vl_terminal_put(terminal, VL_STYLE_PLAIN, SLUG_COLUMNS, lab->lab->slug);
        vl_terminal_put(terminal, lab->yours ? VL_STYLE_GOOD : VL_STYLE_DIM, lab->yours ? 0 : whose,
                        vl_with_labs_whose(lab));
        vl_terminal_put(terminal, VL_STYLE_DIM, 0, lab->reason);
        fputc('\n', terminal->stream);
    }
    fputc('\n', terminal->stream);
    fflush(terminal->stream);
}

json_t *vl_with_labs_json(const struct vl_with_labs *with)
{
    json_t *all = json_object();
    for (size_t i = 0; i < with->count; i++)
        json_object_set_new(all, with->labs[i].lab->slug,
                            json_string(with->labs[i].yours ? "student" : "reference"));
    return all;
}

/* ---- building ---- */

static enum vl_exit refuse_machine(enum vl_status status)
{
    if (status == VL_EIO)
        return vl_say(VL_EXIT_LACK,
                      vl_file_lacks_space(errno)
                          ? _("Your labs could not be put together, since files could not be "
                              "written or read (%m). Free some space, or set TMPDIR to a folder "
                              "that has it.")
                          : _("Your labs could not be put together, since files could not be "
                              "written or read (%m). Is TMPDIR a folder that you may write to?"));
    if (status == VL_ELACK)
        return vl_say(VL_EXIT_LACK, _("A program needed to link the labs could not be started. "
                                      "`vialata doctor` says what is missing."));
    return vl_say(VL_EXIT_FAULT, "%s", vl_status_text(status));
}

/* Graded, and yet it does not build: the course changed, or this machine did. */
static enum vl_exit refuse_code(const struct vl_with_labs *with)
{
    const struct vl_assembly *assembly = &with->assembly;
    if (assembly->words != NULL && assembly->words[0] != '\0')
        vl_say(VL_EXIT_BELOW, "%s", assembly->words);
    if (assembly->broken != NULL)
        return vl_say(VL_EXIT_BELOW, _(with->program->broken), assembly->broken->number,
                      assembly->broken->slug);
    return vl_say(VL_EXIT_BELOW, "%s", _(with->program->unlinked));
}

/* It takes some seconds, so say so on a terminal. */
static enum vl_status assemble(struct vl_with_labs *with, const struct vl_lab *const *labs,
                               const char *const *folders, size_t count,
                               const struct vl_terminal *terminal)
{
    if (terminal->live)
        vl_terminal_put(terminal, VL_STYLE_DIM, 0, _(with->program->building));
    fflush(terminal->stream);
    enum vl_status status =
        vl_assembly_make(&with->assembly, with->program->target, labs, folders, count);
    int why = errno;
    vl_terminal_restart_line(terminal);
    fflush(terminal->stream);
    errno = why;
    return status;
}

enum vl_exit vl_with_labs_build(struct vl_with_labs *with, const struct vl_terminal *terminal)
{
    const struct vl_lab *labs[VL_WITH_LABS_MOST];
    char *folders[VL_WITH_LABS_MOST];
    size_t count = 0;
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < with->count; i++) {
        if (!with->labs[i].yours)
            continue;
        labs[count] = with->labs[i].lab;
        folders[count] = vl_workspace_lab(labs[count], NULL);
        status = folders[count++] != NULL ? status : VL_ENOMEM;
    }
    const char *lacks = count > 0 ? vl_machine_lacks() : NULL;
    enum vl_exit result = VL_EXIT_OK;
    if (lacks != NULL)
        result = vl_say(VL_EXIT_LACK, "%s", lacks);
    else if (status == VL_OK && count > 0)
        status = assemble(with, labs, (const char *const *)folders, count, terminal);
    if (status != VL_OK)
        result = refuse_machine(status);
    else if (lacks == NULL && count > 0 && with->assembly.program == NULL && !vl_interrupt_seen())
        result = refuse_code(with);
    for (size_t i = 0; i < count; i++)
        free(folders[i]);
    return result;
}

void vl_with_labs_free(struct vl_with_labs *with)
{
    vl_assembly_free(&with->assembly);
}
