/*
 * A schema: a function with all its mutants in one text, so that one compilation makes all of them.
 *
 *   sum += x[i];       { if (vl_mutant == 7) sum = x[i]; else if (vl_mutant == 8) sum -= x[i];
 *                        else ...; else sum += x[i]; }
 *   while (i < n)      while ((vl_mutant == 12 ? (i <= n) : ... : (i < n)))
 *
 *   for (...) {        for (...) { if (vl_mutant == 14) { sum = 0; }
 *   break;             { if (vl_mutant == 15) ; else if (vl_mutant == 16) continue; else break; }
 *
 * With vl_mutant 0 it is the function itself. Functions of the same file that it calls, and that
 * nobody else sees, get mutants too.
 */
#ifndef VIALATA_GRADE_MUTANTS_SCHEMA_H
#define VIALATA_GRADE_MUTANTS_SCHEMA_H

#include "grade/mutants/mutant.h"

#define VL_MUTANT_CHOSEN "vl_mutant" /* the variable, an unsigned, that says which one is meant */

#define VL_SCHEMA_HEAD "extern unsigned " VL_MUTANT_CHOSEN ";\n"

struct vl_schema {
    char *text;             /* the whole file, after this head; NULL if it has no such function */
    struct vl_mutant *list; /* number k + 1 */
    size_t count;
};

/* The schema of a function in a file of the reference, or of a submission. VL_EFORMAT if it cannot be read, VL_ENOMEM.
 * Free it in any case. */
enum vl_status vl_schema_make(struct vl_schema *schema, const char *file, const char *function);
/* The file with one of them chosen for good, fresh; NULL without memory. */
char *vl_schema_with(const struct vl_schema *schema, unsigned mutant);

void vl_schema_free(struct vl_schema *schema);

#endif
