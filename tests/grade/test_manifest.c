#include "base/path.h"
#include "grade/build/manifest.h"
#include "sandbox/scratch/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const struct vl_lab *lab;
static char *folder;

static void put(const char *name, const char *text)
{
    char *path = vl_path_join(folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    free(path);
}

static int make_folder(void **state)
{
    (void)state;
    lab = vl_labs[0];
    return vl_scratch_create(&folder) == VL_OK ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    vl_scratch_remove(folder);
    free(folder);
    return 0;
}

/* `printf x | sha256sum`, and `sha256sum FILE zz.h | sha256sum`, say the same. */
static void a_hash_is_that_of_sha256sum(void **state)
{
    struct vl_manifest manifest, again;
    char lines[300];
    (void)state;
    put(lab->files[0], "x");
    put("zz.h", "");
    assert_int_equal(vl_manifest_read(&manifest, lab, folder), VL_OK);
    assert_int_equal(manifest.count, 2);
    assert_string_equal(manifest.files[0].name, lab->files[0]);
    assert_string_equal(manifest.files[0].hash,
                        "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881");
    assert_string_equal(manifest.files[1].hash,
                        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    snprintf(lines, sizeof lines, "%s  %s\n%s  zz.h\n", manifest.files[0].hash, lab->files[0],
             manifest.files[1].hash);
    put("lines.h", lines);
    struct vl_manifest one = {0};
    assert_int_equal(vl_manifest_add(&one, folder, "lines.h"), VL_OK);
    assert_string_equal(one.files[0].hash, manifest.hash);
    vl_manifest_free(&one);
    assert_int_equal(vl_manifest_read(&again, lab, folder), VL_OK);
    assert_string_not_equal(again.hash, manifest.hash); /* a file more */
    vl_manifest_free(&again);
    vl_manifest_free(&manifest);
}

/* Nor what is no file of the lab. */
static void links_and_large_files_are_not_taken(void **state)
{
    struct vl_manifest manifest;
    (void)state;
    char *link = vl_path_join(folder, lab->files[0]), *large = vl_path_join(folder, lab->files[1]);
    put("notes.txt", "x");
    put("own.c", "x");
    assert_int_equal(symlink("own.c", link), 0);
    put(lab->files[1], "x");
    assert_int_equal(truncate(large, 2 << 20), 0);
    assert_int_equal(vl_manifest_read(&manifest, lab, folder), VL_OK);
    assert_int_equal(manifest.count, 0);
    assert_string_equal(manifest.hash, "");
    vl_manifest_free(&manifest);
    free(link);
    free(large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_hash_is_that_of_sha256sum, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(links_and_large_files_are_not_taken, make_folder,
                                        remove_folder)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
