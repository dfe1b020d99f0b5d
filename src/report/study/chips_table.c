/* A study of machines that are not here, on a terminal. */
#include "report/study/bandwidth_parts.h"
#include "report/study/chips.h"

#include "base/text.h"

#include <stdlib.h>

static void put_sentences(const struct vl_terminal *terminal, const struct vl_chips_panel *panel)
{
    struct vl_chips_findings findings;
    char *sentence;
    vl_chips_find(&findings, panel);
    for (size_t i = 0; (sentence = vl_chips_sentence(panel, &findings, i)) != NULL; i++) {
        vl_terminal_paragraph(terminal, VL_STYLE_PLAIN, 0, sentence);
        free(sentence);
    }
    fputc('\n', terminal->stream);
}

void vl_chips_table(const struct vl_chips *study, const struct vl_terminal *terminal)
{
    for (size_t p = 0; p < study->count; p++) {
        const struct vl_chips_panel *panel = &study->panels[p];
        /* TRANSLATORS: a machine, and its number of chips */
        vl_terminal_sentence(terminal, VL_STYLE_BOLD, _("%1$s, %2$zu chips"), panel->title,
                             panel->chips);
        for (int s = 0; s < VL_BANDWIDTH_SOURCES; s++)
            if (vl_bandwidth_has(&panel->roads, (enum vl_bandwidth_source)s))
                vl_bandwidth_put_table(terminal, &panel->roads, (enum vl_bandwidth_source)s);
        put_sentences(terminal, panel);
    }
    vl_terminal_paragraph(
        terminal, VL_STYLE_PLAIN, 0,
        _("DP: data parallel. TP: tensor parallel. 1F1B: pipeline. EP: expert parallel. The page "
          "says how each divides the work, and what is simulated."));
}
