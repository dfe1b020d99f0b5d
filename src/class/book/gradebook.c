#include "class/book/gradebook.h"

#include "base/file.h"
#include "class/intake/csv.h"
#include <math.h>

static void put_heads(FILE *stream, const struct vl_gradebook *book)
{
    fputs("id,name,late_days", stream);
    for (size_t i = 0; i < book->lab_count; i++)
        fprintf(stream, ",%s,%s_note", book->labs[i]->folder, book->labs[i]->folder);
    fputs("\n", stream);
}

static void put_row(FILE *stream, const struct vl_gradebook *book, const struct vl_grade_row *row)
{
    vl_csv_put(stream, row->id);
    fputc(',', stream);
    vl_csv_put(stream, row->name);
    fprintf(stream, ",%d", row->late_days);
    for (size_t i = 0; i < book->lab_count; i++) {
        fputc(',', stream);
        if (isfinite(row->entries[i].score))
            fprintf(stream, "%.2f", row->entries[i].score);
        fputc(',', stream);
        vl_csv_put(stream, row->entries[i].note != NULL ? row->entries[i].note : "");
    }
    fputs("\n", stream);
}

enum vl_status vl_gradebook_write(const struct vl_gradebook *book, const char *path)
{
    struct vl_file_new file;
    enum vl_status status = vl_file_begin(&file, path);
    if (status != VL_OK)
        return status;
    put_heads(file.stream, book);
    for (size_t i = 0; i < book->row_count; i++)
        put_row(file.stream, book, &book->rows[i]);
    return vl_file_end(&file, VL_OK);
}
