#include "cli/workspace/editor.h"

#include "base/file.h"
#include "base/fingerprint.h"
#include "base/path.h"
#include "base/place.h"
#include "cli/workspace/editor_tasks.h"
#include "cli/workspace/workspace.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIMIT ((size_t)4 << 20)

static const char clangd[] =
    "# Written by Vialata: `vialata start` renews it unless you change it.\n"
    "CompileFlags:\n"
    "  CompilationDatabase: .\n"
    "Diagnostics:\n"
    "  UnusedIncludes: None # a skeleton includes what you will need\n";

static const char ignored[] = "# Of this machine alone, or kept by Vialata.\n"
                              "/.vialata/\n"
                              "/.vscode/\n"
                              "/.cache/\n"
                              "/compile_commands.json\n"
                              "/handed-in/\n"
                              "backup-*/\n"
                              "*.o\n";

/* ---- how a file is compiled ---- */

static void put_list(json_t *words, const char *before, const char *key)
{
    char **list = vl_place_list(key);
    for (char **item = list; item != NULL && *item != NULL; item++)
        json_array_append_new(words, json_sprintf("%s%s", before, *item));
    vl_place_list_free(list);
}

/* Like src/grade/build/toolchain.c, except for where the headers are. */
static json_t *command_of(const char *folder, const char *file)
{
    json_t *words = json_array();
    char *include = vl_place_path("include", NULL);
    json_array_append_new(words, json_string(vl_place_text("compiler")));
    put_list(words, "", "lab_flags");
    for (size_t i = 0; i < 3; i++) {
        static const char *const more[] = {"-D_GNU_SOURCE", "-Wall", "-Wextra"};
        json_array_append_new(words, json_string(more[i]));
    }
    json_array_append_new(words, json_sprintf("-I%s", include != NULL ? include : ""));
    put_list(words, "-I", "mpi_includes");
    put_list(words, "-I", "blas_includes");
    json_array_append_new(words, json_string("-c"));
    json_array_append_new(words, json_string(file));
    free(include);
    return json_pack("{s:s, s:s, s:o}", "directory", folder, "file", file, "arguments", words);
}

static char *commands_of(const char *workspace)
{
    json_t *all = json_array();
    for (size_t i = 0; i < vl_lab_count; i++) {
        char *folder = vl_workspace_has(workspace, vl_labs[i])
                           ? vl_path_join(workspace, vl_labs[i]->folder)
                           : NULL;
        for (const char *const *name = vl_labs[i]->files; folder != NULL && *name != NULL; name++)
            json_array_append_new(all, command_of(folder, *name));
        free(folder);
    }
    char *text = json_dumps(all, JSON_INDENT(1));
    json_decref(all);
    return text;
}

/* ---- writing, without taking anything from the student ---- */

static void fingerprint(char text[17], const char *bytes, size_t n)
{
    snprintf(text, 17, "%016llx", (unsigned long long)vl_fingerprint(VL_FINGERPRINT, bytes, n));
}

/* Is it absent, or what we wrote there? */
static int is_ours(const struct vl_record *record, const char *path, const char *name)
{
    struct stat info;
    char *bytes = NULL, now[17];
    size_t n;
    if (lstat(path, &info) != 0)
        return 1;
    const char *wrote =
        json_string_value(json_object_get(json_object_get(record->json, "written"), name));
    if (wrote == NULL || vl_file_read(&bytes, &n, path, LIMIT) != VL_OK)
        return 0;
    fingerprint(now, bytes, n);
    free(bytes);
    return strcmp(now, wrote) == 0;
}

static enum vl_status write_ours(struct vl_record *record, const char *workspace, const char *name,
                                 const char *text)
{
    char *path = vl_path_join(workspace, name), now[17];
    enum vl_status status = path != NULL && text != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK && is_ours(record, path, name)) {
        status = vl_file_write(path, text, strlen(text));
        fingerprint(now, text, strlen(text));
        if (status == VL_OK)
            json_object_set_new(json_object_get(record->json, "written"), name, json_string(now));
    }
    int why = errno;
    free(path);
    errno = why;
    return status;
}

enum vl_status vl_editor_write(struct vl_record *record, const char *workspace)
{
    char *folder = vl_path_join(workspace, ".vscode");
    char *commands = commands_of(workspace), *tasks = vl_editor_tasks(),
         *launches = vl_editor_launches();
    enum vl_status status = folder != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK && mkdir(folder, 0777) != 0 && errno != EEXIST)
        status = VL_EIO;
    const struct {
        const char *name, *text;
    } files[] = {{".gitignore", ignored},
                 {".clangd", clangd},
                 {"compile_commands.json", commands},
                 {".vscode/tasks.json", tasks},
                 {".vscode/launch.json", launches}};
    for (size_t i = 0; status == VL_OK && i < sizeof files / sizeof *files; i++)
        status = write_ours(record, workspace, files[i].name, files[i].text);
    int why = errno;
    free(folder);
    free(commands);
    free(tasks);
    free(launches);
    errno = why;
    return status;
}
