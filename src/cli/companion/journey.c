#include "cli/companion/journey.h"

#include "base/path.h"
#include "base/place.h"
#include "base/text.h"
#include "class/book/hard.h"
#include "cli/shared/labs.h"
#include "cli/workspace/standing.h"
#include "cli/workspace/workspace.h"
#include "report/draw/terminal.h"
#include "report/verdict/typed.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>

/* ---- which lab ---- */

/* When a file of the lab was changed last; 0 if it has none. */
static double changed_at(const char *workspace, const struct vl_lab *lab)
{
    double newest = 0;
    char *folder = vl_path_join(workspace, lab->folder);
    for (const char *const *name = lab->files; folder != NULL && *name != NULL; name++) {
        struct stat info;
        char *path = vl_path_join(folder, *name);
        if (path != NULL && stat(path, &info) == 0) {
            double at = (double)info.st_mtim.tv_sec + 1e-9 * (double)info.st_mtim.tv_nsec;
            newest = at > newest ? at : newest;
        }
        free(path);
    }
    free(folder);
    return newest;
}

const struct vl_lab *vl_journey_lab(void)
{
    char *workspace = vl_workspace_folder();
    const struct vl_lab *last = NULL;
    double newest = 0;
    for (size_t i = 0; workspace != NULL && i < vl_lab_count; i++) {
        double at = vl_lab_is_here(vl_labs[i]) ? changed_at(workspace, vl_labs[i]) : 0;
        if (at > newest) {
            newest = at;
            last = vl_labs[i];
        }
    }
    free(workspace);
    return last;
}

/* ---- what comes next ---- */

static bool is_started(const struct vl_lab *lab)
{
    char *workspace = vl_workspace_folder();
    bool started = workspace != NULL && vl_workspace_has(workspace, lab);
    free(workspace);
    return started;
}

/* The next step in this lab; false if the lab needs none. */
static bool step_of(struct vl_step *step, const struct vl_lab *lab, bool speed,
                    enum vl_status *status)
{
    struct vl_standing standing;
    const struct vl_lab_function *next = NULL;
    if (!vl_lab_is_here(lab))
        return false;
    if (!is_started(lab)) {
        *step = (struct vl_step){VL_STEP_START, lab, NULL};
        return true;
    }
    *status = vl_standing_read(&standing, lab);
    if (*status == VL_OK)
        next = vl_standing_next(&standing, speed);
    if (next != NULL)
        *step = (struct vl_step){vl_standing_has(&standing, next) ? VL_STEP_SPEED : VL_STEP_WRITE,
                                 lab, next};
    vl_standing_free(&standing);
    return next != NULL;
}

/* From a lab on to the last, and then from the first: those before it may have been left out. */
static bool find(struct vl_step *step, size_t first, bool speed, enum vl_status *status)
{
    bool found = false;
    for (size_t i = first; !found && *status == VL_OK && i < vl_lab_count; i++)
        found = step_of(step, vl_labs[i], speed, status);
    for (size_t i = 0; !found && *status == VL_OK && i < first; i++)
        found = step_of(step, vl_labs[i], speed, status);
    return found;
}

enum vl_status vl_journey_after(struct vl_step *step, const struct vl_lab *lab)
{
    enum vl_status status = VL_OK;
    size_t first = 0;
    for (size_t i = 0; i < vl_lab_count; i++)
        if (vl_labs[i] == lab)
            first = i;
    *step = (struct vl_step){.kind = VL_STEP_DONE};
    if (!find(step, first, false, &status))
        find(step, first, true, &status);
    return status;
}

enum vl_status vl_journey_next(struct vl_step *step)
{
    return vl_journey_after(step, vl_journey_lab());
}

/* ---- said ---- */

