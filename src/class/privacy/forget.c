#include "class/privacy/forget.h"

#include "base/file.h"
#include "class/book/results.h"
#include "class/intake/csv.h"
#include <ctype.h>
#include <errno.h>
#include <fts.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define ENDING_MOST 8
#define FILE_MOST   ((size_t)64 << 20) /* of a file that is searched */

static enum vl_status append(struct vl_forgotten *list, const char *path)
{
    char **paths = realloc(list->paths, (list->count + 1) * sizeof *paths);
    if (paths == NULL)
        return VL_ENOMEM;
    list->paths = paths;
    paths[list->count] = strdup(path);
    return paths[list->count] != NULL ? (list->count++, VL_OK) : VL_ENOMEM;
}

void vl_forgotten_free(struct vl_forgotten *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->paths[i]);
    free(list->paths);
    *list = (struct vl_forgotten){0};
}

/* Look at every regular file below a folder, without following links. */
static enum vl_status walk(struct vl_forgotten *list, const char *folder, const char *id,
                           enum vl_status (*look)(struct vl_forgotten *, const FTSENT *,
                                                  const char *))
{
    char *const roots[] = {(char *)folder, NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
    enum vl_status status = tree != NULL ? VL_OK : VL_EIO;
    for (FTSENT *entry; status == VL_OK && (entry = fts_read(tree)) != NULL;)
        if (entry->fts_info == FTS_F)
            status = look(list, entry, id);
        else if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR) {
            errno = entry->fts_errno;
            status = VL_EIO;
        }
    int why = errno;
    if (tree != NULL)
        fts_close(tree);
    errno = why;
    return status;
}

/* ---- files ---- */

/* "KEY.VERSION." of a verdict's file? Not so the rest of "ID.0123456789abcdef.html", which is somebody's page. */
static bool begins_with_key(const char *rest)
{
    static const char digits[] = "0123456789abcdef";
    size_t key = strspn(rest, digits);
    if (key != VL_RESULTS_KEY && key != VL_RESULTS_KEY_LEAST)
        return false;
    return rest[key] == '.' && strspn(rest + key + 1, digits) == VL_RESULTS_VERSION &&
           rest[key + 1 + VL_RESULTS_VERSION] == '.';
}

/* "ID.html", "ID.KEY.VERSION.json": but not "ID.b.html", which is the file of a student ID.b. */
static bool is_called_after(const char *name, const char *id)
{
    size_t n = strlen(id);
    if (strncasecmp(name, id, n) != 0 || name[n] != '.')
        return false;
    const char *rest = name + n + 1;
    if (begins_with_key(rest))
        return true;
    size_t ending = strlen(rest);
    return ending > 0 && ending <= ENDING_MOST && strchr(rest, '.') == NULL;
}

static enum vl_status remove_one(struct vl_forgotten *removed, const FTSENT *entry, const char *id)
{
    if (entry->fts_level < 2 || !is_called_after(entry->fts_name, id))
        return VL_OK;
    return unlink(entry->fts_accpath) == 0 ? append(removed, entry->fts_path) : VL_EIO;
}

enum vl_status vl_forget_files(struct vl_forgotten *removed, const char *results, const char *id)
{
    return walk(removed, results, id, remove_one);
}

/* ---- rows ---- */

static void put_row(FILE *stream, char *const *cells, size_t columns)
{
    for (size_t i = 0; i < columns; i++) {
        if (i > 0)
            fputc(',', stream);
        vl_csv_put(stream, cells[i]);
    }
    fputc('\n', stream);
}

static enum vl_status write_others(const struct vl_csv *table, int column, const char *path,
                                   const char *id)
{
    struct vl_file_new file;
    enum vl_status status = vl_file_begin(&file, path);
    if (status != VL_OK)
        return status;
    put_row(file.stream, table->heads, table->columns);
    for (size_t i = 0; i < table->rows; i++)
        if (strcasecmp(vl_csv_cell(table, i, column), id) != 0)
            put_row(file.stream, &table->cells[i * table->columns], table->columns);
    return vl_file_end(&file, VL_OK);
}

enum vl_status vl_forget_rows(size_t *rows, const char *path, const char *id)
{
    struct vl_csv table;
    *rows = 0;
    enum vl_status status = vl_csv_read(&table, path);
    if (status != VL_OK)
        return status;
    int column = vl_csv_column(&table, "id");
    for (size_t i = 0; i < table.rows && column >= 0; i++)
        *rows += strcasecmp(vl_csv_cell(&table, i, column), id) == 0;
    if (column < 0)
        status = VL_EFORMAT;
    else if (*rows > 0)
        status = write_others(&table, column, path, id);
    vl_csv_free(&table);
    return status;
}

/* ---- what is left ---- */

static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c > 127;
}

static bool has_word(const char *text, size_t n, const char *word)
{
    size_t length = strlen(word);
    if (length == 0)
        return false;
    for (const char *at = text; (at = memmem(at, n - (size_t)(at - text), word, length)) != NULL;
         at++)
        if ((at == text || !is_of_word(at[-1])) && !is_of_word(at[length]))
            return true;
    return false;
}

static enum vl_status search_one(struct vl_forgotten *found, const FTSENT *entry, const char *id)
{
    char *bytes = NULL;
    size_t n = 0;
    enum vl_status status = vl_file_read(&bytes, &n, entry->fts_accpath, FILE_MOST);
    if (status == VL_OK && has_word(bytes, n, id))
        status = append(found, entry->fts_path);
    else if (status == VL_EFORMAT)
        status = VL_OK;
    free(bytes);
    return status;
}

enum vl_status vl_forget_search(struct vl_forgotten *found, const char *results, const char *id)
{
    return walk(found, results, id, search_one);
}
