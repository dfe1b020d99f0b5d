/*
 * What the name of an entry says: whose it is, whether it came late, and for which lab it is.
 *
 *   ada.zip                                          ada
 *   ada-02_collectives.zip, ...-1.zip, ... (1).zip   ada, lab 02: from `vialata handin`
 *   Ada Lovelace_381_assignsubmission_file_...       Ada Lovelace, number 381: from Moodle
 *   lovelaceada_LATE_381_7241_...                    lovelaceada, number 381, late: from Canvas
 */
#ifndef VIALATA_CLASS_INTAKE_ENTRY_NAME_H
#define VIALATA_CLASS_INTAKE_ENTRY_NAME_H

#include "grade/catalogue/lab.h"

struct vl_entry_name {
    char *student;             /* freed by the caller; NULL: no memory */
    unsigned long long number; /* by which the platform tells people of one name apart; 0: none */
    int late;
    const struct vl_lab *lab; /* NULL: it names none */
};
struct vl_entry_name vl_entry_name(const char *entry);

/* The lab alone; NULL if the name names none. */
const struct vl_lab *vl_entry_lab(const char *entry);

#endif
