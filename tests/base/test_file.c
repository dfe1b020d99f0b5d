#include "base/file.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/vialata-file-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[192];
    snprintf(command, sizeof command, "chmod -R u+w %s; rm -rf %s", folder, folder);
    return system(command) != 0;
}

static const char *in_folder(const char *name)
{
    static char path[160];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int count_files(void)
{
    int count = 0;
    DIR *listing = opendir(folder);
    for (struct dirent *item; (item = readdir(listing)) != NULL;)
        count += strcmp(item->d_name, ".") != 0 && strcmp(item->d_name, "..") != 0;
    closedir(listing);
    return count;
}

static void assert_holds(const char *path, const char *text)
{
    char *bytes;
    size_t n;
    assert_int_equal(vl_file_read(&bytes, &n, path, 1000), VL_OK);
    assert_int_equal(n, strlen(text));
    assert_string_equal(bytes, text);
    free(bytes);
}

static void what_is_written_is_read_back(void **state)
{
    (void)state;
    const char *path = in_folder("one");
    assert_int_equal(vl_file_write(path, "first", 5), VL_OK);
    assert_holds(path, "first");
    assert_int_equal(vl_file_write(path, "", 0), VL_OK);
    assert_holds(path, "");
    assert_int_equal(count_files(), 1);
}

static void old_content_stays_until_commit_and_after_drop(void **state)
{
    (void)state;
    const char *path = in_folder("kept");
    struct vl_file_new file;
    assert_int_equal(vl_file_write(path, "old", 3), VL_OK);
    assert_int_equal(vl_file_begin(&file, path), VL_OK);
    fputs("half of the new", file.stream);
    fflush(file.stream);
    assert_holds(path, "old");
    vl_file_drop(&file);
    vl_file_drop(&file);
    assert_holds(path, "old");
    assert_int_equal(count_files(), 1);
}

static void a_file_ends_as_its_writing_did(void **state)
{
    (void)state;
    const char *path = in_folder("ended");
    struct vl_file_new file;
    assert_int_equal(vl_file_write(path, "old", 3), VL_OK);
    for (int good = 0; good <= 1; good++) {
        assert_int_equal(vl_file_begin(&file, path), VL_OK);
        fputs("new", file.stream);
        errno = ERANGE;
        assert_int_equal(vl_file_end(&file, good ? VL_OK : VL_EFORMAT), good ? VL_OK : VL_EFORMAT);
        assert_true(good || errno == ERANGE);
        assert_holds(path, good ? "new" : "old");
        assert_int_equal(count_files(), 1);
    }
}

static void old_file_survives_a_full_disk(void **state)
{
    (void)state;
    const char *path = in_folder("full");
    struct vl_file_new file;
    assert_int_equal(vl_file_write(path, "old", 3), VL_OK);
    assert_int_equal(vl_file_begin(&file, path), VL_OK);
    int full = open("/dev/full", O_WRONLY);
    assert_true(full >= 0 && dup2(full, fileno(file.stream)) >= 0);
    close(full);
    fputs("new", file.stream);
    assert_int_equal(vl_file_commit(&file), VL_EIO);
    assert_int_equal(errno, ENOSPC);
    assert_holds(path, "old");
    assert_int_equal(count_files(), 1);
}

static void folder_that_is_not_there_is_an_error_with_errno(void **state)
{
    (void)state;
    assert_int_equal(vl_file_write(in_folder("no/such/file"), "x", 1), VL_EIO);
    assert_int_equal(errno, ENOENT);
}

static void unwritable_folder_and_file_are_refused(void **state)
{
    (void)state;
    const char *path = in_folder("locked");
    assert_int_equal(vl_file_write(path, "old", 3), VL_OK);
    assert_int_equal(chmod(path, 0444), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) { /* root may write anywhere: someone else tries, in a folder not theirs */
        int ready = geteuid() == 0 ? chmod(folder, 0755) == 0 && setuid(65534) == 0
                                   : chmod(folder, 0555) == 0;
        enum vl_status old = vl_file_write(path, "new", 3);
        char fresh[160];
        snprintf(fresh, sizeof fresh, "%s/fresh", folder);
        enum vl_status new = vl_file_write(fresh, "new", 3);
        _exit(ready && old == VL_EIO && new == VL_EIO ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_holds(path, "old");
}

static void folder_or_device_in_the_way_is_refused(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in_folder("folder"), 0755), 0);
    assert_int_equal(vl_file_write(in_folder("folder"), "x", 1), VL_EIO);
    assert_int_equal(errno, EISDIR);
    assert_int_equal(mkfifo(in_folder("fifo"), 0600), 0); /* a device of our own to try it on */
    assert_int_equal(vl_file_write(in_folder("fifo"), "x", 1), VL_EIO);
    struct stat info;
    assert_int_equal(stat(in_folder("fifo"), &info), 0);
    assert_true(S_ISFIFO(info.st_mode));
}

static void link_is_followed_and_mode_kept(void **state)
{
    (void)state;
    char target[160];
    struct stat info;
    snprintf(target, sizeof target, "%s", in_folder("target"));
    assert_int_equal(vl_file_write(target, "old", 3), VL_OK);
    assert_int_equal(chmod(target, 0640), 0);
    assert_int_equal(symlink("target", in_folder("link")), 0);
    assert_int_equal(vl_file_write(in_folder("link"), "new", 3), VL_OK);
    assert_holds(target, "new");
    assert_int_equal(lstat(in_folder("link"), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(stat(target, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
}

static void scratch_of_a_dead_writer_goes_and_of_a_living_one_stays(void **state)
{
    (void)state;
    char path[160];
    struct vl_file_new living, late;
    snprintf(path, sizeof path, "%s", in_folder("shared"));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct vl_file_new dying;
        _exit(vl_file_begin(&dying, path) == VL_OK ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(count_files(), 1);
    assert_int_equal(vl_file_begin(&living, path), VL_OK);
    assert_int_equal(count_files(), 1);
    assert_int_equal(vl_file_begin(&late, path), VL_OK);
    assert_int_equal(count_files(), 2);
    fputs("late", late.stream);
    fputs("living", living.stream);
    assert_int_equal(vl_file_commit(&late), VL_OK);
    assert_holds(path, "late");
    assert_int_equal(vl_file_commit(&living), VL_OK);
    assert_holds(path, "living");
    assert_int_equal(count_files(), 1);
}

static void reader_takes_regular_files_up_to_the_limit_only(void **state)
{
    (void)state;
    char *bytes;
    size_t n;
    assert_int_equal(vl_file_write(in_folder("ten"), "0123456789", 10), VL_OK);
    assert_int_equal(vl_file_read(&bytes, &n, in_folder("ten"), 9), VL_EFORMAT);
    assert_null(bytes);
    assert_int_equal(vl_file_read(&bytes, &n, in_folder("ten"), 10), VL_OK);
    assert_int_equal(bytes[10], '\0');
    free(bytes);
    assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
    assert_int_equal(vl_file_read(&bytes, &n, in_folder("pipe"), 10), VL_EFORMAT);
    assert_int_equal(vl_file_read(&bytes, &n, folder, 10), VL_EFORMAT);
    assert_int_equal(vl_file_read(&bytes, &n, "/dev/zero", 10), VL_EFORMAT);
    assert_int_equal(vl_file_read(&bytes, &n, in_folder("nothing"), 10), VL_EIO);
    assert_int_equal(errno, ENOENT);
}

static void reader_finds_the_end_where_size_says_zero(void **state)
{
    (void)state;
    char *bytes;
    size_t n;
    assert_int_equal(vl_file_read(&bytes, &n, "/proc/self/stat", 1 << 20), VL_OK);
    assert_true(n > 20);
    free(bytes);
    assert_int_equal(vl_file_read(&bytes, &n, "/proc/self/stat", 5), VL_EFORMAT);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(what_is_written_is_read_back),
        IN_FOLDER(old_content_stays_until_commit_and_after_drop),
        IN_FOLDER(a_file_ends_as_its_writing_did),
        IN_FOLDER(old_file_survives_a_full_disk),
        IN_FOLDER(folder_that_is_not_there_is_an_error_with_errno),
        IN_FOLDER(unwritable_folder_and_file_are_refused),
        IN_FOLDER(folder_or_device_in_the_way_is_refused),
        IN_FOLDER(link_is_followed_and_mode_kept),
        IN_FOLDER(scratch_of_a_dead_writer_goes_and_of_a_living_one_stays),
        IN_FOLDER(reader_takes_regular_files_up_to_the_limit_only),
        cmocka_unit_test(reader_finds_the_end_where_size_says_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
