#include "cli/workspace/standing.h"

#include "base/file.h"
#include "base/path.h"
#include "cli/workspace/workspace.h"
#include "grade/catalogue/case.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FOLDER VL_WORKSPACE_MARK "/standing"
#define SCHEMA "vialata.standing/1"
#define LIMIT  ((size_t)1 << 20)

static const char *const parts[] = {"last", "best", "cases", "hints", "gave_up"};

/* ---- the file ---- */

static char *path_of(const struct vl_lab *lab)
{
    char *workspace = vl_workspace_folder(), *path = NULL;
    if (workspace != NULL && asprintf(&path, "%s/" FOLDER "/%s.json", workspace, lab->folder) < 0)
        path = NULL;
    free(workspace);
    return path;
}

static json_t *load(const char *path)
{
    char *bytes = NULL;
    size_t n = 0;
    json_error_t error;
    json_t *json = NULL;
    if (path != NULL && vl_file_read(&bytes, &n, path, LIMIT) == VL_OK)
        json = json_loadb(bytes, n, 0, &error);
    free(bytes);
    const char *schema = json_string_value(json_object_get(json, "schema"));
    if (schema != NULL && strcmp(schema, SCHEMA) == 0)
        return json;
    json_decref(json);
    return json_pack("{s:s}", "schema", SCHEMA);
}

/* Every part is an object, whatever was there. */
static bool complete(json_t *json)
{
    bool done = json != NULL;
    for (size_t i = 0; done && i < sizeof parts / sizeof *parts; i++)
        if (!json_is_object(json_object_get(json, parts[i])))
            done = json_object_set_new(json, parts[i], json_object()) == 0;
    return done;
}

enum vl_status vl_standing_read(struct vl_standing *standing, const struct vl_lab *lab)
{
    *standing = (struct vl_standing){.lab = lab, .path = path_of(lab)};
    standing->json = load(standing->path);
    return complete(standing->json) ? VL_OK : VL_ENOMEM;
}

/* Only in a workspace that is there: a standing alone makes none. */
static bool make_folder(const char *path)
{
    char *folder = strdup(path), *slash = folder != NULL ? strrchr(folder, '/') : NULL;
    bool made = false;
    if (slash != NULL) {
        *slash = '\0';
        slash = strstr(folder, "/" FOLDER);
        *slash = '\0';
        made = access(folder, F_OK) == 0;
        *slash = '/';
        made = made && vl_path_make_folders(folder);
    }
    free(folder);
    return made;
}

enum vl_status vl_standing_write(const struct vl_standing *standing)
{
    if (standing->path == NULL)
        errno = ENOENT;
    if (standing->path == NULL || !make_folder(standing->path))
        return VL_EIO;
    char *text = json_dumps(standing->json, JSON_INDENT(1) | JSON_SORT_KEYS);
    enum vl_status status =
        text != NULL ? vl_file_write(standing->path, text, strlen(text)) : VL_ENOMEM;
    free(text);
    return status;
}

void vl_standing_forget(const struct vl_lab *lab)
{
    char *path = path_of(lab);
    if (path != NULL)
        unlink(path);
    free(path);
}

void vl_standing_free(struct vl_standing *standing)
{
    free(standing->path);
    json_decref(standing->json);
    *standing = (struct vl_standing){0};
}

/* ---- what is put in ---- */

static json_t *part(const struct vl_standing *standing, const char *name)
{
    return json_object_get(standing->json, name);
}

static enum vl_status add_case(const struct vl_standing *standing,
                               const struct vl_case_result *result, const char *fingerprint)
{
    bool known = json_object_get(part(standing, "cases"), result->id) != NULL;
    if (result->status == VL_CASE_ERROR || (result->status == VL_CASE_SKIPPED && known))
        return VL_OK; /* it says nothing of the code */
    json_t *one =
        json_pack("{s:s, s:f, s:f, s:s}", "status", vl_case_status_code(result->status), "points",
                  result->points, "max_points", result->max_points, "fingerprint", fingerprint);
    return json_object_set_new(part(standing, "cases"), result->id, one) == 0 ? VL_OK : VL_ENOMEM;
}

