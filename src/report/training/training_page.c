#include "report/training/training_page.h"

#include "base/number.h"
#include "base/text.h"
#include "report/draw/chart.h"
#include "report/draw/mesh_picture.h"
#include "report/draw/page.h"
#include "report/training/training_facts.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- what is kept of the events ---- */

static const char *const members[VL_CURVES] = {[VL_CURVE_LOSS] = "loss",
                                               [VL_CURVE_VIOLATION] = "max_violation",
                                               [VL_CURVE_BALANCE] = "balance_loss",
                                               [VL_CURVE_SIZE] = "interference",
                                               [VL_CURVE_SPEED] = "tokens_per_second",
                                               [VL_CURVE_SENT] = "sent_bytes"};

/* The value that an event has for a curve; NAN if it has none. */
static double told(const json_t *event, enum vl_training_curve curve)
{
    const json_t *value = json_object_get(event, members[curve]);
    if (curve == VL_CURVE_SIZE)
        value = json_object_get(value, "size");
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static int grow(struct vl_training_page *page)
{
    size_t capacity = page->capacity > 0 ? 2 * page->capacity : 1024;
    if (page->count < page->capacity)
        return 1;
    for (int curve = 0; curve < VL_CURVES; curve++) {
        double *larger = realloc(page->values[curve], capacity * sizeof *larger);
        if (larger == NULL)
            return 0;
        page->values[curve] = larger;
    }
    page->capacity = capacity;
    return 1;
}

void vl_training_page_event(struct vl_training_page *page, const json_t *event)
{
    json_t *run = json_object_get(event, "run");
    if (run != NULL && page->run == NULL)
        page->run = json_incref(run);
    if (json_object_get(event, "stopped") != NULL && page->end == NULL)
        page->end = json_deep_copy(event);
    if (json_object_get(event, "loss") == NULL || !grow(page))
        return;
    for (int curve = 0; curve < VL_CURVES; curve++)
        page->values[curve][page->count] = told(event, (enum vl_training_curve)curve);
    page->last = (long)json_integer_value(json_object_get(event, "step"));
    if (page->count++ == 0)
        page->first = page->last;
}

void vl_training_page_free(struct vl_training_page *page)
{
    json_decref(page->run);
    json_decref(page->end);
    for (int curve = 0; curve < VL_CURVES; curve++)
        free(page->values[curve]);
    memset(page, 0, sizeof *page);
}

static bool has(const struct vl_training_page *training, enum vl_training_curve curve)
{
    return training->count > 0 && isfinite(training->values[curve][training->count - 1]);
}

/* ---- sections ---- */

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static void put_opening(struct vl_page *page, const struct vl_training_page *training)
{
    char date[64];
    time_t now = time(NULL);
    struct tm parts;
    const char *why = text_at(training->end, "stopped");
    long resumed = (long)json_integer_value(json_object_get(training->run, "resumed_from"));
    vl_page_open(page, _("A training run with Vialata"),
                 _("What was trained, on which ranks, on whose code, and how it went."));
    strftime(date, sizeof date, "%Y-%m-%d %H:%M", localtime_r(&now, &parts));
    /* TRANSLATORS: date and time, version and commit */
    vl_page_sentence(page, _("Written on %1$s by Vialata %2$s (%3$s)."), date,
                     text_at(training->run, "version"), text_at(training->run, "commit"));
    if (strcmp(why, "steps") == 0)
        vl_page_sentence(page, _("The run finished after step %ld."), training->last);
    else if (strcmp(why, "signal") == 0)
        vl_page_sentence(page, _("The run was asked to end early, after step %ld."),
                         training->last);
    else
        vl_page_sentence(page, _("The run did not finish: step %ld is the last that was seen."),
                         training->last);
    if (resumed > 0)
        vl_page_sentence(page, _("It was resumed after step %ld: the curves begin there."),
                         resumed);
}

static void put_mesh(struct vl_page *page, const struct vl_training_page *training)
{
    int experts = json_integer_value(json_object_get(training->run, "experts")) > 0;
    vl_page_heading(page, _("Where it ran"));
    vl_page_figure(page, experts ? _("Every cell is a rank, every row a stage of the model, every "
                                     "frame a replica with sequences of its own. Ranks in one "
                                     "frame share every matrix. E tells which experts a rank has: "
                                     "the same colour, the same experts.")
                                 : _("Every cell is a rank, every row a stage of the model, every "
                                     "frame a replica with sequences of its own. Ranks in one "
                                     "frame share every matrix."));
    vl_mesh_picture(page->stream, training->run);
    vl_page_end_figure(page);
}

static void put_labs(struct vl_page *page, const struct vl_training_lab *labs, size_t count)
{
    const char *const heads[] = {_("Lab"), _("Title"), _("Whose code"), _("Why")};
    char number[16];
    vl_page_heading(page, _("Whose code trained it"));
    if (count == 0) {
        vl_page_paragraph(page, _("All of it was the course's. With `--with labs` it is your own, "
                                  "in each lab that you have finished."));
        return;
    }
    vl_page_table_of_words(page, _("Lab by lab"), heads, 4);
    for (size_t i = 0; i < count; i++) {
        snprintf(number, sizeof number, "%02d", labs[i].number);
        const char *const cells[] = {number, labs[i].title, labs[i].whose, labs[i].reason};
        vl_page_row(page, cells, 4);
    }
    vl_page_end_table(page);
}

static void put_curve(struct vl_page *page, const struct vl_training_page *training,
                      enum vl_training_curve curve, const char *name, const char *unit,
                      const char *caption)
{
    const struct vl_series series = {.name = name, .values = training->values[curve]};
    const struct vl_chart chart = {.title = name,
                                   .description = caption,
                                   .x_label = _("step"),
                                   .y_label = unit,
                                   .first = (double)training->first,
                                   .last = (double)training->last,
                                   .count = training->count,
                                   .series = &series,
                                   .series_count = 1,
                                   .from_zero = curve != VL_CURVE_LOSS};
    vl_page_figure(page, caption);
    vl_chart_lines(page->stream, &chart);
    vl_page_end_figure(page);
}

static void put_curves(struct vl_page *page, const struct vl_training_page *training)
{
    vl_page_heading(page, _("How it went"));
    vl_training_facts_numbers(page, training);
    put_curve(page, training, VL_CURVE_LOSS, _("Loss"), _("nats per byte"),
              _("The loss of the language model, step by step."));
    if (has(training, VL_CURVE_VIOLATION))
        put_curve(page, training, VL_CURVE_VIOLATION, "MaxVio", "MaxVio",
                  _("How far the fullest expert is above an even share, as a part of that share "
                    "(mean over the layers): 0 is even."));
    if (has(training, VL_CURVE_BALANCE))
        put_curve(page, training, VL_CURVE_BALANCE, _("Auxiliary loss"), _("sum over the layers"),
                  _("The extra loss, which is larger when the experts' load is uneven."));
    if (has(training, VL_CURVE_SIZE))
        put_curve(page, training, VL_CURVE_SIZE, _("Size of the interference over the steps"),
                  _("ratio"),
                  _("The length of the auxiliary loss's gradient on the routers' weights, as a "
                    "multiple of the language model's."));
}

enum vl_status vl_training_page_write(const struct vl_training_page *training, const char *path,
                                      const char *command, const struct vl_training_lab *labs,
                                      size_t lab_count)
{
    struct vl_page page;
    put_opening(&page, training);
    put_mesh(&page, training);
    put_labs(&page, labs, lab_count);
    vl_page_heading(&page, _("The model and its layout"));
    vl_training_facts_model(&page, training->run);
    vl_training_facts_layout(&page, training->run);
    put_curves(&page, training);
    vl_page_heading(&page, _("Run it again"));
    vl_page_verbatim(&page, command);
    return vl_page_write(&page, path);
}
