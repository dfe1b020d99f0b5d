/*
 * Orphans: processes of a vialata that was killed. What it started behind a wall ends with it; without a
 * wall, what has left its job lives on, and nobody waits for it any more.
 *
 *   vialata.Pd03fQ     its process is dead
 *     run/             a sandbox's folder: all of its user, whom nobody else has, is killed
 *                      without a user of its own: what has it, or what is in it, as HOME
 */
#ifndef VIALATA_SANDBOX_ORPHANS_H
#define VIALATA_SANDBOX_ORPHANS_H

/* Kill what runs in the sandboxes of a dead process's scratch folder, and remove what their users left
 * elsewhere. */
void vl_orphans_end(const char *scratch);

#endif