static double number_of(const json_t *object, const char *key)
{
    double value = json_number_value(json_object_get(object, key));
    return isfinite(value) && value > 0 ? value : 0;
}

static enum vl_status add_whole(struct vl_standing *standing, const struct vl_verdict *verdict)
{
    json_t *grading = json_pack("{s:s, s:f, s:f, s:s*}", "status",
                                vl_verdict_status_code(verdict->status), "score", verdict->score,
                                "max_score", verdict->max_score, "graded_at", verdict->graded_at);
    bool is_best = verdict->score >= number_of(part(standing, "best"), "score");
    int failed = grading == NULL;
    if (is_best && !failed)
        failed |= json_object_set(standing->json, "best", grading);
    if (!failed)
        failed |= json_object_set(standing->json, "last", grading);
    json_decref(grading);
    return failed ? VL_ENOMEM : VL_OK;
}

enum vl_status vl_standing_add(struct vl_standing *standing, const struct vl_verdict *verdict,
                               const char *fingerprint, bool whole)
{
    enum vl_status status = VL_OK;
    for (size_t i = 0; status == VL_OK && i < verdict->case_count; i++)
        status = add_case(standing, &verdict->cases[i], fingerprint);
    return status == VL_OK && whole ? add_whole(standing, verdict) : status;
}

void vl_standing_add_hint(struct vl_standing *standing, const char *function, int level)
{
    json_t *hints = part(standing, "hints");
    if (json_integer_value(json_object_get(hints, function)) < level)
        json_object_set_new(hints, function, json_integer(level));
}

void vl_standing_give_up(struct vl_standing *standing, const char *function)
{
    json_object_set_new(part(standing, "gave_up"), function, json_true());
}

/* ---- what comes out ---- */

/* A case or a timing of the catalogue: whose it is, and what was found. */
struct entry {
    const char *id, *function;
    double share; /* of the function's points; of those for speed if it is timed */
    bool timed;
};

static bool entry_at(struct entry *entry, const struct vl_lab *lab, size_t i)
{
    const struct vl_lab_cases *all = vl_lab_cases(lab);
    if (all != NULL && i < all->case_count)
        *entry = (struct entry){all->cases[i].id, all->cases[i].function, all->cases[i].share, 0};
    else if (all != NULL && i - all->case_count < all->timing_count)
        *entry = (struct entry){all->timings[i - all->case_count].id,
                                all->timings[i - all->case_count].function, 1, true};
    else
        return false;
    return true;
}

static const struct vl_lab_function *function_of(const struct vl_lab *lab, const char *name)
{
    for (size_t i = 0; i < lab->function_count; i++)
        if (strcmp(lab->functions[i].name, name) == 0)
            return &lab->functions[i];
    return NULL;
}

static double worth(const struct vl_lab *lab, const struct entry *entry)
{
    const struct vl_lab_function *function = function_of(lab, entry->function);
    return function == NULL ? 0
           : entry->timed   ? function->speed_points
                            : entry->share * function->points;
}

static double earned(const struct vl_standing *standing, const struct entry *entry)
{
    return fmin(number_of(json_object_get(part(standing, "cases"), entry->id), "points"),
                worth(standing->lab, entry));
}

/* "passed" ... when it was graded last; NULL: it never was. */
static const char *status_of(const struct vl_standing *standing, const char *id)
{
    return json_string_value(
        json_object_get(json_object_get(part(standing, "cases"), id), "status"));
}

static bool is_passed(const char *status)
{
    return status != NULL && strcmp(status, vl_case_status_code(VL_CASE_PASSED)) == 0;
}

