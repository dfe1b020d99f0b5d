#include "class/intake/roster.h"

#include "base/text.h"
#include "base/utf8.h"
#include "class/intake/csv.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Two names of other bytes could look the same, and one could steer a terminal. */
static bool is_clean(const char *text)
{
    char *clean = vl_utf8_clean(text);
    bool same = clean != NULL && strcmp(clean, text) == 0;
    free(clean);
    return same;
}

bool vl_student_id_is_good(const char *id)
{
    size_t n = strlen(id);
    if (n == 0 || n > VL_STUDENT_ID_MOST || id[0] == '.' || id[0] == '-')
        return false;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)id[i];
        if (c < 128 && !isalnum(c) && strchr("._-@+", c) == NULL)
            return false;
    }
    return is_clean(id);
}

struct columns {
    int id, name, language, late_days, extra_time, board;
};

/* A number in the C locale between 0 and 'most'; 'otherwise' for an empty cell; -1 if it is none. */
static double number_in(const char *cell, double most, double otherwise)
{
    char *end;
    if (cell[0] == '\0')
        return otherwise;
    double value = strtod(cell, &end);
    return *end == '\0' && value >= 0 && value <= most ? value : -1;
}

static char *problem_of(const struct vl_csv *table, size_t row, const struct columns *columns,
                        struct vl_student *student)
{
    const char *id = vl_csv_cell(table, row, columns->id);
    const char *language = vl_csv_cell(table, row, columns->language);
    const char *days = vl_csv_cell(table, row, columns->late_days);
    const char *time = vl_csv_cell(table, row, columns->extra_time);
    const char *board = vl_csv_cell(table, row, columns->board);
    size_t line = table->line[row];
    double late = number_in(days, VL_LATE_DAYS_MOST, 0);
    student->extra_time = number_in(time, VL_EXTRA_TIME_MOST, 1);
    if (!vl_student_id_is_good(id))
        return vl_text_format(_("Line %1$zu: `%2$s` cannot name a student: use letters, digits and "
                                "`. _ - @ +` in the column id."),
                              line, id);
    if (language[0] != '\0' && vl_text_language_of(language) == NULL)
        return vl_text_format(
            _("Line %1$zu: `%2$s` is not a language: write en, fr, pt_BR, es or sk."), line,
            language);
    if (late < 0 || late != (int)late)
        return vl_text_format(_("Line %1$zu: `%2$s` is not a number of late days."), line, days);
    if (student->extra_time < 1)
        return vl_text_format(_("Line %1$zu: `%2$s` cannot be extra time: write a factor from 1 to "
                                "10, such as 1.5."),
                              line, time);
    int on_board = vl_csv_answer(board, 1);
    if (on_board < 0)
        return vl_text_format(_("Line %1$zu: the column board has `%2$s`: write yes or no."), line,
                              board);
    student->late_days = (int)late;
    student->board = on_board == 1;
    return NULL;
}

static enum vl_status take(struct vl_student *student, const struct vl_csv *table, size_t row,
                           const struct columns *columns)
{
    const char *id = vl_csv_cell(table, row, columns->id);
    const char *name = vl_csv_cell(table, row, columns->name);
    const char *language = vl_text_language_of(vl_csv_cell(table, row, columns->language));
    student->id = strdup(id);
    student->name = strdup(name[0] != '\0' ? name : id);
    student->language = language != NULL ? strdup(language) : NULL;
    return student->id != NULL && student->name != NULL ? VL_OK : VL_ENOMEM;
}

static const struct vl_student *with_id(const struct vl_roster *roster, const char *id)
{
    for (size_t i = 0; i < roster->count; i++)
        if (strcasecmp(roster->students[i].id, id) == 0)
            return &roster->students[i];
    return NULL;
}

/* The names of columns that nothing is taken from, with commas between them; an empty name has no
 * meaning for anybody. */
static enum vl_status name_unknown(struct vl_roster *roster, const struct vl_csv *table)
{
    static const char *const known[] = {"id",        "name",       "language",
                                        "late_days", "extra_time", "board"};
    for (size_t i = 0; i < table->columns; i++) {
        bool is_known = table->heads[i][0] == '\0';
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            is_known |= strcasecmp(table->heads[i], known[k]) == 0;
        if (is_known)
            continue;
        char *before = roster->unknown;
        roster->unknown = before != NULL ? vl_text_format("%s, %s", before, table->heads[i])
                                         : strdup(table->heads[i]);
        free(before);
        if (roster->unknown == NULL)
            return VL_ENOMEM;
    }
    return VL_OK;
}

static enum vl_status fill(struct vl_roster *roster, char **problem, const struct vl_csv *table)
{
    const struct columns columns = {
        vl_csv_column(table, "id"),         vl_csv_column(table, "name"),
        vl_csv_column(table, "language"),   vl_csv_column(table, "late_days"),
        vl_csv_column(table, "extra_time"), vl_csv_column(table, "board")};
    if (columns.id < 0) {
        *problem = vl_text_format(_("It has no column `id`: its first line names the columns, "
                                    "such as `id,name,language`."));
        return VL_EFORMAT;
    }
    roster->students = calloc(table->rows + 1, sizeof *roster->students);
    if (roster->students == NULL || name_unknown(roster, table) != VL_OK)
        return VL_ENOMEM;
    for (size_t row = 0; row < table->rows; row++) {
        struct vl_student *student = &roster->students[roster->count];
        *problem = problem_of(table, row, &columns, student);
        if (*problem == NULL && with_id(roster, vl_csv_cell(table, row, columns.id)) != NULL)
            *problem = vl_text_format(_("Line %1$zu: the student `%2$s` is already in the roster."),
                                      table->line[row], vl_csv_cell(table, row, columns.id));
        if (*problem != NULL)
            return VL_EFORMAT;
        roster->count++;
        enum vl_status status = take(student, table, row, &columns);
        if (status != VL_OK)
            return status;
    }
    return VL_OK;
}

enum vl_status vl_roster_read(struct vl_roster *roster, char **problem, const char *path)
{
    struct vl_csv table;
    *roster = (struct vl_roster){0};
    *problem = NULL;
    enum vl_status status = vl_csv_read(&table, path);
    if (status == VL_EFORMAT)
        *problem = vl_text_format(_("It is not a table: export it as CSV, in UTF-8."));
    if (status != VL_OK)
        return status;
    status = fill(roster, problem, &table);
    vl_csv_free(&table);
    if (status != VL_OK)
        vl_roster_free(roster);
    return status;
}

void vl_roster_free(struct vl_roster *roster)
{
    for (size_t i = 0; i < roster->count; i++) {
        free(roster->students[i].id);
        free(roster->students[i].name);
        free(roster->students[i].language);
    }
    free(roster->students);
    free(roster->unknown);
    *roster = (struct vl_roster){0};
}

const struct vl_student *vl_roster_find(const struct vl_roster *roster, const char *word)
{
    const struct vl_student *found = with_id(roster, word);
    for (size_t i = 0; found == NULL && i < roster->count; i++)
        if (strcasecmp(roster->students[i].name, word) == 0) {
            for (size_t k = i + 1; k < roster->count; k++)
                if (strcasecmp(roster->students[k].name, word) == 0)
                    return NULL;
            found = &roster->students[i];
        }
    return found;
}
