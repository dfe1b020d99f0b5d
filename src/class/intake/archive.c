#include "class/intake/archive.h"

#include "base/path.h"
#include "base/text.h"
#include "class/intake/archive_open.h"
#include "class/intake/receipt.h"
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_MOST 20 /* folders */

static bool ends_with(const char *name, const char *ending)
{
    size_t n = strlen(name), m = strlen(ending);
    return n > m && strcasecmp(name + n - m, ending) == 0;
}

size_t vl_archive_ending(const char *name)
{
    static const char *const endings[] = {".tar.gz", ".tgz", ".tar.xz", ".tar", ".zip"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_with(name, endings[i]))
            return strlen(endings[i]);
    return 0;
}

struct unpacking {
    struct archive *archive;
    struct vl_archive_source *source;
    const char *folder;
    struct vl_archive_owners *owners; /* NULL: one student's */
    char **problem;
    struct vl_archive_owner *owner; /* of the entry */
    size_t entries, bytes, kept;    /* bytes: of all, and of those that are kept */
    bool over;                      /* what was refused stops even a class's */
};

__attribute__((format(printf, 2, 3))) static enum vl_status
refuse(const struct unpacking *unpacking, const char *sentence, ...)
{
    va_list values;
    va_start(values, sentence);
    *unpacking->problem = vl_text_vformat(sentence, values);
    va_end(values);
    return VL_EFORMAT;
}

/* Every part of it is an ordinary name. */
static bool is_good_path(const char *path)
{
    if (path[0] == '/' || path[0] == '\0')
        return false;
    while (*path != '\0') {
        size_t n = strcspn(path, "/");
        if (!vl_archive_part_is_good(path, n))
            return false;
        path += n;
        path += *path == '/';
    }
    return true;
}

static size_t depth_of(const char *path)
{
    size_t depth = 0;
    for (; *path != '\0'; path++)
        depth += *path == '/';
    return depth;
}

/* Sources, a receipt and archives, but not those that begin with a dot, because a Mac adds such files, and
 * not in folders so deep that no lab is looked for there. */
static bool is_kept(const struct unpacking *unpacking, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    if (name[0] == '.' || strncmp(path, "__MACOSX/", 9) == 0 || depth_of(path) > DEPTH_MOST)
        return false;
    return ends_with(name, ".c") || ends_with(name, ".h") || strcmp(name, VL_RECEIPT_NAME) == 0 ||
           (unpacking->owners != NULL && vl_archive_ending(name) > 0);
}

static enum vl_status make_folder_of(const char *path)
{
    char *folder = strdup(path);
    char *slash = folder != NULL ? strrchr(folder, '/') : NULL;
    if (slash == NULL) {
        free(folder);
        return VL_ENOMEM;
    }
    *slash = '\0';
    bool made = vl_path_make_folders(folder) != 0;
    free(folder);
    return made ? VL_OK : VL_EIO;
}

static enum vl_status refuse_place(const struct unpacking *unpacking, const char *name)
{
    return refuse(unpacking, _("It has a file that would not be unpacked where it belongs: `%s`."),
                  name);
}

char *vl_archive_too_much(const char *name)
{
    return vl_text_format(
        _("It unpacks to more than this program takes: `%s` is where it became too much."), name);
}

static enum vl_status refuse_too_much(const struct unpacking *unpacking, const char *name)
{
    *unpacking->problem = vl_archive_too_much(name);
    return VL_EFORMAT;
}

/* What a name does is its archive's fault, and costs one student; a full disk stops everything. */
static enum vl_status refuse_name(const struct unpacking *unpacking, const char *name)
{
    bool fault = errno == ENOTDIR || errno == EISDIR || errno == ENAMETOOLONG;
    return fault ? refuse_place(unpacking, name) : VL_EIO;
}

static bool is_too_much(const struct unpacking *unpacking)
{
    bool class = unpacking->owners != NULL;
    return unpacking->bytes > (class ? VL_ARCHIVE_ALL : VL_ARCHIVE_BYTES) ||
           unpacking->kept > (class ? VL_ARCHIVE_CLASS : VL_ARCHIVE_SOURCES);
}

