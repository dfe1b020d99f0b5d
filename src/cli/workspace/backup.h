/*
 * Folders in which a command keeps a student's files before it changes them.
 */
#ifndef VIALATA_CLI_WORKSPACE_BACKUP_H
#define VIALATA_CLI_WORKSPACE_BACKUP_H

/* A fresh folder OWN/backup-DATE-TIME; a number is added if that moment has one. The caller frees its
 * path; NULL (errno) if it cannot be made. */
char *vl_backup_make(const char *own);

#endif
