/*
 * A timeline as a picture: lanes of blocks from left to right, all parts on one scale.
 *
 * The picture is XML that a browser opens, and its words come from a file of anybody's: every text
 * passes put_text, which leaves nothing in it that XML could mistake for its own.
 */
#include "base/number.h"
#include "base/text.h"
#include "report/timeline.h"
#include "report/utf8.h"

#include <math.h>
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
    [VL_WORK_UPDATE] = {"#cc79a7", N_("update")},
    [VL_WORK_OTHER] = {"#999999", N_("other work")},
};
static const struct style send_style = {"#009e73", N_("sending")};
static const struct style receive_style = {"#0072b2", N_("receiving")};
static const struct style wait_style = {"#d55e00", N_("waiting inside MPI")};

struct picture {
    FILE *stream;
    double scale; /* pixels a second */
    double y;     /* where the next thing goes */
};

/* ---- texts ---- */

static void put_text(struct picture *picture, const char *text)
{
    char *clean = vl_utf8_clean(text);
    for (const char *at = clean; at != NULL && *at != '\0'; at++) {
        if (*at == '<')
            fputs("&lt;", picture->stream);
        else if (*at == '>')
            fputs("&gt;", picture->stream);
        else if (*at == '&')
            fputs("&amp;", picture->stream);
        else if (*at == '"')
            fputs("&quot;", picture->stream);
        else
            fputc(*at, picture->stream);
    }
    free(clean);
}

static void put_label(struct picture *picture, double x, double y, const char *anchor,
                      const char *text)
{
    fprintf(picture->stream, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    put_text(picture, text);
    fputs("</text>\n", picture->stream);
}

/* What a pointer resting on a span tells; the caller frees it, NULL without memory. */
static char *tip_of(const struct vl_timeline_span *span)
{
    char *tip = NULL, bytes[VL_NUMBER_TEXT], begin[VL_NUMBER_TEXT], length[VL_NUMBER_TEXT];
    int made, is_message = span->track == VL_TRACK_SEND || span->track == VL_TRACK_RECEIVE;
    long long number = span->number, peer = span->peer;
    vl_number_text(begin, 1e3 * span->begin, 3);
    vl_number_text(length, 1e3 * (span->end - span->begin), 3);
    vl_number_bytes(bytes, span->bytes);
    if (span->track == VL_TRACK_MARK)
        made = asprintf(&tip, _("%1$s: at %2$s ms"), span->name, begin);
    else if (is_message && peer >= 0)
        made = asprintf(&tip,
                        span->track == VL_TRACK_SEND
                            ? _("%1$s: %2$s to rank %3$lld, tag %4$lld; at %5$s ms, for %6$s ms")
                            : _("%1$s: %2$s from rank %3$lld, tag %4$lld; at %5$s ms, for %6$s ms"),
                        span->name, bytes, peer, number, begin, length);
    else if (span->track == VL_TRACK_COMPUTE && number >= 0)
        made = asprintf(&tip, _("%1$s, unit %2$lld: at %3$s ms, for %4$s ms"), span->name, number,
                        begin, length);
    else
        made = asprintf(&tip, _("%1$s: at %2$s ms, for %3$s ms"), span->name, begin, length);
    return made >= 0 ? tip : NULL;
}

static void put_tip(struct picture *picture, const struct vl_timeline_span *span)
{
    char *tip = tip_of(span);
    fputs("<title>", picture->stream);
    put_text(picture, tip);
    fputs("</title>", picture->stream);
    free(tip);
}

/* ---- blocks ---- */

static double x_of(const struct picture *picture, double seconds)
{
    return LEFT + seconds * picture->scale;
}

static void put_block(struct picture *picture, const struct vl_timeline_span *span, double y,
                      double height, const char *colour)
{
    double x = x_of(picture, span->begin), width = x_of(picture, span->end) - x;
    fprintf(picture->stream,
            "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\" fill=\"%s\"", x, y,
            fmax(width, NARROWEST), height, colour);
    /* An edge in the colour of the paper keeps neighbours apart, where there is room for it. */
    fputs(width > 3 ? " stroke=\"#ffffff\" stroke-width=\"0.6\">" : ">", picture->stream);
    put_tip(picture, span);
    fputs("</rect>\n", picture->stream);
    char number[24];
    int digits = snprintf(number, sizeof number, "%lld", (long long)span->number);
    if (span->track == VL_TRACK_COMPUTE && span->number >= 0 && width > 8.0 * digits + 4)
        put_label(picture, x + width / 2, y + height / 2 + 4, "middle", number);
}

/* Spans too narrow to be seen, one upon the other, are drawn once: what a file can hold must not
 * make a picture that no browser opens. */
struct dense {
    double drawn_to; /* pixels */
};

static int is_hidden(struct dense *dense, const struct picture *picture,
                     const struct vl_timeline_span *span)
{
    double end = x_of(picture, span->end);
    if (end < dense->drawn_to + NARROWEST / 2)
        return 1;
    dense->drawn_to = fmax(end, x_of(picture, span->begin) + NARROWEST);
    return 0;
}

static void put_compute(struct picture *picture, const struct vl_timeline_rank *rank)
{
    struct dense dense[VL_WORKS] = {0};
    for (size_t i = 0; i < rank->count; i++) {
        const struct vl_timeline_span *span = &rank->spans[i];
        if (span->track == VL_TRACK_COMPUTE && !is_hidden(&dense[span->work], picture, span))
            put_block(picture, span, picture->y, COMPUTE, works[span->work].colour);
    }
    picture->y += COMPUTE + GAP;
}

/* Messages under way at once go to rows of their own. */
static void put_track(struct picture *picture, const struct vl_timeline_rank *rank,
                      enum vl_track track, const struct style *style)
{
    fputs("<g font-size=\"9\">", picture->stream);
    put_label(picture, LEFT - 8, picture->y + BAR, "end", _(style->meaning));
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

static void put_marks(struct picture *picture, const struct vl_timeline_rank *rank, double top)
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
        put_tip(picture, span);
        fputs("</line>\n", picture->stream);
    }
}

