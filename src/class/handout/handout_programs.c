#include "base/file.h"
#include "base/path.h"
#include "base/place.h"
#include "class/handout/handout_parts.h"
#include "class/handout/tree.h"
#include "grade/build/lab_files.h"
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARCHIVES "lib/vialata"

/* ---- stripping ---- */

/* What is left out of an object. Debug information has the paths of whoever built it; local names tell
 * much about a source. Neither is of use to the linker, and lines of a student's own code are told from
 * the student's own objects. */
#define KEEP_ALL   NULL
#define DROP_DEBUG "--strip-debug"
#define DROP_NAMES "--strip-unneeded"

static enum vl_status strip(const char *path, const char *how_much)
{
    const char *const words[] = {"strip", how_much, path, NULL};
    pid_t pid;
    int how;
    fflush(NULL);
    int why = posix_spawnp(&pid, words[0], NULL, NULL, (char *const *)words, environ);
    if (why != 0) {
        errno = why;
        return why == ENOENT ? VL_ELACK : VL_EIO;
    }
    while (waitpid(pid, &how, 0) < 0)
        if (errno != EINTR)
            return VL_EIO;
    errno = EIO;
    return WIFEXITED(how) && WEXITSTATUS(how) == 0 ? VL_OK : VL_EIO;
}

static int is_object(const struct dirent *entry)
{
    return vl_path_ends_in(entry->d_name, ".o");
}

enum vl_status vl_handout_strip_folder(const char *folder)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_object, NULL);
    enum vl_status status = count >= 0 ? VL_OK : VL_EIO;
    for (int i = 0; i < count; i++) {
        char *path = vl_path_join(folder, entries[i]->d_name);
        if (status == VL_OK)
            status = path != NULL ? strip(path, DROP_NAMES) : VL_ENOMEM;
        free(path);
        free(entries[i]);
    }
    free(entries);
    return status;
}

/* ---- files ---- */

/* What is not there was not built. */
static enum vl_status copy(const char *folder, const char *to, const char *from, const char *drop)
{
    char *whole = vl_path_join(folder, to);
    enum vl_status status = whole != NULL ? vl_tree_copy_file(whole, from) : VL_ENOMEM;
    if (status == VL_EIO && access(from, F_OK) != 0)
        status = VL_ELACK;
    if (status == VL_OK && drop != KEEP_ALL)
        status = strip(whole, drop);
    free(whole);
    return status;
}

static enum vl_status copy_program(const char *folder, const char *name)
{
    char *from = vl_place_path("bin", name), *to = vl_path_join("bin", name);
    enum vl_status status =
        from != NULL && to != NULL ? copy(folder, to, from, DROP_NAMES) : VL_ENOMEM;
    free(from);
    free(to);
    return status;
}

static bool is_code(const char *path)
{
    return vl_path_ends_in(path, ".o") || vl_path_ends_in(path, ".a") ||
           vl_path_ends_in(path, ".so");
}

/* The files of a list of buildinfo.json; the new list goes into 'info'. */
static enum vl_status copy_list(json_t *info, const char *folder, const char *key, const char *drop)
{
    char **list = vl_place_list(key), *items = NULL;
    size_t bytes;
    FILE *out = open_memstream(&items, &bytes);
    enum vl_status status = list != NULL && out != NULL ? VL_OK : VL_ENOMEM;
    for (char **item = list; status == VL_OK && *item != NULL; item++) {
        const char *slash = strrchr(*item, '/');
        char *to = vl_path_join(ARCHIVES, slash != NULL ? slash + 1 : *item);
        char *there = to != NULL ? vl_path_join(folder, to) : NULL;
        status = there != NULL ? VL_OK : VL_ENOMEM;
        if (status == VL_OK && access(there, F_OK) != 0) /* two lists may share a file */
            status = copy(folder, to, *item, is_code(*item) ? drop : KEEP_ALL);
        fprintf(out, "%s%s", item != list ? "\n" : "", to != NULL ? to : "");
        free(there);
        free(to);
    }
    if (out != NULL && fclose(out) != 0)
        status = VL_ENOMEM;
    if (status == VL_OK && json_object_set_new(info, key, json_string(items)) != 0)
        status = VL_ENOMEM;
    free(items);
    vl_place_list_free(list);
    return status;
}

/* ---- buildinfo.json ---- */

/* The given files of the labs that are handed out: without solutions/ nothing else tells which. */
static char *given_files(const struct vl_handout *handout)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    for (size_t i = 0; i < handout->lab_count && out != NULL; i++)
        for (const char *const *file = handout->labs[i]->files; *file != NULL; file++) {
            int given = 0;
            free(vl_reference_path(handout->labs[i], *file, &given));
            if (given)
                fprintf(out, VL_HANDOUT_SHARE "/labs/%s/%s\n", handout->labs[i]->folder, *file);
        }
    if (out == NULL || fclose(out) != 0) {
        free(text);
        text = NULL;
    }
    return text;
}

