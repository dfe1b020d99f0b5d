#include "grade/run/todo.h"

#include "base/file.h"
#include "base/function_text.h"
#include "base/path.h"
#include "base/place.h"
#include "base/text.h"
#include "grade/run/result.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)1 << 20) /* of a file */

/* The code of a function in FOLDER/FILE, fresh; NULL if it is not there. */
static char *code_in(const char *folder, const char *file, const char *function)
{
    char *path = folder != NULL ? vl_path_join(folder, file) : NULL;
    char *bytes = NULL, *code = NULL;
    size_t n = 0;
    if (path != NULL && vl_file_read(&bytes, &n, path, MOST_BYTES) == VL_OK)
        code = vl_function_code(bytes, function);
    free(bytes);
    free(path);
    return code;
}

bool vl_todo_is_left(const struct vl_grading *grading, const char *function)
{
    const struct vl_lab *lab = grading->request->lab;
    const struct vl_lab_function *found = vl_grading_function(grading, function);
    if (found->file == NULL)
        return false;
    char *labs = vl_place_path("labs", lab->folder);
    char *own = code_in(grading->build.folder, found->file, function);
    char *skeleton = code_in(labs, found->file, function);
    const bool left = own != NULL && skeleton != NULL && strcmp(own, skeleton) != 0 &&
                      strstr(own, "returnVL_TODO") != NULL;
    free(skeleton);
    free(own);
    free(labs);
    return left;
}

void vl_todo_tell(struct vl_case_result *result, const struct vl_grading *grading)
{
    if (result->status != VL_CASE_NOT_STARTED || result->code == NULL ||
        strcmp(result->code, "not_started") != 0 || !vl_todo_is_left(grading, result->function))
        return;
    vl_result_set(
        result, VL_CASE_FAILED, "todo_left",
        _("The code is there, but the function still returned VL_TODO: remove that line when "
          "this case is done."));
}
