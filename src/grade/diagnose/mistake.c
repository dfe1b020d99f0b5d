#include "grade/diagnose/mistake.h"

#include "base/file.h"
#include "base/place.h"
#include "grade/build/lab_files.h"
#include "grade/diagnose/precompiled.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (64u << 10)
#define ENDING     ".mistake"

static const struct {
    const char *word;
    enum vl_witness witness;
} witnesses[] = {{"output", VL_WITNESS_OUTPUT},
                 {"status", VL_WITNESS_STATUS},
                 {"hang", VL_WITNESS_HANG},
                 {"inspector", VL_WITNESS_INSPECTOR},
                 {"manners", VL_WITNESS_MANNERS}};

static void free_one(struct vl_mistake *mistake)
{
    free(mistake->function);
    free(mistake->name);
    free(mistake->code);
    free(mistake->also);
    free(mistake->sentence);
    free(mistake->message);
    for (size_t i = 0; i < mistake->edit_count; i++) {
        free(mistake->edits[i].where);
        free(mistake->edits[i].old_text);
        free(mistake->edits[i].new_text);
    }
}

void vl_mistakes_free(struct vl_mistakes *mistakes)
{
    for (size_t i = 0; i < mistakes->count; i++)
        free_one(&mistakes->list[i]);
    free(mistakes->list);
    *mistakes = (struct vl_mistakes){0};
}

/* ---- one file ---- */

static const char *line_end(const char *line)
{
    const char *end = strchr(line, '\n');
    return end != NULL ? end + 1 : line + strlen(line);
}

/* The text of a C string literal, from after its opening quote to its closing one. */
static char *read_literal(const char *quoted)
{
    char *text = strdup(quoted), *to = text;
    for (const char *from = quoted; text != NULL && *from != '\0' && *from != '"'; from++) {
        if (*from == '\\' && from[1] != '\0') {
            from++;
            *to++ = *from == 'n' ? '\n' : *from;
        } else {
            *to++ = *from;
        }
    }
    if (text != NULL)
        *to = '\0';
    return text;
}

/* The value of a line "key: value"; NULL if the line is another one. */
static char *value_of(const char *line, const char *key)
{
    size_t length = strlen(key);
    if (strncmp(line, key, length) != 0 || strncmp(line + length, ": ", 2) != 0)
        return NULL;
    const char *value = line + length + 2;
    return strndup(value, strcspn(value, "\n"));
}

static const char *read_witness(struct vl_mistake *mistake, const char *word)
{
    for (size_t i = 0; i < sizeof witnesses / sizeof *witnesses; i++)
        if (strcmp(word, witnesses[i].word) == 0) {
            mistake->witness = witnesses[i].witness;
            return NULL;
        }
    return "`shows:` is output, status, hang, inspector or manners";
}

/* The lines before the first edit. Returns what is wrong, or NULL; moves *at. */
static const char *read_head(struct vl_mistake *mistake, const char **at)
{
    const char *wrong = NULL;
    int shown = 0;
    for (; **at != '\0' && strncmp(*at, "---", 3) != 0 && wrong == NULL; *at = line_end(*at)) {
        char *value = NULL;
        if ((value = value_of(*at, "shows")) != NULL) {
            wrong = read_witness(mistake, value);
            shown = 1;
        } else if (mistake->also == NULL && (value = value_of(*at, "also")) != NULL) {
            if (asprintf(&mistake->also, " %s ", value) < 0)
                mistake->also = NULL;
        } else if ((value = value_of(*at, "sentence")) != NULL && mistake->sentence == NULL &&
                   strncmp(value, "N_(\"", 4) == 0) {
            mistake->sentence = read_literal(value + 4);
        } else {
            wrong = "a line is none of `shows:`, `also:`, `sentence: N_(\"...\")` and `--- NAME`";
        }
        free(value);
    }
    if (wrong == NULL && !shown)
        wrong = "there is no line `shows:`";
    if (wrong == NULL && mistake->witness == VL_WITNESS_OUTPUT && mistake->sentence == NULL)
        wrong = "there is no line `sentence:`";
    return wrong;
}

/* Up to the next line that begins with one of the marks. */
static char *take_text(const char **at)
{
    const char *start = *at;
    while (**at != '\0' && strncmp(*at, "---", 3) != 0 && strncmp(*at, "+++", 3) != 0)
        *at = line_end(*at);
    return strndup(start, (size_t)(*at - start));
}

static const char *read_edit(struct vl_mistake *mistake, const char **at)
{
    if (mistake->edit_count == VL_MISTAKE_EDITS)
        return "there are too many edits";
    struct vl_mistake_edit *edit = &mistake->edits[mistake->edit_count++];
    const char *name = *at + 3 + strspn(*at + 3, " ");
    edit->where = strndup(name, strcspn(name, " \n"));
    *at = line_end(*at);
    edit->old_text = take_text(at);
    if (strncmp(*at, "+++", 3) != 0)
        return "an edit has no `+++`";
    *at = line_end(*at);
    edit->new_text = take_text(at);
    if (edit->where == NULL || edit->where[0] == '\0' || edit->old_text == NULL ||
        edit->old_text[0] == '\0')
        return "an edit does not say where, or what is replaced";
    return NULL;
}