/* Nothing is left to earn, and what was given is still right. */
static bool is_full(const struct vl_standing *standing, const struct entry *entry)
{
    const char *status = status_of(standing, entry->id);
    if (!entry->timed && status != NULL && !is_passed(status))
        return false;
    return earned(standing, entry) >= worth(standing->lab, entry) * (1 - 1e-9);
}

struct vl_standing_points vl_standing_points(const struct vl_standing *standing)
{
    const char *status = json_string_value(json_object_get(part(standing, "last"), "status"));
    struct vl_standing_points points = {.graded = json_object_size(part(standing, "cases")) > 0,
                                        .passed = status != NULL && strcmp(status, "passed") == 0,
                                        .hints = (int)json_object_size(part(standing, "hints"))};
    struct entry entry;
    for (size_t i = 0; entry_at(&entry, standing->lab, i); i++) {
        points.now += earned(standing, &entry);
        points.most += worth(standing->lab, &entry);
    }
    points.best = fmin(number_of(part(standing, "best"), "score"), points.most);
    points.best = fmax(points.best, points.now);
    return points;
}

static bool lacks(const struct vl_standing *standing, const struct vl_lab_function *function,
                  bool speed)
{
    struct entry entry;
    if (function->group == VL_GROUP_BONUS)
        return false;
    for (size_t i = 0; entry_at(&entry, standing->lab, i); i++)
        if (entry.timed == speed && strcmp(entry.function, function->name) == 0 &&
            !is_full(standing, &entry))
            return true;
    return false;
}

bool vl_standing_has(const struct vl_standing *standing, const struct vl_lab_function *function)
{
    return !lacks(standing, function, false);
}

const struct vl_lab_function *vl_standing_next(const struct vl_standing *standing, bool speed)
{
    const struct vl_lab *lab = standing->lab;
    for (int fast = 0; fast <= speed; fast++)
        for (size_t i = 0; i < lab->function_count; i++)
            if (lacks(standing, &lab->functions[i], fast))
                return &lab->functions[i];
    return NULL;
}

bool vl_standing_is_red(const struct vl_standing *standing, const struct vl_lab_function *function)
{
    struct entry entry;
    for (size_t i = 0; entry_at(&entry, standing->lab, i); i++) {
        const char *status = status_of(standing, entry.id);
        if (!entry.timed && strcmp(entry.function, function->name) == 0 && status != NULL &&
            !is_passed(status) && strcmp(status, vl_case_status_code(VL_CASE_NOT_STARTED)) != 0)
            return true;
    }
    return false;
}

/* The next case from *i on that must be right before the lab can train. */
static bool next_needed(struct entry *entry, const struct vl_lab *lab, size_t *i)
{
    while (entry_at(entry, lab, (*i)++)) {
        const struct vl_lab_function *function = function_of(lab, entry->function);
        if (!entry->timed && function != NULL && function->group != VL_GROUP_PREDICTION &&
            function->group != VL_GROUP_BONUS)
            return true;
    }
    return false;
}

static bool is_of(const struct vl_standing *standing, const struct entry *entry,
                  const char *fingerprint)
{
    const json_t *one = json_object_get(part(standing, "cases"), entry->id);
    const char *graded = json_string_value(json_object_get(one, "fingerprint"));
    return graded != NULL && strcmp(graded, fingerprint) == 0;
}

bool vl_standing_is_right(const struct vl_standing *standing, const char *fingerprint)
{
    struct entry entry;
    for (size_t i = 0; next_needed(&entry, standing->lab, &i);)
        if (!is_of(standing, &entry, fingerprint) || !is_passed(status_of(standing, entry.id)) ||
            !is_full(standing, &entry))
            return false;
    return true;
}

bool vl_standing_is_old(const struct vl_standing *standing, const char *fingerprint)
{
    struct entry entry;
    for (size_t i = 0; next_needed(&entry, standing->lab, &i);)
        if (!is_of(standing, &entry, fingerprint))
            return true;
    return false;
}
