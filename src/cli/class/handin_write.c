/* The archive and its receipt. */
#include "cli/class/handin.h"

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "base/utc.h"
#include "class/intake/archive_write.h"
#include "class/intake/receipt.h"
#include "cli/shared/say.h"
#include "cli/workspace/repository.h"
#include "version.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FOLDER "handed-in"

/* ---- names ---- */

/* A name may have any letters; as a file it must stay in its folder. */
static char *archive_name(const struct vl_handin *handin)
{
    char *name = vl_text_format("%s-%s.zip", handin->student, handin->lab->folder);
    for (char *c = name; c != NULL && *c != '\0'; c++)
        if (*c == '/' || *c == '\\' || (c == name && *c == '.'))
            *c = '_';
    return name;
}

/* What --out says: a folder for the archive, or its name. */
static char *archive_path(const struct vl_handin *handin, const char *folder)
{
    struct stat info;
    if (handin->out != NULL && (stat(handin->out, &info) != 0 || !S_ISDIR(info.st_mode)))
        return strdup(handin->out);
    char *name = archive_name(handin);
    char *path = vl_path_join(handin->out != NULL ? handin->out : folder, name);
    free(name);
    return path;
}

/* The moment is in the name: no receipt is ever overwritten by a later one. */
static char *receipt_path(const struct vl_handin *handin, const char *folder)
{
    char stamp[32];
    struct tm parts;
    strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", gmtime_r(&handin->now, &parts));
    return vl_text_format("%s/%s-%s.json", folder, handin->lab->folder, stamp);
}

/* ---- telling ---- */

static void tell(const struct vl_handin *handin, const struct vl_receipt *receipt)
{
    printf(_("Lab %1$02d (%2$s) of %3$s, %4$s\n"), handin->lab->number, handin->lab->slug,
           receipt->student, receipt->handed_in_at);
    for (size_t i = 0; i < handin->manifest.count; i++)
        printf("    %s  %s\n", handin->manifest.files[i].hash, handin->manifest.files[i].name);
    printf(_("Hash of all files (SHA-256), which the verdict will have too:\n"));
    printf("    %s\n", handin->manifest.hash);
    if (receipt->commit != NULL)
        printf(receipt->committed ? _("The files are those of commit %s.\n")
                                  : _("The files differ from commit %s, the last one.\n"),
               receipt->commit);
}

static void tell_places(const char *archive, const char *receipt)
{
    char *shown_archive = vl_path_shown(archive), *shown_receipt = vl_path_shown(receipt);
    printf(_("The archive to hand in is %s\n"), shown_archive != NULL ? shown_archive : archive);
    printf(_("The receipt is in it, and in %s\n"), shown_receipt != NULL ? shown_receipt : receipt);
    free(shown_archive);
    free(shown_receipt);
}

/* ---- writing ---- */

static enum vl_exit refuse_write(const char *path)
{
    return vl_say(VL_EXIT_LACK, _("%s cannot be written (%m), so nothing was handed in."), path);
}

static enum vl_exit write_both(const struct vl_handin *handin, const char *archive,
                               const char *receipt, const char *text)
{
    enum vl_status status = vl_archive_write(archive, handin->lab->folder, handin->copies,
                                             &handin->manifest, text, handin->now);
    if (status == VL_EIO)
        return refuse_write(archive);
    if (status == VL_OK)
        status = vl_file_write(receipt, text, strlen(text));
    return status == VL_EIO ? refuse_write(receipt) : vl_say_status(status);
}

static enum vl_exit write_in(const struct vl_handin *handin, const struct vl_receipt *receipt,
                             const char *folder)
{
    json_t *json = vl_receipt_json(receipt, &handin->manifest);
    char *line = json != NULL ? json_dumps(json, JSON_INDENT(2)) : NULL;
    char *text = line != NULL ? vl_text_format("%s\n", line) : NULL;
    char *archive = archive_path(handin, folder), *kept = receipt_path(handin, folder);
    enum vl_exit result = VL_EXIT_OK;
    if (text == NULL || archive == NULL || kept == NULL)
        result = vl_say_status(VL_ENOMEM);
    else if (!vl_path_make_folders(folder))
        result = refuse_write(folder);
    else
        result = write_both(handin, archive, kept, text);
    if (result == VL_EXIT_OK) {
        tell(handin, receipt);
        tell_places(archive, kept);
    }
    free(kept);
    free(archive);
    free(text);
    free(line);
    json_decref(json);
    return result;
}

enum vl_exit vl_handin_write(const struct vl_handin *handin)
{
    char *folder = vl_path_join(handin->workspace, FOLDER);
    struct vl_receipt receipt = {.lab = (char *)handin->lab->folder,
                                 .student = handin->student,
                                 .handed_in_at = vl_time_text(handin->now),
                                 .version = (char *)VL_VERSION};
    vl_repository_commit(&receipt.commit, &receipt.committed, handin->workspace, handin->lab);
    enum vl_exit result = folder != NULL && receipt.handed_in_at != NULL
                              ? write_in(handin, &receipt, folder)
                              : vl_say_status(VL_ENOMEM);
    free(receipt.handed_in_at);
    free(receipt.commit);
    free(folder);
    return result;
}