static const char *read_text(struct vl_mistake *mistake, const char *text)
{
    const char *at = text, *wrong = read_head(mistake, &at);
    if (mistake->also == NULL)
        mistake->also = strdup("");
    if (wrong == NULL && *at == '\0')
        wrong = "there is no edit";
    while (wrong == NULL && *at != '\0')
        wrong = read_edit(mistake, &at);
    return wrong;
}

/* ---- all of a lab ---- */

struct reading {
    struct vl_mistakes *mistakes;
    char **problem;
    enum vl_status status;
};

static void complain(struct reading *reading, const char *path, const char *wrong)
{
    if (reading->status != VL_OK)
        return;
    reading->status = VL_EFORMAT;
    if (asprintf(reading->problem, "%s: %s", path, wrong) < 0)
        *reading->problem = NULL;
}

static void read_one(struct reading *reading, const char *folder, const char *function,
                     const char *file)
{
    struct vl_mistakes *all = reading->mistakes;
    struct vl_mistake *list = realloc(all->list, (all->count + 1) * sizeof *list);
    char *path = NULL, *text = NULL;
    size_t bytes;
    if (list != NULL)
        all->list = list;
    if (list == NULL || asprintf(&path, "%s/%s/%s", folder, function, file) < 0) {
        reading->status = VL_ENOMEM;
        return;
    }
    struct vl_mistake *mistake = &list[all->count++];
    *mistake = (struct vl_mistake){.function = strdup(function),
                                   .name = strndup(file, strlen(file) - strlen(ENDING)),
                                   .code = strndup(file, strcspn(file, "."))};
    if (vl_file_read(&text, &bytes, path, MOST_BYTES) != VL_OK) {
        complain(reading, path, "cannot be read");
    } else {
        const char *wrong = read_text(mistake, text);
        if (wrong != NULL)
            complain(reading, path, wrong);
    }
    if (mistake->function == NULL || mistake->name == NULL || mistake->code == NULL ||
        mistake->also == NULL)
        reading->status = reading->status == VL_OK ? VL_ENOMEM : reading->status;
    free(text);
    free(path);
}

static int is_mistake(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name), ending = strlen(ENDING);
    return entry->d_name[0] != '.' && length > ending &&
           strcmp(entry->d_name + length - ending, ENDING) == 0;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int by_bytes(const struct dirent **left, const struct dirent **right)
{
    return strcmp((*left)->d_name, (*right)->d_name);
}

/* Read each entry, in the order of the bytes of their names. Returns how many there are, or -1. */
static int each_entry(struct reading *reading, const char *folder, const char *function)
{
    struct dirent **entries = NULL;
    char *below = NULL;
    if (function != NULL && asprintf(&below, "%s/%s", folder, function) < 0)
        return -1;
    int count = scandir(function != NULL ? below : folder, &entries,
                        function != NULL ? is_mistake : is_visible, by_bytes);
    for (int i = 0; i < count; i++) {
        if (reading->status == VL_OK && function != NULL)
            read_one(reading, folder, function, entries[i]->d_name);
        else if (reading->status == VL_OK)
            each_entry(reading, folder, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    free(below);
    return count;
}

enum vl_status vl_mistakes_read(struct vl_mistakes *mistakes, const struct vl_lab *lab,
                                char **problem)
{
    struct reading reading = {.mistakes = mistakes, .problem = problem};
    char *below = NULL, *folder = NULL;
    *mistakes = (struct vl_mistakes){0};
    *problem = NULL;
    if (vl_reference_is_compiled())
        return vl_precompiled_mistakes(mistakes, lab);
    if (asprintf(&below, "%s/mistakes", lab->folder) < 0 ||
        (folder = vl_place_path("mistakes", below)) == NULL)
        reading.status = VL_ENOMEM;
    else if (each_entry(&reading, folder, NULL) <= 0)
        reading.status = VL_ELACK;
    free(below);
    free(folder);
    if (reading.status != VL_OK)
        vl_mistakes_free(mistakes);
    return reading.status;
}

const struct vl_mistake *vl_mistake_named(const struct vl_mistakes *mistakes, const char *name)
{
    for (size_t i = 0; i < mistakes->count; i++) {
        const struct vl_mistake *one = &mistakes->list[i];
        size_t length = strlen(one->function);
        if (strncmp(name, one->function, length) == 0 && name[length] == '/' &&
            strcmp(name + length + 1, one->name) == 0)
            return one;
    }
    return NULL;
}

bool vl_mistake_concerns(const struct vl_mistake *mistake, const char *function)
{
    char word[128];
    snprintf(word, sizeof word, " %s ", function);
    return strcmp(mistake->function, function) == 0 || strstr(mistake->also, word) != NULL;
}