static char *lab_numbers(const struct vl_handout *handout)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    for (size_t i = 0; i < handout->lab_count && out != NULL; i++)
        fprintf(out, "%02d\n", handout->labs[i]->number);
    if (out == NULL || fclose(out) != 0) {
        free(text);
        text = NULL;
    }
    return text;
}

/* How labs are compiled and linked is the same there as here. */
static json_t *start_info(const struct vl_handout *handout)
{
    static const char *const same[] = {
        "compiler",         "lab_flags",         "processor",
        "sanitize_flags",   "mpi_includes",      "mpi_libraries",
        "blas_includes",    "blas_libraries",    "mpiexec",
        "runner_libraries", "wrap_flags",        "trainer_wrap_flags",
        "counted_flags",    "smpimain",          "simgrid_includes",
        "simgrid_flags",    "simgrid_libraries", "simulator_wrap_flags",
        "phantoms"};
    char *given = given_files(handout), *numbers = lab_numbers(handout);
    json_t *info = json_pack("{ss ss ss ss ss ss ss ss}", "bin", "bin", "share", VL_HANDOUT_SHARE,
                             "include", "include", "labs", VL_HANDOUT_SHARE "/labs", "precompiled",
                             VL_HANDOUT_SHARE "/precompiled", "given", given != NULL ? given : "",
                             "handed_out", numbers != NULL ? numbers : "", "named",
                             handout->named ? "yes" : "");
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        json_object_set_new(info, same[i], json_string(vl_place_text(same[i])));
    if (given == NULL || numbers == NULL) {
        json_decref(info);
        info = NULL;
    }
    free(given);
    free(numbers);
    return info;
}

static enum vl_status write_info(const json_t *info, const char *folder)
{
    char *path = vl_path_join(folder, "libexec/vialata/buildinfo.json");
    char *above = vl_path_join(folder, "libexec/vialata");
    char *text = json_dumps(info, JSON_INDENT(1));
    enum vl_status status = VL_ENOMEM;
    if (path != NULL && above != NULL && text != NULL)
        status = vl_path_make_folders(above) ? vl_file_write(path, text, strlen(text)) : VL_EIO;
    free(text);
    free(above);
    free(path);
    return status;
}

/* ---- the whole ---- */

static enum vl_status copy_lists(json_t *info, const char *folder)
{
    static const struct {
        const char *key, *drop;
    } lists[] = {{"runner_names", KEEP_ALL},
                 {"runner_objects", DROP_DEBUG},
                 {"counted_objects", DROP_DEBUG},
                 {"runner_archives", DROP_DEBUG},
                 {"trainer_objects", DROP_DEBUG},
                 {"trainer_archives", DROP_DEBUG},
                 {"simulator_objects", DROP_DEBUG},
                 {"simulator_archives", DROP_DEBUG},
                 {"solution_archives", DROP_NAMES},
                 {"simulator_solutions", DROP_NAMES},
                 {"preload", DROP_DEBUG}};
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < sizeof lists / sizeof *lists && status == VL_OK; i++)
        status = copy_list(info, folder, lists[i].key, lists[i].drop);
    return status;
}

static enum vl_status copy_contracts(const char *folder)
{
    char *from = vl_place_path("include", "vialata"), *to = vl_path_join(folder, "include/vialata");
    enum vl_status status =
        from != NULL && to != NULL ? vl_tree_copy(to, from, NULL, NULL) : VL_ENOMEM;
    free(from);
    free(to);
    return status;
}

enum vl_status vl_handout_programs(const struct vl_handout *handout, const char *folder)
{
    json_t *info = start_info(handout);
    static const char *const programs[] = {"vialata",           "vialata-trainer",
                                           "vialata-cable",     "vialata-latency",
                                           "vialata-simulator", "vialata-simulator-real"};
    size_t count = sizeof programs / sizeof *programs;
    if (vl_place_text("smpimain")[0] == '\0') /* built where there was no SimGrid */
        count -= 2;
    enum vl_status status = info != NULL ? VL_OK : VL_ENOMEM;
    for (size_t i = 0; i < count && status == VL_OK; i++)
        status = copy_program(folder, programs[i]);
    if (status == VL_OK)
        status = copy_contracts(folder);
    if (status == VL_OK)
        status = copy_lists(info, folder);
    if (status == VL_OK)
        status = write_info(info, folder);
    json_decref(info);
    return status;
}
