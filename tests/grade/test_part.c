/*
 * Each rank of a case gets its own part of the inputs: what it must get from another rank is not in
 * its file. For all cases of all labs.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/part.h"
#include "grade/job/rank_inputs.h"
#include "ranks/rank_folders.h"
#include "sandbox/scratch/scratch.h"

#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* Under the sanitizer all cases take minutes: there, one in so many. */
#ifdef __SANITIZE_ADDRESS__
#define EACH 4
#else
#define EACH 1
#endif

static const struct vl_origin origin = {.seed = 20260101};
#define MOST 8 /* ranks */

/* What several ranks have at the same place, and why. Single numbers, sizes and switches, need no
 * reason. The names are patterns of fnmatch. */
static const struct {
    const char *slug, *array, *why;
} explained[] = {
    {"collectives", "counts", "the sender and the receiver know how much they exchange"},
    {"data_parallel", "units", "the layout is the same on every rank"},
    {"data_parallel", "weights", "replicas begin alike"},
    {"data_parallel", "m", "replicas begin alike"},
    {"data_parallel", "v", "replicas begin alike"},
    {"zero", "units", "the layout is the same on every rank"},
    {"zero", "tensors", "the layout is the same on every rank"},
    {"zero", "weights", "whole on every rank below stage 3"},
    {"zero", "gradients", "left over, and whole, at stage 1"},
    {"tensor_parallel", "tokens", "a tensor group works on the same tokens"},
    {"tensor_parallel", "targets", "a tensor group works on the same tokens"},
    {"tensor_parallel", "*norm.weight", "gains are whole on every rank"},
    {"pipeline_parallel", "begin", "where a stage's actions lie in the table"},
    {"expert_parallel", "bias", "the router is the same on every rank"},
    {"expert_balancing", "w", "the router is the same on every rank"},
};
enum { EXPLAINED = sizeof explained / sizeof *explained };
static bool met[EXPLAINED];

/* Element i of an array is in a rank's part of it. */
static bool is_given(const struct vl_tensor_entry *all, const struct vl_tensor_entry *part,
                     size_t i)
{
    size_t bytes = vl_dtype_bytes(all->dtype);
    const char *is = (const char *)part->data + i * bytes,
               *was = (const char *)all->data + i * bytes;
    bool given = memcmp(is, was, bytes) == 0;
    if (!given && !vl_bag_is_poison(part, i))
        fail_msg("%s[%zu] is neither what it was nor poison", all->name, i);
    return given;
}

static bool is_explained(const char *slug, const char *array)
{
    for (size_t i = 0; i < EXPLAINED; i++)
        if (strcmp(explained[i].slug, slug) == 0 && fnmatch(explained[i].array, array, 0) == 0)
            return met[i] = true;
    return false;
}

/* An element that several ranks have needs a reason. */
static void check_array(const char *slug, const struct vl_case *c,
                        const struct vl_tensor_entry *all, struct vl_bag *const own[MOST])
{
    const struct vl_tensor_entry *parts[MOST];
    int most = 0;
    for (int rank = 0; rank < c->ranks; rank++)
        parts[rank] = vl_bag_find(own[rank], all->name);
    for (size_t i = 0; i < all->count; i++) {
        int holders = 0;
        for (int rank = 0; rank < c->ranks; rank++)
            holders += is_given(all, parts[rank], i);
        most = holders > most ? holders : most;
    }
    if (all->count > 1 && most > 1 && !is_explained(slug, all->name))
        fail_msg("%s: %d ranks have the same elements of %s", c->id, most, all->name);
}

static void check_case(const char *slug, const struct vl_case *c)
{
    struct vl_bag *inputs = vl_case_inputs(c, &origin), *own[MOST];
    assert_non_null(inputs);
    for (int rank = 0; rank < c->ranks; rank++)
        assert_non_null(own[rank] = vl_part_of(c, inputs, rank));
    for (size_t i = 0; i < vl_bag_count(inputs); i++)
        check_array(slug, c, vl_bag_entry(inputs, i), own);
    for (int rank = 0; rank < c->ranks; rank++)
        vl_bag_free(own[rank]);
    vl_bag_free(inputs);
}

static void what_several_ranks_have_is_explained(void **state)
{
    (void)state;
    for (size_t l = 0; l < vl_lab_count; l++) {
        const struct vl_lab_cases *all = vl_lab_cases(vl_labs[l]);
        for (size_t i = 0; i < all->case_count; i++)
            if (all->cases[i].ranks > 1 && i % EACH == 0)
                check_case(vl_labs[l]->slug, &all->cases[i]);
    }
}

static void no_reason_is_left_over(void **state)
{
    (void)state;
    for (size_t i = 0; i < EXPLAINED; i++)
        if (!met[i])
            fail_msg("%s, %s: %s", explained[i].slug, explained[i].array, explained[i].why);
}

static const struct vl_case *case_named(const char *lab, const char *id)
{
    const struct vl_lab_cases *all = vl_lab_cases(vl_lab_find(lab));
    for (size_t i = 0; i < all->case_count; i++)
        if (strcmp(all->cases[i].id, id) == 0)
            return &all->cases[i];
    fail_msg("no case %s", id);
    return NULL;
}

/* The only row of "sent" that this rank of the job has. */
static size_t row_of(const struct vl_case *c, int world_rank)
{
    struct vl_bag *inputs = vl_case_inputs(c, &origin), *own = vl_part_of(c, inputs, world_rank);
    const struct vl_tensor_entry *all = vl_bag_find(inputs, "sent");
    const struct vl_tensor_entry *part = vl_bag_find(own, "sent");
    size_t row = (size_t)c->ranks, rows = 0;
    for (size_t i = 0; i < all->shape[0]; i++)
        if (is_given(all, part, i * all->shape[1])) {
            row = i;
            rows++;
        }
    assert_int_equal(rows, 1);
    vl_bag_free(inputs);
    vl_bag_free(own);
    return row;
}