/* What was refused becomes the owner's problem; the first one stays. */
static enum vl_status blame(struct unpacking *unpacking)
{
    struct vl_archive_owner *owner = unpacking->owner;
    if (owner == NULL || unpacking->over || *unpacking->problem == NULL)
        return VL_EFORMAT;
    if (owner->problem == NULL)
        owner->problem = *unpacking->problem;
    else
        free(*unpacking->problem);
    *unpacking->problem = NULL;
    return VL_OK;
}

/* A file may have holes: what it claims to be counts, too. */
static bool is_too_long(int64_t at, size_t n)
{
    const int64_t most = VL_ARCHIVE_FILE;
    return at < 0 || at > most || (int64_t)n > most - at;
}

/* Count a piece of an entry. VL_EFORMAT: the archive is too much, or its owner's part of it. */
static enum vl_status count(struct unpacking *unpacking, size_t n, bool kept, const char *name)
{
    struct vl_archive_owner *owner = unpacking->owner;
    unpacking->bytes += n;
    unpacking->kept += kept ? n : 0;
    unpacking->over = is_too_much(unpacking);
    if (owner != NULL) {
        vl_archive_count_anew(unpacking->source);
        owner->bytes += n;
    }
    return unpacking->over || (owner != NULL && owner->bytes > VL_ARCHIVE_BYTES)
               ? refuse_too_much(unpacking, name)
               : VL_OK;
}

