/*
 * A mesh as a picture inside a page (page.h): one row per stage, one frame per replica, one cell
 * per rank.
 *
 *     stage 0   [ 0 | 1 ]  [ 2 | 3 ]      cells of one frame share every matrix (tensor places);
 *     stage 1   [ 4 | 5 ]  [ 6 | 7 ]      with experts, cells of one colour have the same ones
 *
 * Wide meshes continue on the next line.
 */
#ifndef VIALATA_REPORT_DRAW_MESH_PICTURE_H
#define VIALATA_REPORT_DRAW_MESH_PICTURE_H

#include <jansson.h>
#include <stdio.h>

/* 'run' is the "run" of a log (train/log/log.h). Nonzero if it has a mesh, which is then drawn. */
int vl_mesh_picture(FILE *stream, const json_t *run);

#endif
