#include "cli/plan_files.h"

#include "base/place.h"
#include "base/text.h"
#include "cli/say.h"
#include "grade/blueprint_file.h"
#include "grade/lab.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LAB             "bandwidth" /* whose folder has the course's files */
#define ENDING          ".json"
#define MOST_COUNTED    4096 /* layers, heads, experts: all their divisors are tried */
#define LEAST_AMOUNT    1e-12
#define MOST_AMOUNT     1e24
#define MOST_PARAMETERS 1e18

/* Two kinds of files. */
struct kind {
    const char *folder;  /* below the lab's */
    const char *missing; /* N_(): there is none of that name */
    const char *parts[4];
};

static const struct kind models = {
    "models",
    N_("There is no model `%1$s`: choose one of %2$s, or name a file like those in `%3$s`."),
    {"model", "recipe", NULL}};
static const struct kind machines = {
    "machines",
    N_("There is no machine `%1$s`: choose one of %2$s, or name a file like those in `%3$s`."),
    {"cluster", "inner", "outer", NULL}};

/* ---- finding it ---- */

static char *folder_of(const struct kind *kind)
{
    char below[128];
    const struct vl_lab *lab = vl_lab_find(LAB);
    snprintf(below, sizeof below, "%s/%s", lab != NULL ? lab->folder : LAB, kind->folder);
    return vl_place_path("labs", below);
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

static enum vl_exit lack_memory(void)
{
    return vl_say(VL_EXIT_LACK, "%s", vl_status_text(VL_ENOMEM));
}

/* A name of ours is meant before a file. */
static enum vl_exit find(char **path, const struct kind *kind, const char *word)
{
    enum vl_exit result = VL_EXIT_OK;
    char *folder = folder_of(kind), *names = NULL;
    *path = NULL;
    if (folder == NULL || asprintf(path, "%s/%s" ENDING, folder, word) < 0) {
        free(folder);
        return lack_memory();
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
    return result != VL_EXIT_OK || *path != NULL ? result : lack_memory();
}

/* ---- what is wrong with it ---- */

static enum vl_exit refuse_figure(const char *path, const char *where)
{
    return vl_say(
        VL_EXIT_USAGE,
        _("`%1$s`: `%2$s` is missing, unknown, or no figure that can be. Each figure is a "
          "number and its source: [61, \"where this is from\"]. The names are those of "
          "`include/vialata/blueprint.h`."),
        path, where);
}

static enum vl_exit refuse(enum vl_status status, const struct vl_blueprint_fault *fault,
                           const char *path)
{
    if (status == VL_EIO)
        return vl_say(VL_EXIT_USAGE, _("`%1$s` cannot be read: %2$s."), path, strerror(errno));
    if (status != VL_EFORMAT)
        return vl_say(VL_EXIT_LACK, "%s", vl_status_text(status));
    if (fault->where[0] != '\0')
        return refuse_figure(path, fault->where);
    if (fault->twice)
        return vl_say(
            VL_EXIT_USAGE,
            _("`%1$s`: there is a name on line %2$d that its part has already: each may stand "
              "there once."),
            path, fault->line);
    if (fault->line > 0)
        return vl_say(VL_EXIT_USAGE,
                      _("`%1$s` is not JSON: line %2$d cannot be read. A comma may be missing "
                        "there, or be one too many."),
                      path, fault->line);
    return vl_say(VL_EXIT_USAGE, _("`%s` is no text file: give one in JSON."), path);
}

static int is_counted(const char *name)
{
    return strcmp(name, "layers") == 0 || strcmp(name, "heads") == 0 ||
           strcmp(name, "experts") == 0;
}

/* Zero is "none": where that cannot be, the file was not read. */
static int is_absurd(const char *name, const json_t *value)
{
    double number = json_number_value(value);
    return number > (is_counted(name) ? MOST_COUNTED : MOST_AMOUNT) ||
           (number > 0 && number < LEAST_AMOUNT);
}

/* Numbers that are read, and with which no reckoning would end. */
static enum vl_exit check_figures(const struct kind *kind, const char *path, json_t *file)
{
    char where[128];
    const char *name;
    json_t *pair;
    for (const char *const *part = kind->parts; *part != NULL; part++)
        json_object_foreach(json_object_get(file, *part), name, pair)
        {
            snprintf(where, sizeof where, "%s.%s", *part, name);
            if (is_absurd(name, json_array_get(pair, 0)))
                return refuse_figure(path, where);
        }
    return VL_EXIT_OK;
}

static const char *oversized(const struct vl_blueprint *m, const struct vl_recipe *r)
{
    const struct {
        const char *where;
        size_t size;
    } sizes[] = {{"model.width", m->width},
                 {"model.key_width", m->key_width},
                 {"model.value_width", m->value_width},
                 {"model.query_rank", m->query_rank},
                 {"model.latent_rank", m->latent_rank},
                 {"model.ff", m->ff},
                 {"model.expert_ff", m->expert_ff},
                 {"model.shared", m->shared},
                 {"model.vocabulary", m->vocabulary},
                 {"model.sequence", m->sequence},
                 {"recipe.batch", r->batch},
                 {"recipe.domains_met", r->domains_met}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i].size > VL_PLAN_MOST_SIZE)
            return sizes[i].where;
    return m->experts > 0 && m->chosen == 0 ? "model.chosen" : NULL;
}

/* About as many as it has, or more: what must not overflow. */
static double parameters_of(const struct vl_blueprint *m)
{
    double d = (double)m->width, inner = (double)m->heads * (double)(m->key_width + m->value_width),
           ranks = (double)(m->query_rank + m->latent_rank);
    double layer = 2 * inner * (d + ranks) + d * ranks + 3 * d * (double)m->ff +
                   3 * d * (double)m->expert_ff * (double)(m->experts + m->shared);
    return layer * (double)m->layers + 2 * d * (double)m->vocabulary;
}

/* ---- reading it ---- */

static enum vl_exit read_figures(struct vl_plan_file *file, const struct kind *kind,
                                 const char *path)
{
    file->figures = json_load_file(path, 0, NULL);
    return file->figures != NULL ? check_figures(kind, path, file->figures) : lack_memory();
}

enum vl_exit vl_plan_read_model(struct vl_setting *setting, struct vl_plan_file *file,
                                const char *word)
{
    struct vl_blueprint_fault fault = {0};
    char *path;
    enum vl_exit result = find(&path, &models, word);
    if (result == VL_EXIT_OK) {
        enum vl_status status =
            vl_model_file_read(&setting->model, &setting->recipe, &file->title, &fault, path);
        result = status == VL_OK ? read_figures(file, &models, path) : refuse(status, &fault, path);
    }
    const char *where = result == VL_EXIT_OK ? oversized(&setting->model, &setting->recipe) : NULL;
    if (where != NULL)
        result = refuse_figure(path, where);
    else if (result == VL_EXIT_OK && parameters_of(&setting->model) > MOST_PARAMETERS)
        result = refuse_figure(path, "model");
    free(path);
    return result;
}

enum vl_exit vl_plan_read_machine(struct vl_setting *setting, struct vl_plan_file *file,
                                  const char *word)
{
    struct vl_blueprint_fault fault = {0};
    char *path;
    enum vl_exit result = find(&path, &machines, word);
    if (result == VL_EXIT_OK) {
        enum vl_status status = vl_cluster_file_read(&setting->cluster, &file->title, &fault, path);
        result =
            status == VL_OK ? read_figures(file, &machines, path) : refuse(status, &fault, path);
    }
    if (result == VL_EXIT_OK && setting->cluster.domain > VL_PLAN_MOST_SIZE)
        result = refuse_figure(path, "cluster.domain");
    free(path);
    return result;
}

void vl_plan_file_free(struct vl_plan_file *file)
{
    free(file->title);
    json_decref(file->figures);
    *file = (struct vl_plan_file){0};
}
