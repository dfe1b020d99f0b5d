#include "cli/class/slurm/slurm_script.h"

#include "base/file.h"
#include "base/path.h"
#include "report/verdict/replay.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENDING ".status"

/* On another machine this program has no /proc/self of ours. */
static const char *program_of(const char *word, char path[PATH_MAX])
{
    ssize_t n = strcmp(word, "/proc/self/exe") == 0 ? readlink(word, path, PATH_MAX - 1) : -1;
    if (n < 0)
        return word;
    path[n] = '\0';
    return path;
}

static enum vl_status put_command(FILE *stream, const struct vl_workers *workers, size_t i)
{
    struct vl_words words = {0};
    char *output = NULL, path[PATH_MAX];
    enum vl_status status = workers->begin(workers->context, i, &words, &output);
    if (status == VL_OK && words.failed)
        status = VL_ENOMEM;
    for (size_t k = 0; status == VL_OK && k < words.count; k++) {
        vl_shell_word_put(stream, k == 0 ? program_of(words.list[k], path) : words.list[k]);
        fputc(' ', stream);
    }
    if (status == VL_OK) {
        fputs("> ", stream);
        vl_shell_word_put(stream, output);
        fputs(" 2>&1 < /dev/null ;;\n", stream);
    }
    vl_words_free(&words);
    free(output);
    return status;
}

static enum vl_status put_head(FILE *stream, const char *folder, size_t first)
{
    char *here = vl_path_absolute(".");
    if (here == NULL)
        return VL_ENOMEM;
    fputs("#!/bin/sh\n# Written by `vialata batch`: each task of the array grades once.\ncd ",
          stream);
    vl_shell_word_put(stream, here);
    fputs(" || exit\nfolder=", stream);
    vl_shell_word_put(stream, folder);
    fprintf(stream,
            "\nstatus=$folder/$((SLURM_ARRAY_TASK_ID + %zu))" ENDING "\n"
            "# It is there if the node died just after the grading had ended.\n"
            "[ ! -e \"$status\" ] || exit 0\n"
            "case $SLURM_ARRAY_TASK_ID in\n",
            first);
    free(here);
    return VL_OK;
}

enum vl_status vl_slurm_script_write(const char *path, const char *folder,
                                     const struct vl_workers *workers, size_t first, size_t count)
{
    struct vl_file_new file;
    enum vl_status status = vl_file_begin(&file, path);
    if (status != VL_OK)
        return status;
    status = put_head(file.stream, folder, first);
    for (size_t i = 0; status == VL_OK && i < count; i++) {
        fprintf(file.stream, "%zu) ", i);
        status = put_command(file.stream, workers, first + i);
    }
    if (status == VL_OK)
        fputs("esac\necho $? > \"$status.new\" && mv \"$status.new\" \"$status\"\n", file.stream);
    return vl_file_end(&file, status);
}

bool vl_slurm_status_read(size_t *i, int *exit_status, const char *folder, const char *name)
{
    char *text = NULL, *end;
    size_t n;
    unsigned long long number = strtoull(name, &end, 10);
    if (end == name || strcmp(end, ENDING) != 0)
        return false;
    char *path = vl_path_join(folder, name);
    bool is_there = path != NULL && vl_file_read(&text, &n, path, 64) == VL_OK;
    free(path);
    if (!is_there)
        return false;
    *i = (size_t)number;
    *exit_status = (int)strtol(text, NULL, 10);
    free(text);
    return true;
}
