/*
 * The roster: who takes the course. A CSV file (csv.h) with these columns, in any order:
 *
 *   id           what names a student everywhere: letters, digits, and . _ - @ +
 *   name         for people; the id if it is not there
 *   language     en, fr, pt_BR, es or sk; the course's if it is empty
 *   late_days    how many days late this student may hand in; 0 if it is empty
 *   extra_time   a factor of the time for a lab; 1 if it is empty
 *   board        no: without a name among the fastest of the class; yes if it is empty
 *
 * Only id is needed. Nothing is taken from other columns; 'unknown' names them.
 */
#ifndef VIALATA_CLASS_INTAKE_ROSTER_H
#define VIALATA_CLASS_INTAKE_ROSTER_H

#include "vialata/status.h"
#include <stdbool.h>
#include <stddef.h>

#define VL_STUDENT_ID_MOST 100 /* bytes */
#define VL_LATE_DAYS_MOST  366
#define VL_EXTRA_TIME_MOST 10.0

struct vl_student {
    char *id;
    char *name;
    char *language; /* NULL: the course's */
    int late_days;
    double extra_time;
    bool board; /* may be named among the fastest */
};

struct vl_roster {
    struct vl_student *students;
    size_t count;
    char *unknown; /* columns, with commas between them; NULL if there are none */
};

/* *problem gets a sentence on what to mend, freed by the caller, with VL_EFORMAT: no column id, an
 * id twice or not usable, a wrong language or number. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_roster_read(struct vl_roster *roster, char **problem, const char *path);
void vl_roster_free(struct vl_roster *roster);

/* By id, else by name if only one has it; NULL if nobody is meant. */
const struct vl_student *vl_roster_find(const struct vl_roster *roster, const char *word);

/* Can it name a student, and a folder? */
bool vl_student_id_is_good(const char *id);

#endif
