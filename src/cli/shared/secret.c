#include "cli/shared/secret.h"

#include "base/file.h"
#include "base/text.h"
#include "cli/shared/say.h"
#include <ctype.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SECRET_LEAST 32
#define SECRET_MOST  4096
#define NAME_MOST    100

enum vl_exit vl_secret_read(struct vl_secret *secret, const char *path)
{
    struct stat info;
    *secret = (struct vl_secret){0};
    if (path == NULL)
        return VL_EXIT_OK;
    enum vl_status status = vl_file_read(&secret->bytes, &secret->count, path, SECRET_MOST);
    if (status == VL_EFORMAT)
        return vl_say(VL_EXIT_USAGE,
                      _("The secret %s must be a regular file of 32 bytes to 4 KiB."), path);
    if (status != VL_OK)
        return vl_say(VL_EXIT_USAGE, _("The secret %s cannot be read (%m)."), path);
    if (secret->count < SECRET_LEAST)
        return vl_say(VL_EXIT_USAGE,
                      _("The secret %1$s has %2$zu bytes, but at least 32 are needed: `head -c 32 "
                        "/dev/urandom` makes them."),
                      path, secret->count);
    if (stat(path, &info) != 0 || (info.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        return vl_say(VL_EXIT_USAGE,
                      _("Others may read or change the secret %1$s: `chmod 600 %1$s` makes it "
                        "yours alone."),
                      path);
    return VL_EXIT_OK;
}

void vl_secret_free(struct vl_secret *secret)
{
    if (secret->bytes != NULL)
        explicit_bzero(secret->bytes, secret->count);
    free(secret->bytes);
    *secret = (struct vl_secret){0};
}

/* It is written to files, reports and shell lines. */
static bool is_printable(const char *name)
{
    json_t *text = json_string(name); /* NULL unless it is UTF-8 */
    bool printable = text != NULL;
    json_decref(text);
    for (; *name != '\0' && printable; name++)
        printable = !iscntrl((unsigned char)*name);
    return printable;
}

enum vl_exit vl_student_check(const char *name)
{
    if (name == NULL || (name[0] != '\0' && strlen(name) <= NAME_MOST && is_printable(name)))
        return VL_EXIT_OK;
    return vl_say(VL_EXIT_USAGE,
                  _("`--student` needs a name of 1 to 100 bytes, in UTF-8 and on one line."));
}
