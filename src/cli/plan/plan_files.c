#include "cli/plan/plan_files.h"

#include "base/place.h"
#include "base/text.h"
#include "cli/shared/say.h"
#include "grade/catalogue/lab.h"
#include "plan/blueprint_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENDING ".json"

/* Two kinds of files. */
struct kind {
    const char *folder;  /* in the folder of the one lab that has it */
    const char *missing; /* N_(): nothing has that name */
};

static const struct kind models = {
    "models",
    N_("There is no model `%1$s`: choose one of %2$s, or name a file like those in `%3$s`.")};
static const struct kind machines = {
    "machines",
    N_("There is no machine `%1$s`: choose one of %2$s, or name a file like those in `%3$s`.")};

/* ---- finding it ---- */

static char *folder_of(const struct kind *kind)
{
    char below[128], *folder = NULL;
    for (size_t i = 0; i < vl_lab_count && (folder == NULL || access(folder, F_OK) != 0); i++) {
        free(folder);
        snprintf(below, sizeof below, "%s/%s", vl_labs[i]->folder, kind->folder);
        folder = vl_place_path("labs", below);
        if (folder == NULL)
            return NULL;
    }
    return folder;
}

static int is_ours(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name), ending = strlen(ENDING);
    return entry->d_name[0] != '.' && length > ending &&
           strcmp(entry->d_name + length - ending, ENDING) == 0;
}

/* "`dsv3`, `k2`, `small`". */
static char *names_in(const char *folder)
{
    char *names = NULL;
    size_t bytes;
    struct dirent **entries;
    int count = scandir(folder, &entries, is_ours, alphasort);
    FILE *stream = open_memstream(&names, &bytes);
    for (int i = 0; i < count; i++) {
        size_t length = strlen(entries[i]->d_name) - strlen(ENDING);
        if (stream != NULL)
            fprintf(stream, "%s`%.*s`", i > 0 ? ", " : "", (int)length, entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return stream != NULL && fclose(stream) == 0 ? names : NULL;
}

/* A name of the course's wins over a file of that name. */
static enum vl_exit find(char **path, const struct kind *kind, const char *word)
{
    enum vl_exit result = VL_EXIT_OK;
    char *folder = folder_of(kind), *names = NULL;
    *path = NULL;
    if (folder == NULL || asprintf(path, "%s/%s" ENDING, folder, word) < 0) {
        free(folder);
        return vl_say_status(VL_ENOMEM);
    }
    if (strchr(word, '/') != NULL || access(*path, R_OK) != 0) {
        free(*path);
        *path = strdup(word);
        if (strchr(word, '/') == NULL && access(word, F_OK) != 0) {
            names = names_in(folder);
            result =
                vl_say(VL_EXIT_USAGE, _(kind->missing), word, names != NULL ? names : "", folder);
        }
    }
    free(names);
    free(folder);
    return result != VL_EXIT_OK || *path != NULL ? result : vl_say_status(VL_ENOMEM);
}

/* ---- what is wrong with it ---- */

static enum vl_exit refuse(enum vl_status status, const struct vl_blueprint_fault *fault,
                           const char *path)
{
    if (status == VL_EIO)
        return vl_say(VL_EXIT_USAGE, _("`%1$s` cannot be read: %2$s."), path, strerror(errno));
    if (status != VL_EFORMAT)
        return vl_say_status(status);
    if (fault->where[0] != '\0')
        return vl_say(
            VL_EXIT_USAGE,
            _("`%1$s`: `%2$s` is missing, unknown, or not a possible figure. Each figure is a "
              "number and its source: [61, \"where this is from\"]. The names are those of "
              "`include/vialata/blueprint.h`."),
            path, fault->where);
    if (fault->twice)
        return vl_say(
            VL_EXIT_USAGE,
            _("`%1$s`: line %2$d has a name that its part has already: each name may appear there "
              "only once."),
            path, fault->line);
    if (fault->line > 0)
        return vl_say(VL_EXIT_USAGE,
                      _("`%1$s` is not JSON: line %2$d cannot be read. There may be a comma "
                        "missing there, or one too many."),
                      path, fault->line);
    return vl_say(VL_EXIT_USAGE,
                  _("`%s` is not a regular file of at most 1 MiB: give a text file in JSON."),
                  path);
}

/* ---- reading it ---- */

enum vl_exit vl_plan_read_model(struct vl_setting *setting, json_t **file, const char *word)
{
    struct vl_blueprint_fault fault;
    char *path;
    enum vl_exit result = find(&path, &models, word);
    if (result == VL_EXIT_OK) {
        enum vl_status status =
            vl_model_file_read(&setting->model, &setting->recipe, file, &fault, path);
        result = status == VL_OK ? VL_EXIT_OK : refuse(status, &fault, path);
    }
    free(path);
    return result;
}

enum vl_exit vl_plan_read_machine(struct vl_setting *setting, json_t **file, const char *word)
{
    struct vl_blueprint_fault fault;
    char *path;
    enum vl_exit result = find(&path, &machines, word);
    if (result == VL_EXIT_OK) {
        enum vl_status status = vl_cluster_file_read(&setting->cluster, file, &fault, path);
        result = status == VL_OK ? VL_EXIT_OK : refuse(status, &fault, path);
    }
    free(path);
    return result;
}

char *vl_plan_published_path(void)
{
    static const struct kind published = {"published.json", NULL};
    return folder_of(&published);
}
