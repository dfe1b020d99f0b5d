#include "cli/class/names.h"

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "base/utf8.h"
#include "class/privacy/pseudonym.h"
#include "cli/shared/say.h"
#include "cli/shared/secret.h"
#include "grade/catalogue/derive.h"
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define KEY_BYTES   32
#define MARK        "pseudonyms"
#define MARK_DIGITS 17

char *vl_names_path(const char *results, const char *below)
{
    int n = (int)strlen(results);
    while (n > 1 && results[n - 1] == '/')
        n--;
    return below != NULL ? vl_text_format("%.*s-names/%s", n, results, below)
                         : vl_text_format("%.*s-names", n, results);
}

static enum vl_exit refuse_names(const char *path)
{
    return vl_say(VL_EXIT_LACK,
                  _("%s cannot be written (%m), and who is who must be kept there: nothing was "
                    "graded."),
                  path);
}

/* ---- the mark in class.json ---- */

static json_t *read_class(const char *results)
{
    char *path = vl_path_join(results, "class.json");
    json_t *class = path != NULL ? json_load_file(path, 0, NULL) : NULL;
    free(path);
    return class;
}

bool vl_names_are_hidden(const char *results)
{
    json_t *class = read_class(results);
    bool hidden = json_is_string(json_object_get(class, MARK));
    json_decref(class);
    return hidden;
}

static enum vl_status write_mark(json_t *class, const char *results, const char *mark)
{
    char *path = vl_path_join(results, "class.json"), *text = NULL;
    if (path != NULL && json_object_set_new(class, MARK, json_string(mark)) == 0)
        text = json_dumps(class, JSON_INDENT(2));
    enum vl_status status = text != NULL ? vl_file_write(path, text, strlen(text)) : VL_ENOMEM;
    free(text);
    free(path);
    return status;
}

static bool has_verdicts(const char *results)
{
    char *path = vl_path_join(results, "verdicts");
    bool found = path != NULL && access(path, F_OK) == 0;
    free(path);
    return found;
}

static enum vl_exit check_mark(const char *results, const struct vl_secret *key)
{
    char mark[MARK_DIGITS];
    json_t *class = read_class(results);
    const char *there = json_string_value(json_object_get(class, MARK));
    enum vl_exit result = VL_EXIT_OK;
    snprintf(
        mark, sizeof mark, "%016llx",
        (unsigned long long)vl_derive(key->bytes, key->count, "vialata-pseudonym-key", "", ""));
    if (there != NULL && strcmp(there, mark) != 0)
        result = vl_say(VL_EXIT_USAGE,
                        _("The pseudonyms in %s were made with another key: bring its folder of "
                          "names back, give the same `--secret`, or choose another folder after "
                          "`--out`."),
                        results);
    else if (there == NULL && write_mark(class, results, mark) != VL_OK)
        result = refuse_names(results);
    json_decref(class);
    return result;
}

/* ---- the key ---- */

static enum vl_status make_key(const char *path)
{
    unsigned char bytes[KEY_BYTES];
    struct vl_file_new file;
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return VL_EIO;
    enum vl_status status = vl_file_begin(&file, path);
    if (status != VL_OK)
        return status;
    if (fchmod(fileno(file.stream), S_IRUSR | S_IWUSR) != 0 ||
        fwrite(bytes, 1, sizeof bytes, file.stream) != sizeof bytes)
        status = VL_EIO;
    explicit_bzero(bytes, sizeof bytes);
    return vl_file_end(&file, status);
}

/* The course's secret, else a key of these results, which is made once. */
static enum vl_exit read_key(struct vl_secret *key, const struct vl_batch_request *request)
{
    if (request->secret != NULL)
        return vl_secret_read(key, request->secret);
    char *path = vl_names_path(request->out, "key");
    enum vl_exit result = path != NULL ? VL_EXIT_OK : vl_say_status(VL_ENOMEM);
    if (result == VL_EXIT_OK && access(path, F_OK) != 0 && !vl_names_are_hidden(request->out) &&
        make_key(path) != VL_OK)
        result = refuse_names(path);
    if (result == VL_EXIT_OK)
        result = vl_secret_read(key, path);
    free(path);
    return result;
}

/* ---- giving them to everybody ---- */

static enum vl_status rename_student(struct vl_pseudonyms *table, const struct vl_secret *key,
                                     struct vl_student *student)
{
    char pseudonym[VL_PSEUDONYM];
    vl_pseudonym(pseudonym, key->bytes, key->count, student->id);
    enum vl_status status = vl_pseudonyms_add(table, pseudonym, student->id, student->name);
    free(student->id);
    free(student->name);
    student->id = strdup(pseudonym);
    student->name = strdup(pseudonym);
    return student->id != NULL && student->name != NULL ? status : VL_ENOMEM;
}

