/* Texts in a picture. */
#include "report/timeline/timeline_picture.h"

#include "base/number.h"
#include "base/text.h"
#include "report/draw/markup.h"

#include <stdlib.h>

void vl_picture_text(struct vl_picture *picture, const char *text)
{
    vl_markup_text(picture->stream, text);
}

void vl_picture_label(struct vl_picture *picture, double x, double y, const char *anchor,
                      const char *text)
{
    vl_markup_label(picture->stream, x, y, anchor, text);
}

/* What a pointer resting on a span tells; the caller frees it, NULL without memory. */
static char *tip_of(const struct vl_picture *picture, const struct vl_timeline_span *span)
{
    char task[VL_TIMELINE_TASK];
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
    else if (span->chunk >= 0)
        made = asprintf(&tip,
                        picture->is_plan ? _("%1$s: at %2$s, for %3$s")
                                         : _("%1$s: at %2$s ms, for %3$s ms"),
                        vl_timeline_task(task, span), begin, length);
    else if (span->track == VL_TRACK_COMPUTE && number >= 0)
        made = asprintf(&tip, _("%1$s, unit %2$lld: at %3$s ms, for %4$s ms"), span->name, number,
                        begin, length);
    else
        made = asprintf(&tip, _("%1$s: at %2$s ms, for %3$s ms"), span->name, begin, length);
    return made >= 0 ? tip : NULL;
}

void vl_picture_tip(struct vl_picture *picture, const struct vl_timeline_span *span)
{
    char *tip = tip_of(picture, span);
    fputs("<title>", picture->stream);
    vl_picture_text(picture, tip);
    fputs("</title>", picture->stream);
    free(tip);
}
