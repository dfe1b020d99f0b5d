/*
 * A timeline as a picture: lanes of blocks from left to right, all parts on one scale.
 * Its words may come from anybody's file, so every text goes through timeline_picture.h.
 */
#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"
#include "report/draw/markup.h"
#include "report/timeline/timeline_picture.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LEFT       160.0 /* pixels: names of the lanes */
#define WIDE       1010.0
#define RIGHT      30.0
#define COMPUTE    26.0 /* height of the lane of work */
#define BAR        6.0  /* of one message, and of a wait */
#define ROWS       6    /* of messages under way at once; more share rows */
#define GAP        4.0
#define RANK_GAP   14.0
#define HEADING    26.0
#define AXIS       34.0
#define LEGEND     26.0
#define NARROWEST  0.4 /* pixels: narrower blocks are drawn as wide as this ... */
#define TICKS_MOST 12

struct style {
    const char *colour;
    const char *meaning;
};

/* Told apart by people with any colour vision: the palette of Okabe and Ito. */
static const struct style works[VL_WORKS] = {
    [VL_WORK_FORWARD] = {"#56b4e9", N_("forward")},
    [VL_WORK_BACKWARD] = {"#e69f00", N_("backward")},
    [VL_WORK_WEIGHT] = {"#f0e442", N_("weight part of backward")},
    [VL_WORK_UPDATE] = {"#cc79a7", N_("update")},
    [VL_WORK_OTHER] = {"#999999", N_("other work")},
};
static const struct style send_style = {"#009e73", N_("sending")};
static const struct style receive_style = {"#0072b2", N_("receiving")};
static const struct style wait_style = {"#d55e00", N_("waiting inside MPI")};

/* ---- blocks ---- */

static double x_of(const struct vl_picture *picture, double seconds)
{
    return LEFT + seconds * picture->scale;
}

static void put_block(struct vl_picture *picture, const struct vl_timeline_span *span, double y,
                      double height, const char *colour)
{
    double x = x_of(picture, span->begin), width = x_of(picture, span->end) - x;
    fprintf(picture->stream,
            "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\" fill=\"%s\"", x, y,
            fmax(width, NARROWEST), height, colour);
    /* A white edge keeps neighbours apart, where the block is wide enough. */
    fputs(width > 3 ? " stroke=\"#ffffff\" stroke-width=\"0.6\">" : ">", picture->stream);
    vl_picture_tip(picture, span);
    fputs("</rect>\n", picture->stream);
    char number[VL_TIMELINE_TASK];
    if (span->chunk >= 0)
        vl_timeline_task(number, span);
    else
        snprintf(number, sizeof number, "%lld", (long long)span->number);
    if (span->track == VL_TRACK_COMPUTE && span->number >= 0 &&
        width > 8.0 * (double)strlen(number) + 4)
        vl_picture_label(picture, x + width / 2, y + height / 2 + 4, "middle", number);
}

/* Of spans too narrow to be seen, one on top of another, only one is drawn, so that no file makes a
 * picture that is too large for a browser. */
struct dense {
    double drawn_to; /* pixels */
};

static bool is_hidden(struct dense *dense, const struct vl_picture *picture,
                      const struct vl_timeline_span *span)
{
    double end = x_of(picture, span->end);
    if (end < dense->drawn_to + NARROWEST / 2)
        return true;
    dense->drawn_to = fmax(end, x_of(picture, span->begin) + NARROWEST);
    return false;
}

static void put_compute(struct vl_picture *picture, const struct vl_timeline_rank *rank)
{
    struct dense dense[VL_WORKS] = {0};
    for (size_t i = 0; i < rank->count; i++) {
        const struct vl_timeline_span *span = &rank->spans[i];
        if (vl_timeline_shows(rank, span) && !is_hidden(&dense[span->work], picture, span))
            put_block(picture, span, picture->y, COMPUTE, works[span->work].colour);
    }
    picture->y += COMPUTE + GAP;
}

