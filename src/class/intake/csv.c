#include "class/intake/csv.h"

#include "base/file.h"
#include "base/utf8.h"
#include <csv.h> /* libcsv */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define ROW_NOT_BEGUN 0          /* as a csv_parser's pstate */
#define FORMULA       "=+-@\t\r" /* what begins one in a spreadsheet */

/* Does a formula begin with this? In the Far East also with a wide character. */
static bool is_formula_sign(const char *text)
{
    static const char *const wide[] = {"\uff1d", "\uff0b", "\uff0d", "\uff20"};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (strncmp(text, wide[i], strlen(wide[i])) == 0)
            return true;
    return text[0] != '\0' && strchr(FORMULA, text[0]) != NULL;
}

struct reading {
    struct vl_csv *table;
    char **row; /* cells so far */
    size_t count, capacity;
    size_t line, first_line; /* now, and where the row began */
    size_t row_capacity;
    bool failed, heads_read;
};

static void add_cell(void *bytes, size_t n, void *context)
{
    struct reading *reading = context;
    if (reading->count == reading->capacity) {
        size_t more = reading->capacity * 2 + 16;
        char **row = realloc(reading->row, more * sizeof *row);
        if (row == NULL) {
            reading->failed = true;
            return;
        }
        reading->row = row;
        reading->capacity = more;
    }
    const char *text = bytes != NULL ? bytes : "";
    size_t mark = n > 1 && text[0] == '\'' && is_formula_sign(text + 1); /* vl_csv_put's */
    char *cell = strndup(text + mark, n - mark);
    reading->failed |= cell == NULL;
    reading->row[reading->count++] = cell;
}

static bool is_empty(const struct reading *reading)
{
    for (size_t i = 0; i < reading->count; i++)
        if (reading->row[i] != NULL && reading->row[i][0] != '\0')
            return false;
    return true;
}

static void drop_row(struct reading *reading)
{
    for (size_t i = 0; i < reading->count; i++)
        free(reading->row[i]);
    reading->count = 0;
}

static void keep_heads(struct reading *reading)
{
    struct vl_csv *table = reading->table;
    table->heads = reading->row;
    table->columns = reading->count;
    reading->row = NULL;
    reading->count = reading->capacity = 0;
    reading->heads_read = true;
}

/* Cells beyond the last column are dropped, and missing ones are empty. */
static void keep_row(struct reading *reading)
{
    struct vl_csv *table = reading->table;
    if (table->rows == reading->row_capacity) {
        size_t more = reading->row_capacity * 2 + 64;
        char **cells = realloc(table->cells, more * table->columns * sizeof *cells);
        size_t *line = realloc(table->line, more * sizeof *line);
        table->cells = cells != NULL ? cells : table->cells;
        table->line = line != NULL ? line : table->line;
        if (cells == NULL || line == NULL) {
            reading->failed = true;
            drop_row(reading);
            return;
        }
        reading->row_capacity = more;
    }
    char **cells = table->cells + table->rows * table->columns;
    for (size_t i = 0; i < table->columns; i++) {
        bool there = i < reading->count;
        cells[i] = there ? reading->row[i] : strdup("");
        reading->failed |= cells[i] == NULL;
        if (there)
            reading->row[i] = NULL;
    }
    table->line[table->rows++] = reading->first_line;
    drop_row(reading);
}

static void end_row(int ended_by, void *context)
{
    struct reading *reading = context;
    (void)ended_by;
    if (is_empty(reading))
        drop_row(reading);
    else if (!reading->heads_read)
        keep_heads(reading);
    else
        keep_row(reading);
}

static unsigned char separator_of(const char *text)
{
    static const char candidates[] = ",;\t";
    size_t most = 0, counts[3] = {0};
    unsigned char best = ',';
    for (; *text != '\0' && *text != '\n' && *text != '\r'; text++)
        for (size_t i = 0; i < 3; i++)
            counts[i] += *text == candidates[i];
    for (size_t i = 0; i < 3; i++)
        if (counts[i] > most) {
            most = counts[i];
            best = (unsigned char)candidates[i];
        }
    return best;
}

