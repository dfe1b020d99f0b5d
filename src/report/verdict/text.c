/* Verdicts for a person: each as the table that grading itself shows. */
#include "report/verdict/formats.h"
#include "report/verdict/table.h"

enum vl_status vl_report_write_text(FILE *stream, const struct vl_verdict *verdicts, size_t count,
                                    int list)
{
    (void)list;
    for (size_t i = 0; i < count; i++) {
        struct vl_table table;
        vl_table_open(&table, stream);
        if (i > 0)
            fputc('\n', stream);
        vl_table_close(&table, &verdicts[i]);
    }
    return ferror(stream) ? VL_EIO : VL_OK;
}