/* Messages under way at once go to rows of their own. */
static void put_track(struct vl_picture *picture, const struct vl_timeline_rank *rank,
                      enum vl_track track, const struct style *style)
{
    fputs("<g font-size=\"9\">", picture->stream);
    vl_picture_label(picture, LEFT - 8, picture->y + BAR, "end", _(style->meaning));
    fputs("</g>\n", picture->stream);
    double busy[ROWS] = {0};
    struct dense dense[ROWS] = {0};
    int used = 1;
    for (size_t i = 0; i < rank->count; i++) {
        const struct vl_timeline_span *span = &rank->spans[i];
        if (span->track != track)
            continue;
        int row = 0;
        for (int other = 0; other < ROWS; other++) { /* a free one, or the first to be free */
            if (busy[row] <= span->begin)
                break;
            if (busy[other] < busy[row])
                row = other;
        }
        busy[row] = fmax(busy[row], span->end);
        used = row + 1 > used ? row + 1 : used;
        if (!is_hidden(&dense[row], picture, span))
            put_block(picture, span, picture->y + row * (BAR + 1), BAR, style->colour);
    }
    picture->y += used * (BAR + 1) + GAP;
}

static void put_marks(struct vl_picture *picture, const struct vl_timeline_rank *rank, double top)
{
    struct dense dense = {0};
    for (size_t i = 0; i < rank->count; i++) {
        const struct vl_timeline_span *span = &rank->spans[i];
        if (span->track != VL_TRACK_MARK || is_hidden(&dense, picture, span))
            continue;
        double x = x_of(picture, span->begin);
        fprintf(picture->stream,
                "<line x1=\"%.2f\" y1=\"%.1f\" x2=\"%.2f\" y2=\"%.1f\" stroke=\"#000000\" "
                "stroke-dasharray=\"3 2\">",
                x, top, x, picture->y - GAP);
        vl_picture_tip(picture, span);
        fputs("</line>\n", picture->stream);
    }
}

static void put_rank(struct vl_picture *picture, const struct vl_timeline_rank *rank)
{
    double top = picture->y;
    char name[64];
    if (rank->label[0] != '\0')
        snprintf(name, sizeof name, "%s", rank->label);
    else
        snprintf(name, sizeof name, _("rank %d"), rank->number);
    fputs("<g role=\"group\" aria-label=\"", picture->stream);
    vl_picture_text(picture, name);
    fputs("\">\n", picture->stream);
    vl_picture_label(picture, LEFT - 8, top + COMPUTE / 2 + 4, "end", name);
    put_compute(picture, rank);
    if (rank->label[0] == '\0') {
        put_track(picture, rank, VL_TRACK_SEND, &send_style);
        put_track(picture, rank, VL_TRACK_RECEIVE, &receive_style);
        put_track(picture, rank, VL_TRACK_WAIT, &wait_style);
        put_marks(picture, rank, top);
        picture->y += RANK_GAP;
    }
    fputs("</g>\n", picture->stream);
}

/* ---- around them ---- */

static void put_axis(struct vl_picture *picture, double seconds)
{
    int decimals;
    double tick = vl_markup_tick(1e3 * seconds, TICKS_MOST, &decimals);
    char number[VL_NUMBER_TEXT];
    fprintf(picture->stream, "<path d=\"M%.1f %.1fH%.1f\" stroke=\"#333333\" fill=\"none\"/>\n",
            LEFT, picture->y, LEFT + WIDE);
    for (int i = 0; i * tick <= 1e3 * seconds * (1 + 1e-9); i++) {
        double x = x_of(picture, 1e-3 * i * tick);
        fprintf(picture->stream, "<path d=\"M%.1f %.1fv5\" stroke=\"#333333\"/>\n", x, picture->y);
        vl_picture_label(picture, x, picture->y + 18, "middle",
                         vl_number_text(number, i * tick, decimals));
    }
    vl_picture_label(picture, LEFT - 8, picture->y + 18, "end", picture->is_plan ? "" : "ms");
    picture->y += AXIS;
}