/* The rank of the case decides, which is not that of the job where the ranks are reversed. */
static void a_rank_gets_its_row(void **state)
{
    (void)state;
    assert_int_equal(row_of(case_named("02", "exchange.p2_kib"), 0), 0);
    assert_int_equal(row_of(case_named("02", "exchange.p2_kib"), 1), 1);
    assert_int_equal(row_of(case_named("02", "exchange.p4_pairs"), 0), 3);
    assert_int_equal(row_of(case_named("02", "exchange.p4_pairs"), 2), 1);
}

/* ---- files ---- */

static char *folder;

static int make_folder(void **state)
{
    (void)state;
    return vl_scratch_create(&folder) != VL_OK;
}

static int remove_folder(void **state)
{
    (void)state;
    vl_scratch_remove(folder);
    free(folder);
    return 0;
}

static const char *file_of(int rank)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/in7.%d.st", folder, rank);
    return path;
}

static void write_files(const struct vl_case *c, const struct vl_bag *inputs)
{
    assert_int_equal(vl_rank_folders_make(folder, c->ranks), VL_OK);
    assert_int_equal(vl_rank_inputs_write(folder, 7, c, inputs), VL_OK);
}

static struct vl_bag *read_file(int rank)
{
    struct vl_bag *bag = NULL;
    assert_int_equal(vl_bag_read(&bag, file_of(rank)), VL_OK);
    return bag;
}

static void a_file_has_what_its_rank_has(void **state)
{
    (void)state;
    const struct vl_case *c = case_named("02", "exchange.p4_pairs");
    struct vl_bag *inputs = vl_case_inputs(c, &origin);
    write_files(c, inputs);
    for (int rank = 0; rank < c->ranks; rank++) {
        struct vl_bag *own = vl_part_of(c, inputs, rank), *read = read_file(rank);
        assert_null(vl_bag_difference(own, read));
        assert_non_null(vl_bag_difference(inputs, read));
        vl_bag_free(own);
        vl_bag_free(read);
    }
    vl_bag_free(inputs);
}

static void a_rank_sees_its_file_only_when_it_is_shown(void **state)
{
    (void)state;
    const struct vl_case *c = case_named("02", "exchange.p4_pairs");
    struct vl_bag *inputs = vl_case_inputs(c, &origin);
    write_files(c, inputs);
    for (int shown = 0; shown <= 1; shown++) {
        for (int rank = 0; rank < c->ranks; rank++) {
            char path[4200];
            snprintf(path, sizeof path, "%s/%d/in7.st", folder, rank);
            assert_int_equal(access(path, F_OK), shown ? 0 : -1);
        }
        if (!shown)
            assert_int_equal(vl_rank_folders_show(folder, c->ranks, 7), VL_OK);
    }
    assert_int_equal(vl_rank_folders_show(folder, c->ranks, 7),
                     VL_EIO); /* they are shown already */
    vl_bag_free(inputs);
}

static void what_all_ranks_have_is_written_once(void **state)
{
    (void)state;
    const struct vl_case *c = case_named("02", "levels_create.p4_pairs");
    struct vl_bag *inputs = vl_case_inputs(c, &origin);
    struct stat info;
    write_files(c, inputs);
    assert_int_equal(stat(file_of(3), &info), 0);
    assert_int_equal(info.st_nlink, c->ranks);
    vl_bag_free(inputs);
}

/* A name that exists already cannot be linked, just as on a file system without links. */
static void a_file_that_cannot_be_linked_is_written(void **state)
{
    (void)state;
    const struct vl_case *c = case_named("02", "levels_create.p4_pairs");
    struct vl_bag *inputs = vl_case_inputs(c, &origin);
    assert_int_equal(vl_rank_folders_make(folder, c->ranks), VL_OK);
    fclose(fopen(file_of(3), "w"));
    assert_int_equal(vl_rank_inputs_write(folder, 7, c, inputs), VL_OK);
    struct vl_bag *read = read_file(3);
    assert_null(vl_bag_difference(inputs, read));
    vl_bag_free(read);
    vl_bag_free(inputs);
}

/* The first rank has less than the others. */
static VL_PART(all_but_the_first)
{
    if (p->rank == 0)
        vl_part_withhold(p, "x");
}

static void the_file_of_the_first_rank_is_not_that_of_others(void **state)
{
    (void)state;
    const struct vl_case c = {.ranks = 3, .part = vl_part_all_but_the_first};
    struct vl_bag *inputs = vl_bag_create(), *read;
    vl_bag_add_f32(inputs, "x", 1, 2);
    write_files(&c, inputs);
    for (int rank = 0; rank < 3; rank++) {
        read = read_file(rank);
        assert_int_equal(vl_bag_is_poison(vl_bag_find(read, "x"), 1), rank == 0);
        vl_bag_free(read);
    }
    vl_bag_free(inputs);
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_several_ranks_have_is_explained),
        cmocka_unit_test(no_reason_is_left_over),
        cmocka_unit_test(a_rank_gets_its_row),
        WITH_FOLDER(a_file_has_what_its_rank_has),
        WITH_FOLDER(a_rank_sees_its_file_only_when_it_is_shown),
        WITH_FOLDER(what_all_ranks_have_is_written_once),
        WITH_FOLDER(a_file_that_cannot_be_linked_is_written),
        WITH_FOLDER(the_file_of_the_first_rank_is_not_that_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
