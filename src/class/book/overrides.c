#include "class/book/overrides.h"

#include "base/text.h"
#include "class/intake/csv.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct columns {
    int id, lab, which, points, comment, by, bonus;
};

/* ---- one row ---- */

/* In the C locale, or with the comma of a spreadsheet in another language. NAN for an empty cell,
 * -1 if it is not a number of points. */
static double points_in(const char *cell)
{
    char text[32], *end;
    if (cell[0] == '\0')
        return NAN;
    if (strlen(cell) >= sizeof text || strspn(cell, "0123456789.,") != strlen(cell))
        return -1;
    strcpy(text, cell);
    text[strcspn(text, ",")] = strchr(cell, ',') != NULL ? '.' : '\0';
    double points = strtod(text, &end);
    return *end == '\0' && end != text && points <= VL_OVERRIDE_POINTS_MOST ? points : -1;
}

/* Why the row cannot be used: a sentence; NULL if it can. */
static char *problem_of(const struct vl_csv *table, size_t row, const struct columns *columns)
{
    size_t line = table->line[row];
    const char *id = vl_csv_cell(table, row, columns->id);
    const char *lab = vl_csv_cell(table, row, columns->lab);
    const char *points = vl_csv_cell(table, row, columns->points);
    const char *bonus = vl_csv_cell(table, row, columns->bonus);
    if (id[0] == '\0')
        return vl_text_format(_("Line %zu names no student: fill in the column id."), line);
    if (vl_lab_find(lab) == NULL)
        return vl_text_format(_("Line %1$zu: there is no lab `%2$s`."), line, lab);
    if (points_in(points) < 0)
        return vl_text_format(_("Line %1$zu: `%2$s` is not a number of points."), line, points);
    if (points[0] == '\0' && vl_csv_cell(table, row, columns->comment)[0] == '\0')
        return vl_text_format(_("Line %zu has neither points nor a comment."), line);
    if (vl_csv_answer(bonus, 0) < 0)
        return vl_text_format(
            _("Line %1$zu: the column bonus has `%2$s`: write yes, or leave it empty."), line,
            bonus);
    return NULL;
}

static enum vl_status take(struct vl_override *override, const struct vl_csv *table, size_t row,
                           const struct columns *columns)
{
    *override = (struct vl_override){
        .line = table->line[row],
        .student = strdup(vl_csv_cell(table, row, columns->id)),
        .lab = vl_lab_find(vl_csv_cell(table, row, columns->lab)),
        .id = strdup(vl_csv_cell(table, row, columns->which)),
        .points = points_in(vl_csv_cell(table, row, columns->points)),
        .bonus = vl_csv_answer(vl_csv_cell(table, row, columns->bonus), 0) == 1,
        .comment = strdup(vl_csv_cell(table, row, columns->comment)),
        .by = strdup(vl_csv_cell(table, row, columns->by)),
        .before = NAN};
    return override->student != NULL && override->id != NULL && override->comment != NULL &&
                   override->by != NULL
               ? VL_OK
               : VL_ENOMEM;
}

static void free_one(struct vl_override *override)
{
    free(override->student);
    free(override->id);
    free(override->comment);
    free(override->by);
    *override = (struct vl_override){0};
}

/* ---- all rows ---- */

static struct columns columns_of(const struct vl_csv *table)
{
    return (struct columns){vl_csv_column(table, "id"),      vl_csv_column(table, "lab"),
                            vl_csv_column(table, "case"),    vl_csv_column(table, "points"),
                            vl_csv_column(table, "comment"), vl_csv_column(table, "by"),
                            vl_csv_column(table, "bonus")};
}