/* Line by line, so that each row knows where it began. */
static bool parse(struct reading *reading, const char *text, size_t n)
{
    struct csv_parser parser;
    if (csv_init(&parser, CSV_APPEND_NULL) != 0)
        return false;
    csv_set_delim(&parser, separator_of(text));
    bool whole = true;
    for (size_t at = 0; at < n && whole;) {
        const char *end = memchr(text + at, '\n', n - at);
        size_t length = end != NULL ? (size_t)(end - text) + 1 - at : n - at;
        reading->line++;
        if (parser.pstate == ROW_NOT_BEGUN)
            reading->first_line = reading->line;
        whole = csv_parse(&parser, text + at, length, add_cell, end_row, reading) == length;
        at += length;
    }
    whole = whole && csv_fini(&parser, add_cell, end_row, reading) == 0;
    csv_free(&parser);
    return whole;
}

enum vl_status vl_csv_read(struct vl_csv *table, const char *path)
{
    struct reading reading = {.table = table};
    char *bytes = NULL;
    size_t n = 0;
    *table = (struct vl_csv){0};
    enum vl_status status = vl_file_read(&bytes, &n, path, VL_CSV_MOST_BYTES);
    if (status != VL_OK)
        return status;
    size_t mark = strncmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    bool is_text = memchr(bytes, '\0', n) == NULL;
    bool parsed = is_text && parse(&reading, bytes + mark, n - mark);
    drop_row(&reading);
    free(reading.row);
    free(bytes);
    if (!reading.failed && parsed && reading.heads_read)
        return VL_OK;
    vl_csv_free(table);
    return reading.failed ? VL_ENOMEM : VL_EFORMAT;
}

void vl_csv_free(struct vl_csv *table)
{
    for (size_t i = 0; i < table->rows * table->columns; i++)
        free(table->cells[i]);
    for (size_t i = 0; i < table->columns; i++)
        free(table->heads[i]);
    free(table->cells);
    free(table->line);
    free(table->heads);
    *table = (struct vl_csv){0};
}

int vl_csv_column(const struct vl_csv *table, const char *name)
{
    for (size_t i = 0; i < table->columns; i++)
        if (strcasecmp(table->heads[i], name) == 0)
            return (int)i;
    return -1;
}

const char *vl_csv_cell(const struct vl_csv *table, size_t row, int column)
{
    return column >= 0 ? table->cells[row * table->columns + (size_t)column] : "";
}

int vl_csv_answer(const char *cell, int otherwise)
{
    static const char *const answers[][5] = {{"no", "n", "0", "false", NULL},
                                             {"yes", "y", "1", "true", "x"}};
    for (int answer = 0; answer < 2; answer++)
        for (size_t i = 0; i < 5 && answers[answer][i] != NULL; i++)
            if (strcasecmp(cell, answers[answer][i]) == 0)
                return answer;
    return cell[0] == '\0' ? otherwise : -1;
}

/* Where a spreadsheet may see the beginning of a cell: in many countries it splits lines at `;` only,
 * and then the quotes around a cell do not hold it together. */
static bool may_begin(const char *text, size_t at)
{
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '"'))
        at--;
    return at == 0 || strchr(";\t\r\n", text[at - 1]) != NULL;
}

static bool is_formula(const char *text, size_t at)
{
    return is_formula_sign(text + at) && may_begin(text, at);
}

static void put_quoted(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (size_t i = 0; text[i] != '\0'; i++) {
        if (is_formula(text, i))
            fputc('\'', stream);
        if (text[i] == '"')
            fputc('"', stream);
        fputc(text[i], stream);
    }
    fputc('"', stream);
}

void vl_csv_put(FILE *stream, const char *cell)
{
    char *text = vl_utf8_clean(cell);
    if (text == NULL)
        return;
    if (is_formula(text, 0) || text[0] == ' ' || strpbrk(text, ",;\"\t\r\n") != NULL)
        put_quoted(stream, text);
    else
        fputs(text, stream);
    free(text);
}
