/*
 * Grade on save.
 *
 *   a file is saved --> which functions differ? --> grade one --> right --> the next one
 *         ^                                             |
 *         |                                             `--> not right: tell what is wrong, and wait
 *         `--- at any time: what is graded is given up
 */
#include "base/text.h"
#include "cli/command.h"
#include "cli/companion/journey.h"
#include "cli/shared/arguments.h"
#include "cli/shared/labs.h"
#include "cli/shared/say.h"
#include "cli/watch/keys.h"
#include "cli/watch/queue.h"
#include "cli/watch/regrade.h"
#include "cli/watch/saves.h"
#include "cli/watch/screen.h"
#include "cli/workspace/workspace.h"
#include "sandbox/interrupt.h"
#include "sandbox/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define WAIT_MILLISECONDS   50
#define SETTLE_MICROSECONDS 60000 /* an editor may save in several steps */

struct watch {
    const struct vl_lab *lab;
    char *folder;
    struct vl_screen screen;
    struct vl_keys keys;
    struct vl_saves saves;
    struct vl_sources given;   /* the files as the course has them */
    struct vl_sources sources; /* as they were graded last */
    struct vl_queue queue;
    struct vl_regrade grade;
    const struct vl_lab_function *graded; /* right now; NULL: the whole lab, or nothing */
    enum vl_exit result;
    bool ends;
};

static void end(struct watch *watch, enum vl_exit result)
{
    watch->ends = true;
    watch->result = result;
}

static void begin(struct watch *watch, const struct vl_lab_function *function)
{
    watch->graded = function;
    enum vl_status status =
        vl_regrade_begin(&watch->grade, watch->lab, function != NULL ? function->name : NULL);
    if (status != VL_OK)
        end(watch, vl_say_status(status));
    else
        vl_screen_wait(&watch->screen, function);
}

/* Grade what the queue has; without anything, say what comes next. */
static void go_on(struct watch *watch)
{
    struct vl_standing standing;
    struct vl_step step;
    const struct vl_lab_function *next = NULL;
    enum vl_status status = vl_standing_read(&standing, watch->lab);
    if (status == VL_OK)
        next = vl_queue_take(&watch->queue, &standing);
    if (next != NULL)
        begin(watch, next);
    else if (status == VL_OK && (status = vl_journey_after(&step, watch->lab)) == VL_OK)
        vl_screen_rest(&watch->screen, &standing, &step);
    vl_standing_free(&standing);
    if (status != VL_OK)
        end(watch, vl_say_status(status));
}

static void take_verdict(struct watch *watch)
{
    struct vl_verdict verdict = {0};
    char *words = NULL;
    enum vl_status status = vl_regrade_verdict(&verdict, &words, &watch->grade);
    verdict.is_workspace = 1; /* which its JSON does not say */
    if (status == VL_ENOMEM)
        end(watch, vl_say_status(status));
    else if (status != VL_OK)
        vl_screen_refusal(&watch->screen, words);
    else
        vl_screen_verdict(&watch->screen, &verdict, watch->graded, vl_clock() - watch->grade.since);
    if (status == VL_OK && verdict.status == VL_VERDICT_PASSED && watch->graded != NULL)
        go_on(watch);
    else if (status == VL_OK && verdict.status == VL_VERDICT_PASSED)
        vl_journey_celebrate(stdout, watch->lab);
    vl_verdict_free(&verdict);
    free(words);
}

/* True if something was saved that is not what was graded last. */
static bool take_save(struct watch *watch)
{
    struct vl_sources now;
    bool edited[VL_SOURCES_FUNCTIONS], written[VL_SOURCES_FUNCTIONS];
    usleep(SETTLE_MICROSECONDS);
    vl_saves_take(&watch->saves);
    if (vl_sources_read(&now, watch->lab, watch->folder) != VL_OK) {
        vl_sources_free(&now);
        if (access(watch->folder, F_OK) != 0)
            end(watch, vl_workspace_require(watch->lab));
        return false;
    }
    const char *file = vl_sources_changed(edited, watch->lab, &watch->sources, &now);
    if (file == NULL) {
        vl_sources_free(&now);
        return false;
    }
    vl_regrade_give_up(&watch->grade);
    vl_sources_free(&watch->sources);
    watch->sources = now;
    vl_sources_written(written, watch->lab, &watch->given, &now);
    vl_queue_fill(&watch->queue, edited, written);
    vl_screen_begin(&watch->screen, file);
    return true;
}