static enum vl_status fill(struct vl_overrides *overrides, char **problem,
                           const struct vl_csv *table)
{
    const struct columns columns = columns_of(table);
    if (columns.id < 0 || columns.lab < 0) {
        *problem = vl_text_format(_("It has no column `id` or no column `lab`: its first line "
                                    "names the columns, such as `id,lab,case,points,comment`."));
        return VL_EFORMAT;
    }
    overrides->list = calloc(table->rows + 1, sizeof *overrides->list);
    if (overrides->list == NULL)
        return VL_ENOMEM;
    for (size_t row = 0; row < table->rows; row++) {
        char *why = problem_of(table, row, &columns);
        if (why != NULL)
            vl_words_add(&overrides->problems, "%s", why);
        else if (take(&overrides->list[overrides->count++], table, row, &columns) != VL_OK)
            return VL_ENOMEM;
        free(why);
    }
    return overrides->problems.failed ? VL_ENOMEM : VL_OK;
}

enum vl_status vl_overrides_read(struct vl_overrides *overrides, char **problem, const char *path)
{
    struct vl_csv table;
    *overrides = (struct vl_overrides){0};
    *problem = NULL;
    enum vl_status status = vl_csv_read(&table, path);
    if (status == VL_EIO && errno == ENOENT)
        return VL_OK;
    if (status == VL_EFORMAT)
        *problem = vl_text_format(_("It is not a table: export it as CSV, in UTF-8."));
    if (status != VL_OK)
        return status;
    status = fill(overrides, problem, &table);
    vl_csv_free(&table);
    if (status != VL_OK)
        vl_overrides_free(overrides);
    return status;
}

void vl_overrides_free(struct vl_overrides *overrides)
{
    for (size_t i = 0; i < overrides->count; i++)
        free_one(&overrides->list[i]);
    free(overrides->list);
    vl_words_free(&overrides->problems);
    *overrides = (struct vl_overrides){0};
}

/* ---- whom they are about ---- */

static const char *known_id(const char *word, const struct vl_roster *roster,
                            const struct vl_intake *intake)
{
    const struct vl_student *student = vl_roster_find(roster, word);
    if (student != NULL)
        return student->id;
    for (size_t i = 0; i < intake->count; i++)
        if (strcasecmp(intake->list[i].student, word) == 0)
            return intake->list[i].student;
    return NULL;
}

/* Another row above that sets the same points. */
static const struct vl_override *same_above(const struct vl_overrides *overrides, size_t count,
                                            const struct vl_override *override)
{
    for (size_t i = 0; i < count && !isnan(override->points); i++) {
        const struct vl_override *other = &overrides->list[i];
        if (!isnan(other->points) && other->lab == override->lab &&
            strcasecmp(other->student, override->student) == 0 &&
            strcmp(other->id, override->id) == 0)
            return other;
    }
    return NULL;
}

static enum vl_status know(struct vl_overrides *overrides, size_t kept,
                           struct vl_override *override, const char *id, bool *keep)
{
    char *student = id != NULL ? strdup(id) : NULL;
    if (id == NULL)
        vl_words_add(&overrides->problems, _("Line %1$zu: nobody in the class is called `%2$s`."),
                     override->line, override->student);
    else if (student == NULL)
        return VL_ENOMEM;
    if (student == NULL)
        return VL_OK;
    free(override->student);
    override->student = student;
    const struct vl_override *above = same_above(overrides, kept, override);
    *keep = above == NULL;
    if (above != NULL)
        vl_words_add(
            &overrides->problems,
            _("Line %1$zu sets the same points as line %2$zu: only the first of them counts."),
            override->line, above->line);
    return VL_OK;
}

enum vl_status vl_overrides_know(struct vl_overrides *overrides, const struct vl_roster *roster,
                                 const struct vl_intake *intake)
{
    size_t kept = 0, count = overrides->count;
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < count; i++) {
        struct vl_override override = overrides->list[i];
        bool keep = false;
        overrides->list[i] = (struct vl_override){0};
        if (status == VL_OK)
            status =
                know(overrides, kept, &override, known_id(override.student, roster, intake), &keep);
        if (keep)
            overrides->list[kept++] = override;
        else
            free_one(&override);
    }
    overrides->count = kept;
    return status == VL_OK && overrides->problems.failed ? VL_ENOMEM : status;
}