static void tell_function(const struct vl_terminal *terminal, const struct vl_step *step)
{
    const struct vl_lab_function *function = step->function;
    char *place = function->file != NULL ? vl_workspace_lab(step->lab, function->file) : NULL;
    char *shown = place != NULL ? vl_path_shown(place) : NULL;
    if (step->kind == VL_STEP_SPEED && shown != NULL)
        vl_terminal_sentence(terminal, VL_STYLE_PLAIN, _("Next: make %1$s faster, in %2$s."),
                             function->name, shown);
    else if (shown != NULL)
        vl_terminal_sentence(terminal, VL_STYLE_PLAIN, _("Next: %1$s, in %2$s."), function->name,
                             shown);
    else
        vl_terminal_sentence(terminal, VL_STYLE_PLAIN,
                             _("Next: %s, where your functions work together."), function->name);
    free(shown);
    free(place);
}

static void tell_start(const struct vl_terminal *terminal, const struct vl_lab *lab)
{
    vl_terminal_sentence(terminal, VL_STYLE_PLAIN, _("Next: lab %1$02d, %2$s."), lab->number,
                         _(lab->title));
    vl_typed(terminal->stream, "explain %02d", lab->number);
    vl_typed(terminal->stream, "start %02d", lab->number);
}

static void tell_commands(FILE *stream, const struct vl_step *step, const struct vl_lab *watched)
{
    if (step->kind == VL_STEP_SPEED || step->function->file == NULL) {
        vl_typed(stream, "grade %02d --only %s", step->lab->number, step->function->name);
        return;
    }
    if (step->lab != watched)
        vl_typed(stream, "watch %02d", step->lab->number);
    vl_typed(stream, "hint %02d 1 --function %s", step->lab->number, step->function->name);
}

void vl_journey_tell(FILE *stream, const struct vl_step *step, const struct vl_lab *watched)
{
    struct vl_terminal terminal;
    vl_terminal_open(&terminal, stream);
    if (step->lab == NULL) {
        vl_terminal_paragraph(
            &terminal, VL_STYLE_GOOD, 0,
            _("Every lab has all its points. Train on an engine that is all yours:"));
        vl_typed(stream, "train --with labs --dp 2 --page run.html");
    } else if (step->function == NULL) {
        tell_start(&terminal, step->lab);
    } else {
        tell_function(&terminal, step);
        tell_commands(stream, step, watched);
    }
}

/* Only a handout may have that (vialata handout --hard). */
static void tell_hard(const struct vl_terminal *terminal, const struct vl_lab *lab)
{
    struct vl_hard hard = {0};
    char *name = vl_text_format("hard/%s.json", lab->folder);
    char *path = name != NULL ? vl_place_path("share", name) : NULL;
    if (path != NULL && vl_hard_read(&hard, lab, path) == VL_OK && hard.count > 0)
        vl_terminal_sentence(terminal, VL_STYLE_PLAIN,
                             _("What others found hard: of %zu students who handed in this lab, so "
                               "many still had a mistake in"),
                             hard.students);
    for (size_t i = 0; i < hard.count; i++)
        fprintf(terminal->stream, "  %4zu  %s\n", hard.met[i], hard.functions[i]->name);
    free(path);
    free(name);
}

enum vl_status vl_journey_celebrate(FILE *stream, const struct vl_lab *lab)
{
    struct vl_terminal terminal;
    struct vl_step step;
    enum vl_status status = vl_journey_after(&step, lab);
    vl_terminal_open(&terminal, stream);
    vl_terminal_sentence(&terminal, VL_STYLE_GOOD, _("Lab %1$02d is finished: %2$s."), lab->number,
                         _(lab->title));
    tell_hard(&terminal, lab);
    if (lab->train != NULL) {
        vl_terminal_paragraph(&terminal, VL_STYLE_PLAIN, 0,
                              _("Train a model on what you have written:"));
        vl_typed(stream, "train --with labs %s", lab->train);
    }
    if (status == VL_OK)
        vl_journey_tell(stream, &step, NULL);
    return status;
}
