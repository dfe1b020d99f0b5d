/*
 * What was handed in: from folders and archives to one place for each student.
 *
 *   FOLDER or ARCHIVE holds one entry a student: a folder, an archive, or a .c file
 *
 *   ada/  ada.zip  ada.c                                   the name is the student's id
 *   Ada Lovelace_381_assignsubmission_file_/...            a download from Moodle
 *   lovelaceada_LATE_381_7241_lab02.zip                    a download from Canvas
 *   ada-02_collectives.zip                                 from `vialata handin`: that lab alone
 *
 * Archives are unpacked (archive.h), also within archives and in a student's folder. In what a student handed in, the lab is
 * looked for: its files, or a folder that has them.
 */
#ifndef VIALATA_CLASS_INTAKE_INTAKE_H
#define VIALATA_CLASS_INTAKE_INTAKE_H

#include "class/intake/roster.h"
#include "grade/catalogue/lab.h"
#include <stdbool.h>
#include <time.h>

struct vl_handed_in {
    char *student; /* the id in the roster, or what the entry is called */
    char *id;      /* whom 'student', a pseudonym, stands for; NULL: 'student' is not a pseudonym */
    int known;     /* the student is in the roster, or there is none */
    char *from;    /* the entry, for people */
    char *path;    /* a folder, or a .c file; NULL if it could not be unpacked */
    char *problem; /* a sentence: why it is not graded; NULL if it is */
    const struct vl_lab *lab;  /* its name says that it is of this lab alone; NULL: any */
    char *name;                /* in the name of the entry */
    unsigned long long number; /* the platform's own for this person; 0: none */
    bool exact;                /* the roster names this number: nobody else is meant */
    char *download;            /* the folder it lay in: numbers mean something within one */
    int late;                  /* the platform says that it came late */
    time_t changed;            /* when its newest file was */
};

struct vl_intake {
    struct vl_handed_in *list; /* once ordered: by student, the newest first */
    size_t count, capacity;
    size_t unpacked; /* archives so far; they lie in folders of these numbers */
};

/* Add what lies in a folder or archive. An archive is one student's, and then names nobody but this
 * student, if its name is a student's in the roster or one of `vialata handin`, or if it holds a lab:
 * else its owner could hand in for others. Without a roster its name says too little. 'scratch' is a
 * folder for what is unpacked. A roster may be NULL. What cannot be taken is in the list, with its
 * problem. VL_EIO (errno, 'path' itself cannot be read), VL_ENOMEM. */
enum vl_status vl_intake_add(struct vl_intake *intake, const char *path, const char *scratch,
                             const struct vl_roster *roster);

/* After all were added: people who would be one student but whom the platform tells apart are told apart
 * by NAME_NUMBER, also in a roster (namesakes.c). VL_ENOMEM. */
enum vl_status vl_intake_tell_namesakes_apart(struct vl_intake *intake, bool roster);

/* Sort by student; of one student's submissions the newest is the first. */
void vl_intake_order(struct vl_intake *intake);

/* How many of the list, from the i-th, are the same student's. */
size_t vl_intake_same(const struct vl_intake *intake, size_t i);

void vl_intake_free(struct vl_intake *intake);

/* ---- intake_lab.c ---- */

/* Is this folder one student's, and not a class's: has it a receipt, or files or the folder of a lab? */
bool vl_is_of_one_student(const char *folder);

/* Is this the name of a receipt, or of a lab's folder or file? */
bool vl_names_a_lab(const char *entry);

/* The lab in an archive that one student handed in, unpacked into a new folder: *path, freed by the
 * caller, is there. VL_EFORMAT with a sentence in *problem, freed by the caller, if it cannot be taken or
 * has nothing of the lab. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_unpack_lab(char **path, char **problem, const char *folder,
                             const struct vl_lab *lab, const char *archive);

/* Where the lab is in what was handed in: that path, or a folder in it. The caller frees it; NULL if
 * there is nothing of this lab (or, errno ENOMEM, no memory). */
char *vl_handed_in_lab(const struct vl_handed_in *item, const struct vl_lab *lab);

#endif
