/*
 * The writers behind report.h, and what they share. A format is a file in formats/, whose first lines
 * name the document that it follows, and a line in the table of report.c. 'list' as in
 * vl_report_write.
 */
#ifndef VIALATA_REPORT_VERDICT_FORMATS_H
#define VIALATA_REPORT_VERDICT_FORMATS_H

#include "grade/catalogue/verdict.h"
#include "vialata/status.h"
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

typedef enum vl_status vl_report_writer(FILE *stream, const struct vl_verdict *verdicts,
                                        size_t count, int list);

vl_report_writer vl_report_write_text, vl_report_write_json, vl_report_write_junit,
    vl_report_write_codegrade, vl_report_write_gradescope, vl_report_write_autolab,
    vl_report_write_prairielearn, vl_report_write_github_classroom, vl_report_write_exercism_2,
    vl_report_write_exercism_3;

/* A cleaned JSON string, or null for NULL; a number, or null for what JSON cannot hold. */
json_t *vl_json_text(const char *text);
json_t *vl_json_real(double value);

/* Write a JSON value and a newline, and drop it. VL_ENOMEM for NULL. */
enum vl_status vl_json_write(FILE *stream, json_t *value);

/* The same into a file, whole or not at all. VL_EIO (errno). */
enum vl_status vl_json_save(const char *path, json_t *value);

/* As vl_json_write, on one line, in ASCII; and how many bytes that are. */
enum vl_status vl_json_write_line(FILE *stream, json_t *value);
size_t vl_json_line_bytes(const json_t *value);

/* ---- words.c: texts are cleaned, in the language in force, and freed by the caller; NULL without
 * memory ---- */

/* What the compiler or the program said about a case, "" if nothing. The compiler's words are the whole
 * lab's: only the first case that does not compile has them. */
char *vl_case_details(const struct vl_verdict *verdict, const struct vl_case_result *result);

/* What is said about a case, and below it its details; "" if nothing. */
char *vl_case_words(const struct vl_verdict *verdict, const struct vl_case_result *result);

/* Each lab with its points, and why it was not graded or what the compiler said. */
char *vl_verdicts_words(const struct vl_verdict *verdicts, size_t count);

struct vl_verdicts_sum {
    double score, max_score, seconds;
    bool graded; /* no verdict is an error */
    bool passed; /* every case that is worth points has passed, and there is one */
};

struct vl_verdicts_sum vl_verdicts_sum(const struct vl_verdict *verdicts, size_t count);

/* The lab's folder, "01_training_step"; the slug if there is no such lab. */
const char *vl_verdict_folder(const struct vl_verdict *verdict);

#endif
