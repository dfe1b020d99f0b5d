#include "cli/shared/write.h"

#include "base/file.h"
#include "base/text.h"
#include "cli/shared/say.h"
#include "report/verdict/formats.h"

#include <errno.h>
#include <string.h>

enum vl_exit vl_write_say(enum vl_status status, const char *path, enum vl_exit unwritten)
{
    if (status == VL_EIO)
        return vl_say(unwritten, _("`%1$s` cannot be written: %2$s."), path, strerror(errno));
    return vl_say_status(status);
}

enum vl_exit vl_write_text(const char *path, enum vl_status status, const char *text)
{
    if (status == VL_OK)
        status = text != NULL ? vl_file_write(path, text, strlen(text)) : VL_ENOMEM;
    return vl_write_say(status, path, VL_EXIT_USAGE);
}

enum vl_exit vl_write_json(const char *path, json_t *value)
{
    return vl_write_say(vl_json_save(path, value), path, VL_EXIT_LACK);
}
