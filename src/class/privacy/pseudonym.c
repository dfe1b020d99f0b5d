#include "class/privacy/pseudonym.h"

#include "base/file.h"
#include "class/intake/csv.h"
#include "grade/catalogue/derive.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

char *vl_pseudonym(char text[VL_PSEUDONYM], const char *key, size_t key_bytes, const char *id)
{
    static const char letters[] = "0123456789abcdefghjkmnpqrstvwxyz"; /* no i, l, o, u */
    char *lower = strdup(id);
    for (char *c = lower; c != NULL && *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    uint64_t bits = vl_derive(key, key_bytes, "vialata-pseudonym", "", lower != NULL ? lower : id);
    free(lower);
    for (int i = 0; i < VL_PSEUDONYM - 1; i++) {
        bool dash = i % 5 == 4;
        text[i] = dash ? '-' : letters[bits & 31];
        bits >>= dash ? 0 : 5;
    }
    text[VL_PSEUDONYM - 1] = '\0';
    return text;
}

enum vl_status vl_pseudonyms_add(struct vl_pseudonyms *table, const char *pseudonym, const char *id,
                                 const char *name)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcasecmp(table->rows[i].pseudonym, pseudonym) == 0)
            return VL_OK;
    struct vl_pseudonym_row *rows = realloc(table->rows, (table->count + 1) * sizeof *rows);
    if (rows == NULL)
        return VL_ENOMEM;
    table->rows = rows;
    struct vl_pseudonym_row *row = &rows[table->count++];
    *row = (struct vl_pseudonym_row){strdup(pseudonym), strdup(id), strdup(name)};
    return row->pseudonym != NULL && row->id != NULL && row->name != NULL ? VL_OK : VL_ENOMEM;
}

enum vl_status vl_pseudonyms_read(struct vl_pseudonyms *table, const char *path)
{
    struct vl_csv csv;
    *table = (struct vl_pseudonyms){0};
    if (access(path, F_OK) != 0)
        return VL_OK;
    enum vl_status status = vl_csv_read(&csv, path);
    if (status != VL_OK)
        return status;
    int pseudonym = vl_csv_column(&csv, "pseudonym"), id = vl_csv_column(&csv, "id"),
        name = vl_csv_column(&csv, "name");
    if (pseudonym < 0 || id < 0)
        status = VL_EFORMAT;
    for (size_t i = 0; i < csv.rows && status == VL_OK; i++)
        status = vl_pseudonyms_add(table, vl_csv_cell(&csv, i, pseudonym), vl_csv_cell(&csv, i, id),
                                   vl_csv_cell(&csv, i, name));
    vl_csv_free(&csv);
    return status;
}

struct vl_pseudonym_row *vl_pseudonyms_find(const struct vl_pseudonyms *table, const char *word)
{
    struct vl_pseudonym_row *found = NULL;
    size_t named = 0;
    for (size_t i = 0; i < table->count; i++) {
        struct vl_pseudonym_row *row = &table->rows[i];
        if (strcasecmp(row->id, word) == 0 || strcasecmp(row->pseudonym, word) == 0)
            return row;
        if (strcasecmp(row->name, word) == 0) {
            found = row;
            named++;
        }
    }
    return named == 1 ? found : NULL;
}

static void free_row(struct vl_pseudonym_row *row)
{
    free(row->pseudonym);
    free(row->id);
    free(row->name);
}

void vl_pseudonyms_remove(struct vl_pseudonyms *table, struct vl_pseudonym_row *row)
{
    size_t after = table->count - (size_t)(row - table->rows) - 1;
    free_row(row);
    memmove(row, row + 1, after * sizeof *row);
    table->count--;
}

enum vl_status vl_pseudonyms_write(const struct vl_pseudonyms *table, const char *path)
{
    struct vl_file_new file;
    enum vl_status status = vl_file_begin(&file, path);
    if (status != VL_OK)
        return status;
    if (fchmod(fileno(file.stream), S_IRUSR | S_IWUSR) != 0)
        status = VL_EIO;
    fputs("pseudonym,id,name\n", file.stream);
    for (size_t i = 0; i < table->count; i++) {
        vl_csv_put(file.stream, table->rows[i].pseudonym);
        fputc(',', file.stream);
        vl_csv_put(file.stream, table->rows[i].id);
        fputc(',', file.stream);
        vl_csv_put(file.stream, table->rows[i].name);
        fputc('\n', file.stream);
    }
    return vl_file_end(&file, status);
}

void vl_pseudonyms_free(struct vl_pseudonyms *table)
{
    for (size_t i = 0; i < table->count; i++)
        free_row(&table->rows[i]);
    free(table->rows);
    *table = (struct vl_pseudonyms){0};
}
