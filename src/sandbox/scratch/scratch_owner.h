/*
 * Whose scratch folder it is: its process holds a lock on it, which the kernel releases when that process
 * ends, also by a kill. So the next one knows which folders nobody needs any more.
 *
 *   vialata.k2Xw9a   locked           somebody is at work in it
 *   vialata.Pd03fQ   free, of today   its process was killed: it goes, with what still runs in it
 *   vialata.t8Zz1c   free, just made  its process may be about to lock it: it stays
 *
 * For scratch.c alone.
 */
#ifndef VIALATA_SANDBOX_SCRATCH_SCRATCH_OWNER_H
#define VIALATA_SANDBOX_SCRATCH_SCRATCH_OWNER_H

#define VL_SCRATCH_MARK  "vialata." /* and six characters more */
#define VL_SCRATCH_YOUNG 60         /* seconds in which a new folder may not be locked yet */

/* Lock a folder that this process has just made. Where a file system has no locks, its folders stay until
 * somebody removes them by hand. */
void vl_scratch_hold(const char *path);
/* Release it, when it has been removed. Nothing happens if this process does not hold it. */
void vl_scratch_let_go(const char *path);

/* Remove this user's folders below 'base' that are so many seconds old and whose processes are dead. */
void vl_scratch_sweep(const char *base, int seconds);

#endif
