/*
 * Reports: a verdict (grade/catalogue/verdict.h) in several formats.
 *
 *   text        for a person; also drawn live by table.h while grading goes on
 *   json        schema "vialata.verdict/1": the verdict field by field
 *   junit       XML that continuous integration reads
 *   others      what a learning platform reads: formats/ has a file for each
 *
 * Machine formats are in the C locale, and valid whatever bytes came from a submission. Of what a
 * person reads in them, the sentences of a verdict are in its language, and the rest in the language
 * in force.
 */
#ifndef VIALATA_REPORT_VERDICT_REPORT_H
#define VIALATA_REPORT_VERDICT_REPORT_H

#include "grade/catalogue/verdict.h"
#include "vialata/status.h"
#include <jansson.h>
#include <stdio.h>

enum vl_report_format {
    VL_REPORT_TEXT,
    VL_REPORT_JSON,
    VL_REPORT_JUNIT,
    VL_REPORT_CODEGRADE,
    VL_REPORT_GRADESCOPE,
    VL_REPORT_AUTOLAB,
    VL_REPORT_PRAIRIELEARN,
    VL_REPORT_GITHUB_CLASSROOM,
    VL_REPORT_EXERCISM_2,
    VL_REPORT_EXERCISM_3,
    VL_REPORT_FORMATS
};

/* "json" ..., as written after --format. */
const char *vl_report_format_name(enum vl_report_format format);

/* All of them, for a sentence: "`text`, `json`, ...". The caller frees it; NULL without memory. */
char *vl_report_format_names(void);

/* What its file is called where it is read: "results.json". */
const char *vl_report_format_file(enum vl_report_format format);

/* VL_EINVAL for an unknown name. */
enum vl_status vl_report_format_find(enum vl_report_format *format, const char *name);

/*
 * Write verdicts. With 'list' nonzero JSON is an array even of one verdict (grade all); the other
 * formats hold several verdicts anyway. VL_EIO if the stream failed, VL_ENOMEM.
 */
enum vl_status vl_report_write(FILE *stream, const struct vl_verdict *verdicts, size_t count,
                               int list, enum vl_report_format format);

/* The same into a file, whole or not at all. */
enum vl_status vl_report_save(const char *path, const struct vl_verdict *verdicts, size_t count,
                              int list, enum vl_report_format format);

/* One verdict as a JSON object; the caller decrefs it. NULL without memory. */
json_t *vl_report_json(const struct vl_verdict *verdict);

#endif