static enum vl_status write_at(int file, const char *block, size_t n, int64_t at)
{
    for (size_t done = 0; done < n;) {
        ssize_t wrote = pwrite(file, block + done, n - done, (off_t)at + (off_t)done);
        if (wrote < 0 && errno != EINTR)
            return VL_EIO;
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    return VL_OK;
}

/* The bytes of an entry into 'file', or nowhere if that is -1; both count. */
static enum vl_status copy(struct unpacking *unpacking, int file, const char *name)
{
    const void *block;
    size_t n;
    int64_t at;
    int result;
    while ((result = archive_read_data_block(unpacking->archive, &block, &n, &at)) == ARCHIVE_OK) {
        if (file >= 0 && is_too_long(at, n)) {
            if (unpacking->owners == NULL)
                return refuse_too_much(unpacking, name);
            file = -1; /* one student's fault: cut off, it is refused when its turn comes */
        }
        enum vl_status status = count(unpacking, n, file >= 0, name);
        if (status == VL_EFORMAT && blame(unpacking) == VL_OK) {
            status = VL_OK;
            file = -1;
        }
        if (status == VL_OK && file >= 0)
            status = write_at(file, block, n, at);
        if (status != VL_OK)
            return status;
    }
    unpacking->over = result == ARCHIVE_FATAL;
    return result == ARCHIVE_EOF
               ? VL_OK
               : refuse(unpacking, _("It is damaged: `%s` cannot be unpacked."), name);
}

/* It keeps the time of its last change: of two submissions the newer one counts. */
static enum vl_status keep(struct unpacking *unpacking, struct archive_entry *entry,
                           const char *name)
{
    const struct timespec changed[2] = {{.tv_nsec = UTIME_OMIT},
                                        {.tv_sec = archive_entry_mtime(entry)}};
    char *path = vl_path_join(unpacking->folder, name);
    enum vl_status status = path != NULL ? make_folder_of(path) : VL_ENOMEM;
    if (status == VL_EIO)
        status = refuse_name(unpacking, name);
    if (status == VL_OK) {
        int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
        if (file < 0 && errno == EEXIST)
            status = refuse(unpacking, _("It holds `%s` twice."), name);
        else if (file < 0)
            status = refuse_name(unpacking, name);
        else
            status = copy(unpacking, file, name);
        if (file >= 0)
            futimens(file, changed);
        if (file >= 0 && close(file) != 0 && status == VL_OK)
            status = VL_EIO;
    }
    free(path);
    return status;
}

static enum vl_status take_named(struct unpacking *unpacking, struct archive_entry *entry,
                                 const char *name)
{
    if (!is_good_path(name))
        return refuse_place(unpacking, name);
    if (archive_entry_filetype(entry) == AE_IFDIR)
        return VL_OK;
    if (archive_entry_filetype(entry) == AE_IFLNK || archive_entry_hardlink(entry) != NULL)
        return refuse(unpacking, _("It has a link instead of a file: `%s`."), name);
    if (archive_entry_filetype(entry) != AE_IFREG || !is_kept(unpacking, name))
        return copy(unpacking, -1, name);
    if (archive_entry_is_encrypted(entry))
        return refuse(unpacking, _("It is encrypted."));
    return keep(unpacking, entry, name);
}

/* An entry of an owner who has too many, or from whom nothing more is taken, is skipped. */
static enum vl_status take_owned(struct unpacking *unpacking, struct archive_entry *entry,
                                 const char *name)
{
    struct vl_archive_owner *owner = unpacking->owner;
    if (owner->problem != NULL)
        return copy(unpacking, -1, name);
    return ++owner->entries > VL_ARCHIVE_ENTRIES
               ? refuse(unpacking, _("It has too many files, or one without a name."))
               : take_named(unpacking, entry, name);
}

/* Names in other alphabets stay as they are: their bytes are not changed. */
static enum vl_status take_entry(struct unpacking *unpacking, struct archive_entry *entry)
{
    const char *name = archive_entry_pathname_utf8(entry);
    if (name == NULL)
        name = archive_entry_pathname(entry);
    bool class = unpacking->owners != NULL;
    unpacking->owner = class && name != NULL ? vl_archive_owner_of(unpacking->owners, name) : NULL;
    if (name == NULL || (class && unpacking->owner == NULL) ||
        (!class && ++unpacking->entries > VL_ARCHIVE_ENTRIES))
        return refuse(unpacking, _("It has too many files, or one without a name."));
    if (!class)
        return take_named(unpacking, entry, name);
    enum vl_status status = take_owned(unpacking, entry, name);
    return status == VL_EFORMAT ? blame(unpacking) : status;
}

/* A warning is about how a name is written: a class's archive is taken all the same. */
static int next_entry(const struct unpacking *unpacking, struct archive_entry **entry)
{
    int result = archive_read_next_header(unpacking->archive, entry);
    if (unpacking->owners == NULL)
        return result;
    vl_archive_count_anew(unpacking->source);
    return result == ARCHIVE_WARN ? ARCHIVE_OK : result;
}

static enum vl_status take_all(struct unpacking *unpacking)
{
    struct archive_entry *entry;
    enum vl_status status = VL_OK;
    int result = ARCHIVE_OK;
    while (status == VL_OK && (result = next_entry(unpacking, &entry)) == ARCHIVE_OK)
        status = take_entry(unpacking, entry);
    if (status == VL_OK && result != ARCHIVE_EOF)
        status = refuse(unpacking, _("It is damaged, or not an archive."));
    return status;
}

/* Instead of "It is damaged", which is how the reader understood the end of the bytes. */
static enum vl_status refuse_layer(const struct unpacking *unpacking, const char *path)
{
    const char *slash = strrchr(path, '/');
    free(*unpacking->problem);
    return refuse_too_much(unpacking, slash != NULL ? slash + 1 : path);
}

enum vl_status vl_archive_unpack(const char *folder, struct vl_archive_owners *owners,
                                 char **problem, const char *path)
{
    struct vl_archive_source source = {.most = VL_ARCHIVE_LAYER, .all = VL_ARCHIVE_ALL};
    struct unpacking unpacking = {.archive = archive_read_new(),
                                  .source = &source,
                                  .folder = folder,
                                  .owners = owners,
                                  .problem = problem};
    *problem = NULL;
    if (unpacking.archive == NULL)
        return VL_ENOMEM;
    enum vl_status status = VL_OK;
    if (!vl_archive_open(unpacking.archive, &source, path))
        status = refuse(&unpacking, _("It is damaged, or not an archive."));
    else
        status = take_all(&unpacking);
    int why = errno;
    archive_read_free(unpacking.archive);
    if (vl_archive_is_too_much(&source))
        status = refuse_layer(&unpacking, path);
    vl_archive_source_free(&source);
    errno = why;
    return status;
}
