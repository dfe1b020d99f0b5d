/*
 * The switch: a C file, written here, in which each function of the reference is one jump through
 * a pointer, and vl_variant_choose() sets the pointers. The jump touches no argument, so it fits
 * every signature.
 *
 *   begin, file ..., choose, variant ..., end
 */
#ifndef VIALATA_GRADE_DIAGNOSE_SWITCH_H
#define VIALATA_GRADE_DIAGNOSE_SWITCH_H

#include <stdint.h>
#include <stdio.h>

void vl_switch_begin(FILE *out);

/* The functions of one file of the reference; 'hash' names the object of the unchanged file. */
void vl_switch_file(FILE *out, const char *text, uint64_t hash);

/* The function that chooses. */
void vl_switch_choose(FILE *out);

/* Numbers that share an object: of its mutants (mutants/schema.h) the first is 'mutant', the next one more
 * ..., or it has none: 0. */
struct vl_switch_range {
    unsigned first, last, mutant;
};

/* For these numbers the functions of a file are this object's; 0: set first, whatever is chosen. */
void vl_switch_variants(FILE *out, struct vl_switch_range range, const char *text, uint64_t hash);

void vl_switch_end(FILE *out);

#endif
