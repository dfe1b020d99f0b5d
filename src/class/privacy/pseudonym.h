/*
 * Names that are not names: a student's pseudonym, and the table of who is who.
 *
 *   pseudonym = 12 characters (60 bits) of HMAC-SHA256, under the course's key, of the student's id
 *
 * The same key and id give the same pseudonym in every run and on every machine; without the key
 * nobody can tell one from the other.
 *
 * The table is a CSV file (csv.h) that only its owner may read: pseudonym,id,name.
 */
#ifndef VIALATA_CLASS_PRIVACY_PSEUDONYM_H
#define VIALATA_CLASS_PRIVACY_PSEUDONYM_H

#include "vialata/status.h"
#include <stddef.h>

#define VL_PSEUDONYM 15 /* "k3vm-77qz-a0xe" and a zero byte */

/* Upper and lower case of an id make no difference, as everywhere in a class. Returns text. */
char *vl_pseudonym(char text[VL_PSEUDONYM], const char *key, size_t key_bytes, const char *id);

struct vl_pseudonym_row {
    char *pseudonym, *id, *name;
};

/* Zero it to begin. */
struct vl_pseudonyms {
    struct vl_pseudonym_row *rows;
    size_t count;
};

/* Read the table; it is empty if there is no such file. VL_EFORMAT if it is not a table of this
 * kind, VL_EIO (errno), VL_ENOMEM. Freed by the caller in any case. */
enum vl_status vl_pseudonyms_read(struct vl_pseudonyms *table, const char *path);

/* Add somebody who is not in it yet. VL_ENOMEM. */
enum vl_status vl_pseudonyms_add(struct vl_pseudonyms *table, const char *pseudonym, const char *id,
                                 const char *name);

/* The row whose id, pseudonym or name is that word, whatever its case; NULL if none or, for a name,
 * several have it. */
struct vl_pseudonym_row *vl_pseudonyms_find(const struct vl_pseudonyms *table, const char *word);

void vl_pseudonyms_remove(struct vl_pseudonyms *table, struct vl_pseudonym_row *row);

/* Whole or not at all, mode 0600. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_pseudonyms_write(const struct vl_pseudonyms *table, const char *path);
void vl_pseudonyms_free(struct vl_pseudonyms *table);

#endif
