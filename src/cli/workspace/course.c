#include "cli/workspace/course.h"

#include "base/file.h"
#include "base/path.h"
#include "base/place.h"
#include "cli/workspace/git.h"
#include "cli/workspace/workspace.h"
#include "grade/catalogue/shapes.h"
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_LIMIT ((size_t)16 << 20)
#define FILES_MOST 32

/* The checkout's root; NULL if the course is not in one. */
static const char *checkout(void)
{
    const char *root = vl_place_text("root");
    char *git = root[0] != '\0' ? vl_path_join(root, ".git") : NULL;
    int found = git != NULL && access(git, F_OK) == 0;
    free(git);
    return found ? root : NULL;
}

/* Does that file differ from the committed one? Any of the lab's, if 'name' is NULL. */
static int is_edited(const char *root, const struct vl_lab *lab, const char *name)
{
    const char *words[FILES_MOST + 6] = {"diff", "--quiet", "--no-ext-diff", "HEAD", "--"};
    char *paths[FILES_MOST] = {0};
    const char *const alone[] = {name, NULL};
    const char *const *names = name != NULL ? alone : lab->files;
    size_t count = 0;
    for (; count < FILES_MOST && names[count] != NULL; count++)
        if (asprintf(&paths[count], "labs/%s/%s", lab->folder, names[count]) >= 0)
            words[5 + count] = paths[count];
        else
            paths[count] = NULL;
    int edited = vl_git(NULL, NULL, root, words) == 1;
    for (size_t i = 0; i < count; i++)
        free(paths[i]);
    return edited;
}

bool vl_course_is_edited(const struct vl_lab *lab)
{
    const char *root = checkout();
    return root != NULL && is_edited(root, lab, NULL);
}

enum vl_status vl_course_read(char **bytes, size_t *n, const struct vl_lab *lab, const char *name)
{
    const char *root = checkout();
    if (root != NULL && is_edited(root, lab, name)) {
        char *object = NULL;
        if (asprintf(&object, "HEAD:labs/%s/%s", lab->folder, name) < 0)
            return VL_ENOMEM;
        const char *const words[] = {"show", "--no-textconv", object, NULL};
        int status = vl_git(bytes, n, root, words);
        free(object);
        if (status == 0 && *bytes != NULL)
            return VL_OK;
        free(*bytes);
        *bytes = NULL;
    }
    char *path = vl_course_lab(lab, name);
    enum vl_status status = path != NULL ? vl_file_read(bytes, n, path, FILE_LIMIT) : VL_ENOMEM;
    free(path);
    return status;
}

enum vl_status vl_course_shape(char **bytes, size_t *n, const struct vl_lab *lab, const char *name,
                               const char *student)
{
    if (student == NULL || strcmp(name, VL_PREDICTION) != 0)
        return VL_OK;
    char *text = vl_shapes_written(*bytes, lab, student);
    if (text == NULL)
        return VL_ENOMEM;
    free(*bytes);
    *bytes = text;
    *n = strlen(text);
    return VL_OK;
}

int vl_course_move_backups(const struct vl_lab *lab, const char *own)
{
    char *labs = vl_course_lab(lab, NULL);
    DIR *entries = labs != NULL ? opendir(labs) : NULL;
    struct dirent *entry;
    int moved = 0;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        if (strncmp(entry->d_name, "backup-", 7) != 0)
            continue;
        char *from = vl_path_join(labs, entry->d_name), *to = vl_path_join(own, entry->d_name);
        if (from != NULL && to != NULL && access(to, F_OK) != 0)
            moved += rename(from, to) == 0;
        free(from);
        free(to);
    }
    if (entries != NULL)
        closedir(entries);
    free(labs);
    return moved;
}