static void put_rank(struct picture *picture, const struct vl_timeline_rank *rank)
{
    double top = picture->y;
    char name[64];
    snprintf(name, sizeof name, _("rank %d"), rank->number);
    fputs("<g role=\"group\" aria-label=\"", picture->stream);
    put_text(picture, name);
    fputs("\">\n", picture->stream);
    put_label(picture, LEFT - 8, top + COMPUTE / 2 + 4, "end", name);
    put_compute(picture, rank);
    put_track(picture, rank, VL_TRACK_SEND, &send_style);
    put_track(picture, rank, VL_TRACK_RECEIVE, &receive_style);
    put_track(picture, rank, VL_TRACK_WAIT, &wait_style);
    put_marks(picture, rank, top);
    fputs("</g>\n", picture->stream);
    picture->y += RANK_GAP;
}

/* ---- around them ---- */

static void put_axis(struct picture *picture, double seconds)
{
    double least = 1e3 * seconds / TICKS_MOST, tick = pow(10, floor(log10(least)));
    tick *= least <= tick ? 1 : least <= 2 * tick ? 2 : least <= 5 * tick ? 5 : 10;
    int decimals = tick >= 1 ? 0 : (int)fmin(9, ceil(-log10(tick) - 1e-9));
    char number[VL_NUMBER_TEXT];
    fprintf(picture->stream, "<path d=\"M%.1f %.1fH%.1f\" stroke=\"#333333\" fill=\"none\"/>\n",
            LEFT, picture->y, LEFT + WIDE);
    for (int i = 0; i * tick <= 1e3 * seconds * (1 + 1e-9); i++) {
        double x = x_of(picture, 1e-3 * i * tick);
        fprintf(picture->stream, "<path d=\"M%.1f %.1fv5\" stroke=\"#333333\"/>\n", x, picture->y);
        put_label(picture, x, picture->y + 18, "middle",
                  vl_number_text(number, i * tick, decimals));
    }
    put_label(picture, LEFT - 8, picture->y + 18, "end", "ms");
    picture->y += AXIS;
}

static void put_legend(struct picture *picture)
{
    const struct style *all[] = {&works[VL_WORK_FORWARD],
                                 &works[VL_WORK_BACKWARD],
                                 &works[VL_WORK_UPDATE],
                                 &works[VL_WORK_OTHER],
                                 &send_style,
                                 &receive_style,
                                 &wait_style};
    double x = LEFT;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        double width = 35 + 7.5 * vl_utf8_width(_(all[i]->meaning)); /* more than most fonts take */
        if (x + width > LEFT + WIDE + RIGHT) {
            x = LEFT;
            picture->y += LEGEND;
        }
        fprintf(picture->stream,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"14\" height=\"12\" fill=\"%s\"/>\n", x,
                picture->y, all[i]->colour);
        put_label(picture, x + 19, picture->y + 10, "start", _(all[i]->meaning));
        x += width;
    }
    picture->y += LEGEND;
}

static void put_part(struct picture *picture, const struct vl_timeline_part *part, double seconds)
{
    if (part->title != NULL) {
        fprintf(picture->stream, "<g font-weight=\"bold\">");
        put_label(picture, LEFT, picture->y + 12, "start", part->title);
        fputs("</g>\n", picture->stream);
        picture->y += HEADING;
    }
    for (size_t rank = 0; rank < part->timeline->rank_count; rank++)
        put_rank(picture, &part->timeline->ranks[rank]);
    put_axis(picture, seconds);
}

/* The body is made first: only then its height is known. */
static void put_whole(FILE *stream, const char *body, double height)
{
    struct picture picture = {.stream = stream};
    fprintf(stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg "
            "xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
            "height=\"%.0f\" role=\"img\" aria-labelledby=\"title\" font-family=\"sans-serif\" "
            "font-size=\"12\">\n<title id=\"title\">",
            LEFT + WIDE + RIGHT, height, LEFT + WIDE + RIGHT, height);
    put_text(&picture, _("Timeline of a training step: what every rank computed, sent, received "
                         "and waited for"));
    fprintf(stream,
            "</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n%s</svg>\n",
            body);
}

enum vl_status vl_timeline_svg(char **svg, const struct vl_timeline_part *parts, size_t count)
{
    char *body = NULL;
    size_t bytes;
    double seconds = 0;
    struct picture picture = {.y = 16, .stream = open_memstream(&body, &bytes)};
    *svg = NULL;
    if (picture.stream == NULL)
        return VL_ENOMEM;
    for (size_t i = 0; i < count; i++)
        seconds = fmax(seconds, parts[i].timeline->seconds);
    picture.scale = WIDE / seconds;
    for (size_t i = 0; i < count; i++)
        put_part(&picture, &parts[i], seconds);
    put_legend(&picture);
    int failed = ferror(picture.stream);
    failed |= fclose(picture.stream);
    FILE *whole = failed ? NULL : open_memstream(svg, &bytes);
    if (whole != NULL) {
        put_whole(whole, body, picture.y);
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
