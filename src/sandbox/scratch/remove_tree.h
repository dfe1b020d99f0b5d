/*
 * Remove a folder and all in it, which somebody we do not know has filled: any depth, any mode, without
 * following links.
 */
#ifndef VIALATA_SANDBOX_SCRATCH_REMOVE_TREE_H
#define VIALATA_SANDBOX_SCRATCH_REMOVE_TREE_H

/* What cannot be removed stays. */
void vl_remove_tree(const char *path);

#endif