/* Why it is not taken can quote a name or a path: that is told, and the results do not have it. */
static enum vl_status hide_problem(struct vl_handed_in *item)
{
    char *clean = item->problem != NULL ? vl_utf8_clean(item->problem) : NULL;
    if (item->problem == NULL)
        return VL_OK;
    if (clean != NULL)
        printf("%s: %s\n", item->student, clean);
    free(clean);
    free(item->problem);
    item->problem = vl_text_format(
        _("It was not taken; only the terminal said why, because the reason can name somebody."));
    return item->problem != NULL ? VL_OK : VL_ENOMEM;
}

static enum vl_status rename_item(struct vl_pseudonyms *table, const struct vl_secret *key,
                                  struct vl_handed_in *item)
{
    char pseudonym[VL_PSEUDONYM];
    vl_pseudonym(pseudonym, key->bytes, key->count, item->student);
    enum vl_status status = vl_pseudonyms_add(table, pseudonym, item->student, item->student);
    free(item->from);
    item->id = item->student;
    item->student = strdup(pseudonym);
    item->from = strdup(pseudonym);
    if (item->student == NULL || item->from == NULL)
        return VL_ENOMEM;
    return status == VL_OK ? hide_problem(item) : status;
}

static int by_id(const void *left, const void *right)
{
    return strcmp(((const struct vl_student *)left)->id, ((const struct vl_student *)right)->id);
}

/* The order would tell, too, so both are sorted anew. */
static enum vl_status rename_all(struct vl_pseudonyms *table, const struct vl_secret *key,
                                 struct vl_batch *batch)
{
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < batch->roster.count && status == VL_OK; i++)
        status = rename_student(table, key, &batch->roster.students[i]);
    for (size_t i = 0; i < batch->intake.count && status == VL_OK; i++)
        status = rename_item(table, key, &batch->intake.list[i]);
    if (status == VL_OK && batch->roster.count > 0)
        qsort(batch->roster.students, batch->roster.count, sizeof *batch->roster.students, by_id);
    if (status == VL_OK)
        vl_intake_order(&batch->intake);
    return status;
}

static enum vl_exit rename_with(struct vl_batch *batch, const struct vl_secret *key)
{
    struct vl_pseudonyms table = {0};
    char *path = vl_names_path(batch->request->out, "names.csv");
    enum vl_status status = path != NULL ? vl_pseudonyms_read(&table, path) : VL_ENOMEM;
    enum vl_exit result = VL_EXIT_OK;
    if (status == VL_EFORMAT || status == VL_EIO)
        result = vl_say(VL_EXIT_LACK,
                        _("The table of names %s cannot be read: it needs the columns `pseudonym` "
                          "and `id`. Mend it, or move it away."),
                        path);
    else if (status == VL_OK && (status = rename_all(&table, key, batch)) == VL_OK &&
             vl_pseudonyms_write(&table, path) != VL_OK)
        result = refuse_names(path);
    if (result == VL_EXIT_OK && status == VL_OK)
        printf(_("Who is who is in %s: keep it apart from the results.\n"), path);
    else if (status != VL_OK && result == VL_EXIT_OK)
        result = vl_say_status(status);
    fflush(stdout);
    vl_pseudonyms_free(&table);
    free(path);
    return result;
}

enum vl_exit vl_names_apply(struct vl_batch *batch)
{
    const struct vl_batch_request *request = batch->request;
    struct vl_secret key = {0};
    if (!request->pseudonyms)
        return vl_names_are_hidden(request->out)
                   ? vl_say(VL_EXIT_USAGE,
                            _("The results in %s are under pseudonyms: add `--pseudonyms`, or "
                              "choose another folder after `--out`."),
                            request->out)
                   : VL_EXIT_OK;
    if (!vl_names_are_hidden(request->out) && has_verdicts(request->out))
        return vl_say(VL_EXIT_USAGE,
                      _("%s holds results under names: choose another folder after `--out` for "
                        "those under pseudonyms."),
                      request->out);
    char *folder = vl_names_path(request->out, NULL);
    enum vl_exit result = VL_EXIT_OK;
    if (folder == NULL)
        result = vl_say_status(VL_ENOMEM);
    else if (mkdir(folder, S_IRWXU) != 0 && errno != EEXIST)
        result = refuse_names(folder);
    else
        result = read_key(&key, request);
    if (result == VL_EXIT_OK)
        result = check_mark(request->out, &key);
    if (result == VL_EXIT_OK)
        result = rename_with(batch, &key);
    vl_secret_free(&key);
    free(folder);
    return result;
}
