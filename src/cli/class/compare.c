/* vialata compare: what differs between two gradings of a class. */
#include "class/book/changes.h"

#include "base/path.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/shared/arguments.h"
#include "cli/shared/say.h"
#include "report/verdict/formats.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_points(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);
    return entry->d_name[0] != '.' && n > 5 && strcmp(entry->d_name + n - 5, ".json") == 0;
}

static enum vl_exit read_file(struct vl_points *points, const char *folder, const char *name)
{
    char *path = vl_path_join(folder, name);
    enum vl_status status = path != NULL ? vl_points_read(points, path) : VL_ENOMEM;
    enum vl_exit result = VL_EXIT_OK;
    if (status == VL_EFORMAT)
        result = vl_say(VL_EXIT_USAGE,
                        _("%s was not written by `vialata batch`: remove it, and run `vialata "
                          "batch` again."),
                        path);
    else if (status == VL_EIO)
        result = vl_say(VL_EXIT_USAGE, _("%s cannot be read (%m)."), path);
    else
        result = vl_say_status(status);
    free(path);
    return result;
}

/* The points of all labs in a folder of results. */
static enum vl_exit read_results(struct vl_points *points, const char *results)
{
    struct dirent **entries;
    char *folder = vl_path_join(results, "points");
    if (folder == NULL)
        return vl_say_status(VL_ENOMEM);
    int n = scandir(folder, &entries, is_points, alphasort);
    enum vl_exit result = VL_EXIT_OK;
    if (n <= 0)
        result = vl_say(VL_EXIT_USAGE,
                        _("%s holds no points of a class: name the folder that `vialata batch` got "
                          "after `--out`."),
                        results);
    for (int i = 0; i < n; i++) {
        if (result == VL_EXIT_OK)
            result = read_file(points, folder, entries[i]->d_name);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    free(folder);
    return result;
}

static enum vl_exit tell(const struct vl_changes *changes, bool json)
{
    struct vl_terminal terminal;
    enum vl_status status = VL_OK;
    vl_terminal_open(&terminal, stdout);
    if (json)
        status = vl_json_write(stdout, vl_changes_json(changes));
    else
        vl_changes_put(changes, &terminal);
    if (status != VL_OK)
        return vl_say_status(status);
    return changes->count > 0 ? VL_EXIT_BELOW : VL_EXIT_OK;
}

static int run(const struct vl_arguments *arguments)
{
    struct vl_points before = {0}, after = {0};
    struct vl_changes changes = {0};
    enum vl_exit result = read_results(&before, arguments->words[0]);
    if (result == VL_EXIT_OK)
        result = read_results(&after, arguments->words[1]);
    if (result == VL_EXIT_OK)
        result = vl_say_status(vl_changes_find(&changes, &before, &after));
    if (result == VL_EXIT_OK)
        result = tell(&changes, vl_argument(arguments, "json") != NULL);
    free(changes.list);
    vl_points_free(&before);
    vl_points_free(&after);
    return result;
}

static const struct vl_flag flags[] = {
    {"json", NULL, N_("the same as JSON")},
    {0},
};

const struct vl_command vl_command_compare = {
    .name = "compare",
    .takes = "RESULTS RESULTS",
    .least = 2,
    .most = 2,
    .summary = N_("Say what has changed between two gradings of a class."),
    .flags = flags,
    .run = run,
};
