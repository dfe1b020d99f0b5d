/* A study on a terminal: a row for each way, and sentences about them. */
#include "report/study/study.h"

#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_COLUMNS 7 /* of a number; headings are wrapped to this width */
#define GAP            2
#define HEADING        64 /* bytes of a line of it */

enum column { WAY, LATE_LOSS, WHOLE_LOSS, VIOLATION, SIZE, COSINE, COLUMNS };

static const char *heading_of(enum column column)
{
    static const char *const headings[COLUMNS] = {
        [WAY] = N_("way"),
        /* TRANSLATORS: columns of a table on a terminal; keep them short. The last quarter of the
         * steps. */
        [LATE_LOSS] = N_("loss, last quarter"),
        [WHOLE_LOSS] = N_("loss, whole text"),
        [VIOLATION] = "MaxVio",
        /* TRANSLATORS: of an interference: how long its gradient is compared with the other */
        [SIZE] = N_("size"),
        /* TRANSLATORS: of the angle between two gradients */
        [COSINE] = N_("cosine"),
    };
    return column == VIOLATION ? headings[column] : _(headings[column]);
}

/* The next line of a heading: as many words as fit, and at least one. */
static void take_line(char line[HEADING], const char **rest)
{
    const char *text = *rest;
    size_t fits = vl_utf8_fit(text, NUMBER_COLUMNS), end = 0, next = strcspn(text, " ");
    do {
        end = next;
        next = end + strspn(text + end, " ");
        next += strcspn(text + next, " ");
    } while (end < next && next <= fits);
    snprintf(line, HEADING, "%.*s", (int)end, text);
    *rest = text + end + strspn(text + end, " ");
}

static int width_of(enum column column)
{
    char line[HEADING];
    int widest = NUMBER_COLUMNS;
    for (const char *rest = heading_of(column); *rest != '\0';) {
        take_line(line, &rest);
        widest = vl_utf8_width(line) > widest ? vl_utf8_width(line) : widest;
    }
    return widest + GAP;
}

static void put(const struct vl_terminal *terminal, enum vl_style style, enum column column,
                int first, const char *text)
{
    vl_terminal_put(terminal, style, column == WAY ? first : -width_of(column), text);
}

/* Columns up to the last that has words left; those after it get no blanks. */
static enum column columns_left(const char *const rest[COLUMNS])
{
    enum column left = COLUMNS;
    while (left > WAY && *rest[left - 1] == '\0')
        left--;
    return left;
}

static void put_headings(const struct vl_terminal *terminal, int first)
{
    const char *rest[COLUMNS];
    char line[HEADING];
    enum column left;
    for (enum column c = WAY; c < COLUMNS; c++)
        rest[c] = heading_of(c);
    while ((left = columns_left(rest)) > WAY) {
        for (enum column c = WAY; c < left; c++) {
            take_line(line, &rest[c]);
            put(terminal, VL_STYLE_BOLD, c, first, line);
        }
        fputc('\n', terminal->stream);
    }
}

static void put_row(const struct vl_terminal *terminal, const struct vl_study *study, size_t way,
                    int first)
{
    static const enum vl_study_curve curves[COLUMNS] = {[LATE_LOSS] = VL_STUDY_LOSS,
                                                        [VIOLATION] = VL_STUDY_VIOLATION,
                                                        [SIZE] = VL_STUDY_SIZE,
                                                        [COSINE] = VL_STUDY_COSINE};
    char name[VL_STUDY_NAME], number[VL_NUMBER_TEXT];
    vl_study_way_name(name, &study->ways[way]);
    put(terminal, VL_STYLE_PLAIN, WAY, first, name);
    for (enum column c = LATE_LOSS; c < COLUMNS; c++) {
        double mean = c == WHOLE_LOSS ? vl_study_evaluated(study, way).mean
                                      : vl_study_late_spread(study, way, curves[c]).mean;
        put(terminal, VL_STYLE_PLAIN, c, first,
            vl_number_text(number, mean, c == VIOLATION ? 2 : 3));
    }
    fputc('\n', terminal->stream);
}

void vl_study_table(const struct vl_study *study, const struct vl_terminal *terminal)
{
    struct vl_study_findings findings;
    char name[VL_STUDY_NAME], *sentence;
    int first = 0;
    for (size_t w = 0; w < study->way_count; w++) {
        vl_study_way_name(name, &study->ways[w]);
        first = vl_utf8_width(name) > first ? vl_utf8_width(name) : first;
    }
    put_headings(terminal, first);
    for (size_t w = 0; w < study->way_count; w++)
        put_row(terminal, study, w, first);
    fputc('\n', terminal->stream);
    vl_study_find(&findings, study);
    for (size_t i = 0; (sentence = vl_study_sentence(study, &findings, i)) != NULL; i++) {
        vl_terminal_paragraph(terminal, VL_STYLE_PLAIN, 0, sentence);
        free(sentence);
    }
}
