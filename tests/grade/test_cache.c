/* The cache of compiled mistakes: what is kept can be used again; the least recently used goes
 * first. */
#include "grade/diagnose/cache.h"

#include "base/path.h"
#include "sandbox/scratch/scratch.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char *folder, *from, *to;

static int open_folder(void **unused)
{
    (void)unused;
    if (vl_scratch_create(&folder) != VL_OK)
        return 1;
    from = vl_path_join(folder, "from");
    to = vl_path_join(folder, "to");
    return from == NULL || to == NULL;
}

static int close_folder(void **unused)
{
    (void)unused;
    vl_scratch_remove(folder);
    free(folder);
    free(from);
    free(to);
    return 0;
}

/* A cache with three files of 100 bytes, the first used longest ago. */
static char *filled_cache(void)
{
    char *cache = NULL, name[2] = "a";
    assert_int_equal(vl_scratch_folder(&cache, folder, "cache"), VL_OK);
    for (int i = 0; i < 3; i++, name[0]++) {
        FILE *out = fopen(from, "w");
        assert_non_null(out);
        fprintf(out, "%-100d", i);
        assert_int_equal(fclose(out), 0);
        vl_cache_keep(cache, name, from);
        char *kept = vl_path_join(cache, name);
        const struct timespec times[2] = {{.tv_sec = 1000 + i}, {.tv_sec = 1000 + i}};
        assert_int_equal(utimensat(AT_FDCWD, kept, times, 0), 0);
        free(kept);
    }
    return cache;
}

static void what_is_kept_can_be_taken(void **unused)
{
    (void)unused;
    char *cache = filled_cache(), text[4] = "";
    assert_true(vl_cache_take(to, cache, "b"));
    FILE *in = fopen(to, "r");
    assert_non_null(fgets(text, sizeof text, in));
    assert_string_equal(text, "1  ");
    fclose(in);
    unlink(to);
    assert_false(vl_cache_take(to, cache, "d"));
    assert_int_not_equal(access(to, F_OK), 0);
    assert_false(vl_cache_take(to, NULL, "b"));
    vl_scratch_remove(cache);
    free(cache);
}

static void what_was_used_longest_ago_goes_first(void **unused)
{
    (void)unused;
    char *cache = filled_cache();
    assert_true(vl_cache_take(to, cache, "a")); /* used now */
    unlink(to);
    vl_cache_trim(cache, 200);
    assert_true(vl_cache_take(to, cache, "a"));
    unlink(to);
    assert_false(vl_cache_take(to, cache, "b"));
    assert_true(vl_cache_take(to, cache, "c"));
    unlink(to);
    vl_cache_trim(cache, 0);
    assert_false(vl_cache_take(to, cache, "a"));
    vl_cache_trim(NULL, 0);
    vl_scratch_remove(cache);
    free(cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_kept_can_be_taken, open_folder, close_folder),
        cmocka_unit_test_setup_teardown(what_was_used_longest_ago_goes_first, open_folder,
                                        close_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
