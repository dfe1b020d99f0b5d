#include "class/handout/handout.h"

#include "base/file.h"
#include "base/path.h"
#include "base/place.h"
#include "base/text.h"
#include "class/handout/handout_parts.h"
#include "class/handout/made_for.h"
#include "class/handout/precompile.h"
#include "class/handout/tree.h"
#include "grade/build/lab_files.h"
#include "sandbox/interrupt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One path below the folder; the caller frees it. */
static char *below(const char *folder, const char *path, const char *name)
{
    char *whole = NULL;
    return asprintf(&whole, "%s/%s/%s", folder, path, name) < 0 ? NULL : whole;
}

bool vl_handout_has(const struct vl_handout *handout, const struct vl_lab *lab)
{
    for (size_t i = 0; i < handout->lab_count; i++)
        if (handout->labs[i] == lab)
            return true;
    return false;
}

/* ---- labs ---- */

/* Of a lab that is not handed out, only folders: programs read models and machines there. */
static bool is_data(const char *name, bool is_folder, const void *context)
{
    (void)context;
    return is_folder || strstr(name, ".json") != NULL;
}

static enum vl_status copy_lab(const struct vl_handout *handout, const struct vl_lab *lab,
                               const char *folder)
{
    char *from = vl_place_path("labs", lab->folder);
    char *to = below(folder, VL_HANDOUT_SHARE "/labs", lab->folder);
    enum vl_status status = from == NULL || to == NULL ? VL_ENOMEM : VL_OK;
    if (status == VL_OK)
        status = vl_tree_copy(to, from, vl_handout_has(handout, lab) ? NULL : is_data, NULL);
    if (status == VL_OK)
        (void)rmdir(to); /* most labs have no data */
    free(from);
    free(to);
    return status;
}

/* Its programs are as broken there as here. */
static enum vl_status copy_clinic(const char *folder)
{
    char *from = vl_place_path("labs", "clinic");
    char *to = below(folder, VL_HANDOUT_SHARE "/labs", "clinic");
    enum vl_status status =
        from != NULL && to != NULL ? vl_tree_copy(to, from, NULL, NULL) : VL_ENOMEM;
    free(from);
    free(to);
    return status;
}

static enum vl_status precompile(const struct vl_lab *lab, const char *folder, char **problem)
{
    char *to = below(folder, VL_HANDOUT_SHARE "/precompiled", lab->folder);
    enum vl_status status = VL_ENOMEM;
    if (to != NULL)
        status = vl_path_make_folders(to) ? VL_OK : VL_EIO;
    if (status == VL_OK)
        status = vl_precompile(to, lab, problem);
    if (status == VL_OK)
        status = vl_handout_strip_folder(to);
    free(to);
    return status;
}

/* ---- files that only a handout has ---- */

static enum vl_status write_text(const char *folder, const char *path, const char *text)
{
    char *whole = vl_path_join(folder, path);
    enum vl_status status =
        whole != NULL && text != NULL ? vl_file_write(whole, text, strlen(text)) : VL_ENOMEM;
    free(whole);
    return status;
}

static enum vl_status write_words(const struct vl_handout *handout, const char *folder)
{
    struct vl_made_for made_for;
    char *text = NULL;
    if (!vl_made_for_here(&made_for) ||
        asprintf(&text, "system=%s\nmachine=%s\nprocessor=%s\n", made_for.system, made_for.machine,
                 made_for.processor) < 0)
        text = NULL;
    enum vl_status status = write_text(folder, "libexec/vialata/made-for", text);
    free(text);
    text = status == VL_OK ? vl_handout_readme(handout, &made_for) : NULL;
    if (status == VL_OK)
        status = write_text(folder, "README.md", text);
    free(text);
    vl_made_for_free(&made_for);
    return status;
}

static enum vl_status copy_entrance(const char *folder)
{
    char *from = vl_place_path("entrance", NULL), *to = vl_path_join(folder, "vialata");
    enum vl_status status = from != NULL && to != NULL ? vl_tree_copy_file(to, from) : VL_ENOMEM;
    if (status == VL_OK && chmod(to, 0755) != 0)
        status = VL_EIO;
    free(from);
    free(to);
    return status;
}

/* ---- the whole ---- */

enum vl_status vl_handout_make(const struct vl_handout *handout, const char *folder, char **problem)
{
    *problem = NULL;
    if (vl_reference_is_compiled())
        return VL_ELACK;
    enum vl_status status = vl_handout_programs(handout, folder);
    if (status == VL_OK)
        status = vl_handout_share(handout, folder);
    for (size_t i = 0; i < vl_lab_count && status == VL_OK && !vl_interrupt_seen(); i++)
        status = copy_lab(handout, vl_labs[i], folder);
    if (status == VL_OK)
        status = copy_clinic(folder);
    for (size_t i = 0; i < handout->lab_count && status == VL_OK && !vl_interrupt_seen(); i++)
        status = precompile(handout->labs[i], folder, problem);
    if (status == VL_OK)
        status = vl_handout_hard(handout, folder, problem);
    if (status == VL_OK)
        status = write_words(handout, folder);
    return status == VL_OK ? copy_entrance(folder) : status;
}

enum vl_status vl_handout_solutions(const struct vl_handout *handout, const char *folder)
{
    enum vl_status status = vl_reference_is_compiled() ? VL_ELACK : VL_OK;
    for (size_t i = 0; i < handout->lab_count && status == VL_OK; i++) {
        const char *name = handout->labs[i]->folder;
        char *from = vl_place_path("solutions", name), *to = vl_path_join(folder, name);
        status = from != NULL && to != NULL ? vl_tree_copy(to, from, NULL, NULL) : VL_ENOMEM;
        free(from);
        free(to);
    }
    return status;
}
