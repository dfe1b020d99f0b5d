/* What was measured on a timeline, below its drawing. */
#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"
#include "report/timeline/timeline.h"

#include <math.h>
#include <stdio.h>

#define COLUMN_LEAST 8
#define GAP          2

enum column { RANK, COMPUTE, WAITING, SENT, IDLE, HANDED, HIDDEN, COLUMNS };

static const char *const headings[COLUMNS] = {
    [COMPUTE] = N_("compute ms"),
    [WAITING] = N_("waiting ms"),
    [SENT] = N_("sent"),
    [IDLE] = N_("idle"),
    /* TRANSLATORS: the share of the gradients' bytes handed to MPI before backward ended. */
    [HANDED] = N_("early"),
    /* TRANSLATORS: the share of the time on the road during which the rank computed. */
    [HIDDEN] = N_("hidden"),
};

static const char *heading_of(enum column column)
{
    return column == RANK ? VL_PGETTEXT("process", "rank") : _(headings[column]);
}

static int width_of(enum column column)
{
    int width = vl_utf8_width(heading_of(column));
    return (width < COLUMN_LEAST ? COLUMN_LEAST : width) + (column > RANK ? GAP : 0);
}

static void put(const struct vl_terminal *terminal, enum vl_style style, enum column column,
                const char *text)
{
    vl_terminal_put(terminal, style, column == RANK ? width_of(column) : -width_of(column), text);
}

static void put_share(const struct vl_terminal *terminal, enum column column, double share)
{
    char number[VL_NUMBER_TEXT];
    put(terminal, VL_STYLE_PLAIN, column,
        isfinite(share) ? vl_number_percent(number, share, 0) : "-");
}

static void put_row(const struct vl_terminal *terminal, const char *name,
                    const struct vl_timeline_measured *measured)
{
    char number[VL_NUMBER_TEXT];
    put(terminal, VL_STYLE_PLAIN, RANK, name);
    put(terminal, VL_STYLE_PLAIN, COMPUTE,
        vl_number_text(number, 1e3 * measured->compute_seconds, 1));
    put(terminal, VL_STYLE_PLAIN, WAITING, vl_number_text(number, 1e3 * measured->wait_seconds, 1));
    put(terminal, VL_STYLE_PLAIN, SENT, vl_number_bytes(number, measured->sent_bytes));
    put_share(terminal, IDLE, measured->idle_share);
    put_share(terminal, HANDED, measured->handed_share);
    put_share(terminal, HIDDEN, measured->hidden_share);
    fputc('\n', terminal->stream);
}

void vl_timeline_draw_facts(const struct vl_timeline *timeline,
                            const struct vl_timeline_facts *facts,
                            const struct vl_terminal *terminal)
{
    char name[16], share[VL_NUMBER_TEXT];
    for (enum column column = 0; column < COLUMNS; column++)
        put(terminal, VL_STYLE_BOLD, column, heading_of(column));
    fputc('\n', terminal->stream);
    for (size_t rank = 0; rank < facts->rank_count; rank++) {
        snprintf(name, sizeof name, "%d", timeline->ranks[rank].number);
        put_row(terminal, name, &facts->ranks[rank]);
    }
    if (facts->rank_count > 1)
        put_row(terminal, _("all"), &facts->all);
    fputc('\n', terminal->stream);
    if (isfinite(facts->all.handed_share))
        vl_terminal_sentence(terminal, VL_STYLE_PLAIN,
                             _("%s of the bytes were handed to MPI before backward ended."),
                             vl_number_percent(share, facts->all.handed_share, 0));
    if (isfinite(facts->all.hidden_share))
        vl_terminal_sentence(terminal, VL_STYLE_PLAIN,
                             _("%s of the time on the road was hidden behind compute."),
                             vl_number_percent(share, facts->all.hidden_share, 0));
    else
        vl_terminal_paragraph(terminal, VL_STYLE_PLAIN, 0,
                              _("Nothing was sent or received, so there was nothing to hide."));
}
