/*
 * A run of cases: what a rank says on its board cannot hurry the grader.
 *
 * A script in the place of the runner claims on its board that it has finished everything. The inputs of
 * the second case are made only after that.
 *
 * And a rehearsal: if it does not finish, its case is not run.
 */
#include "base/path.h"
#include "base/place.h"
#include "grade/job/case_run.h"
#include "ranks/rank_folders.h"
#include "sandbox/process.h"
#include "sandbox/scratch/scratch.h"
#include "wire/board.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define PATIENCE 60.0 /* seconds, on a busy machine */
enum { CASES = 3 };

static const char says_all_is_finished[] =
    "#!/bin/sh\n" /* started, finished */
    "printf '\\1\\0\\0\\0\\377\\377\\377\\377' | dd of=\"$3/board.0\" conv=notrunc 2>/dev/null\n"
    "sleep 600\n";

static char *scratch;
static struct vl_sandbox sandbox;

static int set_up(void **unused)
{
    (void)unused;
    if (vl_place_start() != VL_OK || vl_scratch_create(&scratch) != VL_OK)
        return 1;
    char *folder = vl_path_join(scratch, "run");
    enum vl_status status = vl_sandbox_open(&sandbox, folder);
    free(folder);
    return status != VL_OK;
}

static int tear_down(void **unused)
{
    (void)unused;
    vl_sandbox_close(&sandbox);
    vl_scratch_remove(scratch);
    free(scratch);
    vl_place_end();
    return 0;
}

static char *script(const char *text)
{
    char *path = vl_path_join(scratch, "script");
    FILE *file = vl_scratch_begin(scratch, "script");
    assert_non_null(path);
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(vl_scratch_end(file), VL_OK);
    assert_int_equal(chmod(path, 0755), 0);
    return path;
}

/* Wait until the rank has written that it is finished. */
static void wait_for_the_board(void)
{
    char *path = vl_path_join(sandbox.folder, "board.0");
    struct vl_board_rank board = {0};
    double until = vl_clock() + PATIENCE;
    while (board.finished == 0 && vl_clock() < until) {
        int file = open(path, O_RDONLY);
        if (file < 0 || pread(file, &board, sizeof board, 0) != (ssize_t)sizeof board)
            board.finished = 0;
        close(file);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    free(path);
    assert_int_equal(board.finished, UINT32_MAX);
}

struct seen {
    char *folder;
    size_t made, reported, judged;
};

static enum vl_status make_inputs(void *context, size_t item)
{
    struct seen *seen = context;
    if (item == 1)
        wait_for_the_board();
    assert_int_equal(item, seen->made++);
    char *path = vl_rank_inputs_hidden(seen->folder, 0, (unsigned)item);
    FILE *file = fopen(path, "we");
    free(path);
    return vl_scratch_end(file);
}

static void report(void *context, size_t item, const struct vl_case_run_report *told)
{
    struct seen *seen = context;
    assert_int_equal(item, seen->reported++);
    assert_true(told->end != VL_RUN_FINISHED || item < seen->made);
    seen->judged += told->end == VL_RUN_FINISHED;
}

static void no_case_is_finished_before_its_inputs_are_made(void **unused)
{
    (void)unused;
    static const struct vl_case_run_item items[CASES] = {
        {.input = 0, .number = 0, .function = "one"},
        {.input = 1, .number = 1, .function = "two"},
        {.input = 2, .number = 2, .function = "three"}};
    struct seen seen = {0};
    assert_int_equal(vl_scratch_folder(&seen.folder, scratch, "cases"), VL_OK);
    assert_int_equal(vl_rank_folders_make(seen.folder, 1), VL_OK);
    char *program = script(says_all_is_finished);
    const struct vl_case_run run = {.sandbox = &sandbox,
                                    .program = program,
                                    .folder = seen.folder,
                                    .sources = scratch,
                                    .ranks = 1,
                                    .hostile = 1,
                                    .seconds = PATIENCE,
                                    .prepare = make_inputs,
                                    .report = report,
                                    .context = &seen};
    assert_int_equal(vl_case_run(&run, items, CASES, NULL), VL_OK);
    assert_int_equal(seen.made, CASES);
    assert_int_equal(seen.reported, CASES);
    assert_int_equal(seen.judged, CASES);
    free(program);
    free(seen.folder);
}

struct ended {
    size_t items[CASES], count;
};

static void note(void *context, size_t item, const struct vl_case_run_report *told)
{
    struct ended *ended = context;
    assert_int_equal(told->end, VL_RUN_NOT_STARTED);
    assert_true(ended->count < CASES);
    ended->items[ended->count++] = item;
}

/* One after the other, in this folder: a program that cannot even start. */
static void run_in_vain(struct ended *ended, const char *folder,
                        const struct vl_case_run_item *items, size_t count)
{
    char *program = script("#!/bin/sh\nexit 1\n");
    const struct vl_case_run run = {.sandbox = &sandbox,
                                    .program = program,
                                    .folder = folder,
                                    .sources = scratch,
                                    .ranks = 1,
                                    .seconds = PATIENCE,
                                    .report = note,
                                    .context = ended};
    assert_int_equal(vl_case_run(&run, items, count, NULL), VL_OK);
    free(program);
}

static void a_rehearsal_that_does_not_finish_ends_its_case(void **unused)
{
    (void)unused;
    static const struct vl_case_run_item items[] = {
        {.number = 0, .function = "one", .rehearsal = true},
        {.number = 0, .function = "one"},
        {.number = 1, .function = "one"},
        {.number = 2, .function = "two", .rehearsal = true},
        {.number = 2, .function = "two"}};
    char *folder;
    assert_int_equal(vl_scratch_folder(&folder, scratch, "rehearsals"), VL_OK);
    assert_int_equal(vl_rank_folders_make(folder, 1), VL_OK);
    struct ended ended = {0};
    run_in_vain(&ended, folder, items, sizeof items / sizeof *items);
    assert_int_equal(ended.count, CASES);
    assert_int_equal(ended.items[0], 0);
    assert_int_equal(ended.items[1], 2);
    assert_int_equal(ended.items[2], 3);
    free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_case_is_finished_before_its_inputs_are_made),
        cmocka_unit_test(a_rehearsal_that_does_not_finish_ends_its_case),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
