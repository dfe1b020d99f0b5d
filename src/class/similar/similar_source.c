/* What a student wrote: the lines of a submission that the lab's own files do not have. */
#include "class/similar/similar.h"

#include "base/file.h"
#include "base/fingerprint.h"
#include "base/path.h"
#include "base/place.h"
#include "grade/build/lab_files.h"
#include "grade/build/sources.h"
#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct vl_known_lines {
    size_t count;
    uint64_t lines[]; /* fingerprints, sorted */
};

/* Where the comment or the literal that begins at 'at' ends. A literal ends with its line, too, unless a
 * backslash goes before. */
static size_t comment_end(const char *text, size_t n, size_t at)
{
    bool line = text[at + 1] == '/';
    for (at += 2; at < n; at++) {
        if (line && text[at] == '\n')
            return at;
        if (!line && text[at] == '*' && at + 1 < n && text[at + 1] == '/')
            return at + 2;
        if (line && text[at] == '\\')
            at++;
    }
    return n;
}

static size_t literal_end(const char *text, size_t n, size_t at)
{
    char quote = text[at];
    for (at++; at < n && text[at] != quote && text[at] != '\n'; at++)
        if (text[at] == '\\')
            at++;
    return at < n ? at + 1 : n;
}

/* Put spaces instead of comments. Lines are left out one by one: of a comment whose last line the lab has
 * as well, such as a lone end, the beginning would be left, and all that follows would be a comment. */
static void blank_comments(char *text, size_t n)
{
    for (size_t i = 0; i + 1 < n;)
        if (text[i] == '"' || text[i] == '\'')
            i = literal_end(text, n, i);
        else if (text[i] == '/' && (text[i + 1] == '*' || text[i + 1] == '/'))
            for (size_t end = comment_end(text, n, i); i < end; i++)
                text[i] = text[i] == '\n' ? '\n' : ' ';
        else
            i++;
}

/* Of a line without its spaces; VL_FINGERPRINT for an empty one. */
static uint64_t fingerprint_of(const char *line, size_t n)
{
    uint64_t key = VL_FINGERPRINT;
    for (size_t i = 0; i < n; i++)
        if (!isspace((unsigned char)line[i]))
            key = vl_fingerprint(key, &line[i], 1);
    return key;
}

static int ascending(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* ---- the lab's ---- */

static bool add_lines(struct vl_known_lines **known, char *text, size_t n)
{
    size_t lines = 1;
    blank_comments(text, n);
    for (size_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    struct vl_known_lines *more =
        realloc(*known, sizeof *more + ((*known)->count + lines) * sizeof more->lines[0]);
    if (more == NULL)
        return false;
    *known = more;
    for (size_t at = 0; at < n;) {
        size_t length = strcspn(text + at, "\n");
        more->lines[more->count++] = fingerprint_of(text + at, length);
        at += length + 1;
    }
    return true;
}

struct vl_known_lines *vl_known_lines_of(const struct vl_lab *lab)
{
    struct vl_known_lines *known = calloc(1, sizeof *known);
    char *folder = vl_place_path("labs", lab->folder);
    bool complete = known != NULL && folder != NULL;
    for (const char *const *file = lab->files; complete && *file != NULL; file++) {
        char *path = vl_path_join(folder, *file), *text = NULL;
        size_t n = 0;
        complete = path != NULL;
        if (complete && vl_file_read(&text, &n, path, VL_SOURCE_BYTES) == VL_OK)
            complete = add_lines(&known, text, strlen(text));
        free(text);
        free(path);
    }
    free(folder);
    if (complete) {
        qsort(known->lines, known->count, sizeof known->lines[0], ascending);
        return known;
    }
    free(known);
    return NULL;
}

/* ---- the student's ---- */

static bool is_known(const struct vl_known_lines *known, uint64_t key)
{
    return bsearch(&key, known->lines, known->count, sizeof key, ascending) != NULL;
}

/* Zero bytes end no line here: whatever is written reads as text. Returns the bytes it has put. */
static size_t put_own(FILE *stream, const struct vl_known_lines *known, char *text, size_t n)
{
    size_t put = 0;
    for (size_t i = 0; i < n; i++)
        if (text[i] == '\0')
            text[i] = ' ';
    blank_comments(text, n);
    for (size_t at = 0; at < n;) {
        size_t length = strcspn(text + at, "\n");
        uint64_t key = fingerprint_of(text + at, length);
        if (key != VL_FINGERPRINT && !is_known(known, key)) {
            fwrite(text + at, 1, length, stream);
            fputc('\n', stream);
            put += length + 1;
        }
        at += length + 1;
    }
    return put;
}

/* A link is not followed: it may lead to a file of somebody else. */
static size_t put_file(FILE *stream, const struct vl_known_lines *known, const char *path)
{
    struct stat info;
    char *text = NULL;
    size_t n = 0;
    if (lstat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return 0;
    enum vl_status status = vl_file_read(&text, &n, path, VL_SOURCE_BYTES);
    size_t put = status == VL_OK        ? put_own(stream, known, text, n)
                 : status == VL_EFORMAT ? VL_SIMILAR_BYTES + 1
                                        : 0;
    free(text);
    return put;
}

/* Code may lie in a header as well. */
static size_t put_headers(FILE *stream, const struct vl_known_lines *known, const char *folder)
{
    struct dirent **headers = NULL;
    size_t put = 0;
    int count = vl_headers_list(&headers, folder);
    for (int i = 0; i < count; i++) {
        char *path = i < VL_HEADERS ? vl_path_join(folder, headers[i]->d_name) : NULL;
        put += path != NULL && put <= VL_SIMILAR_BYTES ? put_file(stream, known, path) : 0;
        free(path);
        free(headers[i]);
    }
    free(headers);
    return put;
}

static size_t put_folder(FILE *stream, const struct vl_known_lines *known, const struct vl_lab *lab,
                         const char *folder)
{
    size_t put = 0;
    for (const char *const *file = lab->files; *file != NULL && put <= VL_SIMILAR_BYTES; file++) {
        char *path = vl_path_join(folder, *file);
        put += path != NULL ? put_file(stream, known, path) : 0;
        free(path);
    }
    return put + put_headers(stream, known, folder);
}

size_t vl_own_lines_put(FILE *stream, const struct vl_known_lines *known, const struct vl_lab *lab,
                        const char *path)
{
    struct stat info;
    if (lstat(path, &info) != 0)
        return 0;
    return S_ISREG(info.st_mode) ? put_file(stream, known, path)
                                 : put_folder(stream, known, lab, path);
}