static void put_styles(struct vl_picture *picture, const struct style *const *styles, size_t count)
{
    double x = LEFT;
    for (size_t i = 0; i < count; i++) {
        const char *meaning = _(styles[i]->meaning);
        double width = 35 + 7.5 * vl_utf8_width(meaning); /* wider than in most fonts */
        if (x + width > LEFT + WIDE + RIGHT) {
            x = LEFT;
            picture->y += LEGEND;
        }
        fprintf(picture->stream,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"14\" height=\"12\" fill=\"%s\"/>\n", x,
                picture->y, styles[i]->colour);
        vl_picture_label(picture, x + 19, picture->y + 10, "start", meaning);
        x += width;
    }
    picture->y += LEGEND;
}

/* Rows of a plan have only tasks. */
static void put_legend(struct vl_picture *picture, int has_tasks)
{
    const struct style *all[] = {&works[VL_WORK_FORWARD], &works[VL_WORK_BACKWARD],
                                 &works[VL_WORK_WEIGHT],  &works[VL_WORK_UPDATE],
                                 &works[VL_WORK_OTHER],   &send_style,
                                 &receive_style,          &wait_style};
    const struct style *without[] = {all[0], all[1], all[3], all[4], all[5], all[6], all[7]};
    if (picture->is_plan)
        put_styles(picture, all, 3);
    else if (has_tasks)
        put_styles(picture, all, sizeof all / sizeof *all);
    else
        put_styles(picture, without, sizeof without / sizeof *without);
}

static void put_part(struct vl_picture *picture, const struct vl_timeline_part *part,
                     double seconds)
{
    if (part->title != NULL) {
        fprintf(picture->stream, "<g font-weight=\"bold\">");
        vl_picture_label(picture, LEFT, picture->y + 12, "start", part->title);
        fputs("</g>\n", picture->stream);
        picture->y += HEADING;
    }
    for (size_t rank = 0; rank < part->timeline->rank_count; rank++)
        put_rank(picture, &part->timeline->ranks[rank]);
    put_axis(picture, seconds);
}

/* The body is made first, because only then is its height known. */
static void put_whole(FILE *stream, const char *body, double height, int is_plan)
{
    struct vl_picture picture = {.stream = stream};
    fprintf(stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg "
            "xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
            "height=\"%.0f\" role=\"img\" aria-labelledby=\"title\" font-family=\"sans-serif\" "
            "font-size=\"12\">\n<title id=\"title\">",
            LEFT + WIDE + RIGHT, height, LEFT + WIDE + RIGHT, height);
    vl_picture_text(
        &picture, is_plan ? _("A pipeline's schedule on paper: what every stage computes, and when")
                          : _("Timeline of a training step: what every rank computed, sent, "
                              "received and waited for"));
    fprintf(stream,
            "</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n%s</svg>\n",
            body);
}

enum vl_status vl_timeline_svg(char **svg, const struct vl_timeline_part *parts, size_t count)
{
    char *body = NULL;
    size_t bytes;
    double seconds = 0;
    int has_tasks = 0;
    struct vl_picture picture = {
        .y = 16, .is_plan = count > 0, .stream = open_memstream(&body, &bytes)};
    *svg = NULL;
    if (picture.stream == NULL)
        return VL_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        const struct vl_timeline *timeline = parts[i].timeline;
        seconds = fmax(seconds, timeline->seconds);
        picture.is_plan &= timeline->is_plan;
        has_tasks |= timeline->rank_count > 0 && timeline->ranks[0].label[0] != '\0';
    }
    picture.scale = WIDE / seconds;
    for (size_t i = 0; i < count; i++)
        put_part(&picture, &parts[i], seconds);
    put_legend(&picture, has_tasks);
    int failed = ferror(picture.stream);
    failed |= fclose(picture.stream);
    FILE *whole = failed ? NULL : open_memstream(svg, &bytes);
    if (whole != NULL) {
        put_whole(whole, body, picture.y, picture.is_plan);
        failed = ferror(whole);
        failed |= fclose(whole);
    }
    free(body);
    if (whole != NULL && !failed)
        return VL_OK;
    free(*svg);
    *svg = NULL;
    return VL_ENOMEM;
}
