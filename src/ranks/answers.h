/*
 * Answers: the files by which the ranks of a job answer. The grader makes them before the job starts.
 *
 *   board.RANK           where it is now (wire/board.h)
 *   results.RANK         what it sends back (wire/results.h)
 *   go.RANK, said.RANK   pipes of a timed job: orders, and the word that they were obeyed
 *
 * Behind the wall these files are all that a job can write and anybody else can see. Behind a wall of
 * its own a rank has only those with its number.
 */
#ifndef VIALATA_RANKS_ANSWERS_H
#define VIALATA_RANKS_ANSWERS_H

#include "base/words.h"
#include "sandbox/sandbox.h"
#include "wire/board.h"

struct vl_answers {
    struct vl_words paths;
    int ranks;
    int board[VL_BOARD_RANKS]; /* descriptors of the boards */
};

/* Make a board and a file of results per rank, all of them new. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_answers_open(struct vl_answers *answers, const struct vl_sandbox *sandbox,
                               int ranks);

/* Add the paths of a rank's board and results. */
void vl_answers_paths(struct vl_words *paths, const struct vl_sandbox *sandbox, int rank);

/* Copy all boards; one that somebody cut short is zero. */
void vl_answers_look(struct vl_board *copy, const struct vl_answers *answers);

/* Let all ranks begin this many cases. */
void vl_answers_allow(const struct vl_answers *answers, uint32_t cases);

/* Make a pipe "name.RANK", open both ways so that neither side ever waits to open it. Returns our
 * descriptor, which the caller closes; -1 if that failed. */
int vl_answers_pipe(struct vl_answers *answers, const struct vl_sandbox *sandbox, const char *name,
                    int rank);

/* Forget all results: what is there afterwards is new. */
enum vl_status vl_answers_clear(const struct vl_sandbox *sandbox, int ranks);

void vl_answers_close(struct vl_answers *answers);

#endif
