/* A timeline in letters. */
#include "base/text.h"
#include "base/utf8.h"
#include "report/timeline/timeline_cells.h"

#include <math.h>
#include <string.h>

#define ANY_SHARE  1e-6 /* of a cell, for a message to be seen in it; less is rounding */
#define MOST_SHARE 0.5  /* of a cell, for a wait to be seen in it */

/* ---- what lanes show ---- */

/* The shade and the name of work on the cells that its span fills. */
static void mark(const struct vl_lane *lane, const struct vl_timeline_span *span, const char *name,
                 int space)
{
    int from, to, length = (int)strlen(name);
    vl_lane_cells_of(&from, &to, lane, span);
    for (int cell = from; cell < to && cell < lane->cells; cell++)
        lane->row[cell].shade = (int)(span->number % 2);
    if (to - from < length + space || to > lane->cells)
        return;
    int at = from + (to - from - length) / 2;
    for (int i = 0; i < length; i++)
        if (lane->row[at + i].look == vl_look_of(span->work))
            lane->row[at + i].letter = name[i];
}

static void fill_compute(const struct vl_lane *lane, const struct vl_timeline_rank *rank)
{
    char name[VL_TIMELINE_TASK];
    vl_lane_clear(lane);
    for (size_t i = 0; i < rank->count; i++)
        if (vl_timeline_shows(rank, &rank->spans[i]))
            vl_lane_fill(lane, &rank->spans[i], vl_look_of(rank->spans[i].work));
    vl_lane_choose_work(lane);
    for (size_t i = 0; i < rank->count; i++) {
        const struct vl_timeline_span *span = &rank->spans[i];
        if (!vl_timeline_shows(rank, span) || span->number < 0)
            continue;
        if (span->chunk < 0)
            snprintf(name, sizeof name, "%lld", (long long)span->number);
        mark(lane, span, span->chunk < 0 ? name : vl_timeline_task(name, span), span->chunk < 0);
    }
}

/* A row of a pipeline: its tasks by name, and the waiting between them. */
static void fill_tasks(const struct vl_lane *lane, const struct vl_timeline_rank *rank)
{
    char name[VL_TIMELINE_TASK];
    fill_compute(lane, rank);
    for (size_t i = 0; i < rank->count; i++) {
        int from, to;
        vl_lane_cells_of(&from, &to, lane, &rank->spans[i]);
        for (int cell = from; cell < to && cell < lane->cells; cell++)
            lane->row[cell] = (struct vl_cell){.look = vl_look_of(rank->spans[i].work)};
        mark(lane, &rank->spans[i], vl_timeline_task(name, &rank->spans[i]), 0);
    }
    int end = (int)lround(rank->until / lane->seconds * lane->cells);
    for (int cell = 0; cell < end && cell < lane->cells; cell++)
        if (lane->row[cell].look == VL_LOOK_EMPTY)
            lane->row[cell].look = VL_LOOK_IDLE;
}

/* Messages overlap, so a cell may be filled many times over: only "some" and "much" are told. */
static void fill_road(const struct vl_lane *lane, const struct vl_timeline_rank *rank)
{
    vl_lane_clear(lane);
    for (size_t i = 0; i < rank->count; i++) {
        const struct vl_timeline_span *span = &rank->spans[i];
        if (span->track == VL_TRACK_SEND || span->track == VL_TRACK_RECEIVE)
            vl_lane_fill(lane, span, VL_LOOK_ROAD);
        if (span->track == VL_TRACK_WAIT)
            vl_lane_fill(lane, span, VL_LOOK_WAIT);
    }
    for (int cell = 0; cell < lane->cells; cell++) {
        const double *filled = lane->filled[cell];
        if (filled[VL_LOOK_WAIT] >= MOST_SHARE)
            lane->row[cell].look = VL_LOOK_WAIT;
        else if (filled[VL_LOOK_ROAD] >= MOST_SHARE)
            lane->row[cell].look = VL_LOOK_ROAD;
        else if (filled[VL_LOOK_ROAD] > ANY_SHARE)
            lane->row[cell].look = VL_LOOK_ROAD_SHORT;
    }
}

/* ---- their names ---- */

static void rank_label(char *label, size_t space, int rank, const char *lane)
{
    /* TRANSLATORS: a process and what its lane shows: "rank 0 compute". */
    snprintf(label, space, _("rank %1$d %2$s"), rank, lane);
}

static void lane_label(char *label, size_t space, int width, const char *lane)
{
    int before = width - vl_utf8_width(lane) - 1; /* one blank before the lane itself */
    snprintf(label, space, "%*s%s", before > 0 ? before : 0, "", lane);
}

static int label_width(const struct vl_timeline *timeline)
{
    const char *lanes[] = {_("compute"), _("road")};
    int widest = 0;
    char label[128];
    for (size_t rank = 0; rank < timeline->rank_count; rank++) {
        int width = vl_utf8_width(timeline->ranks[rank].label) + 1;
        widest = width > widest ? width : widest;
        for (size_t lane = 0; timeline->ranks[rank].label[0] == '\0' && lane < 2; lane++) {
            rank_label(label, sizeof label, timeline->ranks[rank].number, lanes[lane]);
            width = vl_utf8_width(label) + 1;
            widest = width > widest ? width : widest;
        }
    }
    return widest;
}

/* ---- all of them ---- */

static void put_rank(const struct vl_lane *lane, const struct vl_timeline_rank *rank)
{
    char label[128];
    if (rank->label[0] != '\0') {
        fill_tasks(lane, rank);
        vl_lane_put(lane, rank->label);
        return;
    }
    rank_label(label, sizeof label, rank->number, _("compute"));
    fill_compute(lane, rank);
    vl_lane_put(lane, label);
    lane_label(label, sizeof label, lane->label, _("road"));
    fill_road(lane, rank);
    vl_lane_put(lane, label);
}

enum vl_status vl_timeline_draw(const struct vl_timeline *timeline, double seconds,
                                const struct vl_terminal *terminal)
{
    struct vl_lane lane;
    enum vl_status status = vl_lane_open(&lane, terminal, label_width(timeline),
                                         fmax(seconds, timeline->seconds), timeline->grain);
    for (size_t rank = 0; status == VL_OK && rank < timeline->rank_count; rank++)
        put_rank(&lane, &timeline->ranks[rank]);
    if (status == VL_OK)
        vl_lane_put_axis(&lane, timeline->is_plan ? "" : "ms");
    vl_lane_close(&lane);
    return status;
}

void vl_timeline_draw_legend(const struct vl_terminal *terminal)
{
    static const enum vl_look looks[] = {VL_LOOK_FORWARD, VL_LOOK_BACKWARD, VL_LOOK_UPDATE,
                                         VL_LOOK_OTHER,   VL_LOOK_ROAD,     VL_LOOK_WAIT};
    vl_lane_put_legend(terminal, looks, sizeof looks / sizeof *looks, 0);
}

void vl_timeline_draw_task_legend(const struct vl_terminal *terminal)
{
    static const enum vl_look looks[] = {VL_LOOK_FORWARD, VL_LOOK_BACKWARD, VL_LOOK_WEIGHT,
                                         VL_LOOK_IDLE};
    vl_lane_put_legend(terminal, looks, sizeof looks / sizeof *looks, 1);
}