static void again(struct watch *watch)
{
    vl_regrade_give_up(&watch->grade);
    vl_queue_fill(&watch->queue, watch->queue.edited, watch->queue.written);
    vl_screen_begin(&watch->screen, NULL);
    go_on(watch);
}

static void take_key(struct watch *watch, int key)
{
    switch (key) {
    case 'q':
    case 'Q':
    case VL_KEY_GONE:
        end(watch, VL_EXIT_OK);
        break;
    case 'a':
    case 'A':
        vl_screen_begin(&watch->screen, NULL);
        begin(watch, NULL);
        break;
    case '\n':
    case '\r':
        again(watch);
        break;
    default:
        break;
    }
}

static void look(struct watch *watch)
{
    while (!watch->ends && vl_interrupt_seen() == 0) {
        int key = vl_keys_wait(&watch->keys, watch->saves.descriptor, WAIT_MILLISECONDS);
        take_key(watch, key);
        if (!watch->ends && vl_saves_take(&watch->saves) && take_save(watch))
            go_on(watch);
        if (!watch->ends && watch->grade.process > 0 && vl_regrade_has_ended(&watch->grade))
            take_verdict(watch);
    }
}

/* What is red is graded at once; else the first function that has points left, if it is written. */
static void begin_queue(struct watch *watch)
{
    struct vl_standing standing;
    const struct vl_lab_function *next = NULL;
    vl_sources_written(watch->queue.written, watch->lab, &watch->given, &watch->sources);
    if (vl_standing_read(&standing, watch->lab) == VL_OK)
        next = vl_standing_next(&standing, false);
    if (next != NULL)
        watch->queue.edited[next - watch->lab->functions] = true;
    vl_standing_free(&standing);
    go_on(watch);
}

/* Without them every function counts as written. */
static void read_given(struct watch *watch)
{
    char *folder = vl_course_lab(watch->lab, NULL);
    if (folder != NULL)
        vl_sources_read(&watch->given, watch->lab, folder);
    free(folder);
}

static enum vl_exit watch_lab(struct watch *watch, bool polls)
{
    enum vl_status status = vl_regrade_open(&watch->grade);
    vl_saves_open(&watch->saves, watch->folder, polls);
    if (status == VL_OK)
        status = vl_sources_read(&watch->sources, watch->lab, watch->folder);
    if (status != VL_OK)
        return vl_say_status(status);
    read_given(watch);
    vl_screen_open(&watch->screen, watch->lab, watch->folder);
    vl_interrupt_begin();
    vl_keys_open(&watch->keys, watch->screen.terminal.live);
    watch->screen.keys = watch->keys.open;
    vl_screen_begin(&watch->screen, NULL);
    begin_queue(watch);
    look(watch);
    vl_regrade_close(&watch->grade);
    vl_keys_close(&watch->keys);
    vl_screen_close(&watch->screen);
    vl_interrupt_end();
    return watch->result;
}

static int run(const struct vl_arguments *arguments)
{
    struct watch watch = {.saves.descriptor = -1,
                          .lab = arguments->count > 0 ? vl_lab_named(arguments->words[0])
                                                      : vl_journey_lab()};
    if (watch.lab == NULL && arguments->count > 0)
        return VL_EXIT_USAGE;
    if (watch.lab == NULL)
        watch.lab = vl_lab_first_here();
    enum vl_exit result = vl_workspace_require(watch.lab);
    if (result == VL_EXIT_OK && (watch.folder = vl_workspace_lab(watch.lab, NULL)) == NULL)
        result = vl_say_status(VL_ENOMEM);
    if (result == VL_EXIT_OK)
        result = watch_lab(&watch, vl_argument(arguments, "poll") != NULL);
    vl_regrade_close(&watch.grade);
    vl_saves_close(&watch.saves);
    vl_sources_free(&watch.given);
    vl_sources_free(&watch.sources);
    free(watch.folder);
    return result;
}

static const struct vl_flag flags[] = {
    {"poll", NULL,
     N_("look at the files twice a second, for network drives that announce no changes")},
    {0},
};

const struct vl_command vl_command_watch = {
    .name = "watch",
    .takes = "[LAB]",
    .least = 0,
    .most = 1,
    .summary = N_("Grade whenever you save: first what you changed, then what was wrong before."),
    .flags = flags,
    .run = run,
};
