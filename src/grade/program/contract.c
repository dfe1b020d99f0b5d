#include "grade/program/contract.h"

#include "base/file.h"
#include "base/path.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_LIMIT ((size_t)1 << 20)

/* ---- C, as far as these headers need it ---- */

/* Comments become blanks; in place. */
static void blank_comments(char *text)
{
    for (char *at = text; *at != '\0'; at++) {
        size_t length = 0;
        if (at[0] == '/' && at[1] == '*') {
            const char *end = strstr(at + 2, "*/");
            length = end != NULL ? (size_t)(end + 2 - at) : strlen(at);
        } else if (at[0] == '/' && at[1] == '/') {
            length = strcspn(at, "\n");
        }
        memset(at, ' ', length);
    }
}

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Where this whole word is followed by 'mark'; NULL if it is not there. Returns what comes after. */
static const char *after_word(const char *text, const char *word, char mark)
{
    size_t length = strlen(word);
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
        const char *next = at + length + strspn(at + length, " \n");
        if ((at == text || !is_letter(at[-1])) && *next == mark)
            return next + 1;
    }
    return NULL;
}

/* Take the last word off a piece of C; false if there is none, or it is too long. */
static bool take_last_word(char word[VL_CONTRACT_NAME], const char *begin, size_t *length)
{
    size_t end = *length;
    while (end > 0 && isspace((unsigned char)begin[end - 1]))
        end--;
    size_t start = end;
    while (start > 0 && is_letter(begin[start - 1]))
        start--;
    if (start == end || end - start >= VL_CONTRACT_NAME)
        return false;
    memcpy(word, begin + start, end - start);
    word[end - start] = '\0';
    *length = start;
    return true;
}

/* "const float *x" */
static bool read_parameter(struct vl_parameter *parameter, const char *text, size_t length)
{
    char word[VL_CONTRACT_NAME];
    *parameter = (struct vl_parameter){0};
    if (!take_last_word(parameter->name, text, &length))
        return false;
    while (length > 0 && (isspace((unsigned char)text[length - 1]) || text[length - 1] == '*')) {
        if (text[length - 1] == '*' && parameter->is_pointer)
            return false; /* a pointer to a pointer */
        parameter->is_pointer |= text[length - 1] == '*';
        length--;
    }
    if (!take_last_word(parameter->type, text, &length))
        return false;
    while (take_last_word(word, text, &length)) {
        if (strcmp(word, "struct") == 0) {
            char name[VL_CONTRACT_NAME];
            strcpy(name, parameter->type);
            if (strlen(name) + sizeof "struct " > VL_CONTRACT_NAME)
                return false;
            strcpy(stpcpy(parameter->type, "struct "), name);
        } else if (strcmp(word, "const") == 0) {
            parameter->is_constant = true;
        } else {
            return false;
        }
    }
    return strspn(text, " \n") >= length;
}

/* Pieces that 'mark' ends, up to 'end'. */
static enum vl_status read_list(struct vl_contract *contract, const char *text, char mark, char end)
{
    const char marks[] = {mark, end, '\0'};
    contract->count = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, marks);
        bool is_blank = strspn(text, " \n") >= length;
        if (is_blank && text[length] == end)
            return contract->count > 0 ? VL_OK : VL_ELACK;
        if (contract->count == VL_PARAMETERS_MOST ||
            !read_parameter(&contract->parameters[contract->count++], text, length))
            return VL_ELACK;
        if (text[length] == end)
            return VL_OK;
        text += length + (text[length] != '\0');
    }
    return VL_ELACK;
}

/* ---- headers ---- */

static enum vl_status read_header(char **text, const char *folder, const char *name)
{
    size_t length;
    char *path = vl_path_join(folder, name);
    enum vl_status status =
        path != NULL ? vl_file_read(text, &length, path, HEADER_LIMIT) : VL_ENOMEM;
    if (status == VL_OK)
        blank_comments(*text);
    free(path);
    return status;
}

static int is_header(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 2 && length < VL_CONTRACT_NAME && strcmp(entry->d_name + length - 2, ".h") == 0;
}

/* VL_EFORMAT if it is another header's. */
static enum vl_status look_in(struct vl_contract *contract, const char *function,
                              const char *folder, const char *name)
{
    char *text = NULL;
    enum vl_status status = read_header(&text, folder, name);
    const char *list = status == VL_OK ? after_word(text, function, '(') : NULL;
    if (status == VL_OK && list == NULL)
        status = VL_EFORMAT;
    if (status == VL_OK) {
        strcpy(contract->header, name);
        status = read_list(contract, list, ',', ')');
    }
    free(text);
    return status;
}

enum vl_status vl_contract_read(struct vl_contract *contract, const char *function,
                                const char *folder)
{
    struct dirent **names = NULL;
    *contract = (struct vl_contract){0};
    int count = scandir(folder, &names, is_header, alphasort);
    enum vl_status status = count < 0 ? VL_EIO : VL_EFORMAT;
    for (int i = 0; i < count; i++) {
        if (status == VL_EFORMAT)
            status = look_in(contract, function, folder, names[i]->d_name);
        free(names[i]);
    }
    free(names);
    return status == VL_EFORMAT ? VL_ELACK : status;
}

enum vl_status vl_contract_fields(struct vl_contract *fields, const char *type, const char *header,
                                  const char *folder)
{
    char *text = NULL;
    *fields = (struct vl_contract){0};
    enum vl_status status = read_header(&text, folder, header);
    const char *list = status == VL_OK ? after_word(text, type, '{') : NULL;
    if (status == VL_OK)
        status = list != NULL ? read_list(fields, list, ';', '}') : VL_ELACK;
    free(text);
    return status;
}
