#include "grade/catalogue/shapes.h"

#include "base/random.h"
#include "grade/catalogue/derive.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The rule is public, so its key may be known to everybody. */
static const char public_key[] = "vialata-shapes";

uint32_t vl_shape_drawn(const struct vl_lab *lab, const struct vl_sealed_shape *shape,
                        const char *student)
{
    size_t count = 0;
    while (count < VL_SHAPE_CHOICES && shape->choices[count] != 0)
        count++;
    if (student == NULL || count == 0)
        return shape->usual;
    uint64_t seed = vl_derive(public_key, strlen(public_key), shape->name, lab->slug, student);
    return shape->choices[vl_random_below(count, seed, 0, 0)];
}

enum vl_status vl_shapes_put(struct vl_bag *inputs, const struct vl_lab *lab, const char *student)
{
    bool put = true;
    for (size_t i = 0; i < lab->shape_count && put; i++) {
        const struct vl_sealed_shape *shape = &lab->shapes[i];
        char *name = strdup(shape->name);
        for (char *letter = name; name != NULL && *letter != '\0'; letter++)
            *letter = (char)tolower((unsigned char)*letter);
        put = name != NULL && vl_bag_set_int(inputs, name, vl_shape_drawn(lab, shape, student));
        free(name);
    }
    return put ? VL_OK : VL_ENOMEM;
}

VL_MAKE(shapes)
{
    (void)seed;
    return vl_shapes_put(inputs, vl_case_lab(self), NULL);
}

/* ---- in a text ---- */

static bool in_a_word(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_';
}

/* Where the number of `NAME = number` begins, the first that there is; NULL if there is none. */
static const char *find_number(const char *text, const char *name)
{
    for (const char *at = text; (at = strstr(at, name)) != NULL; at += strlen(name)) {
        const char *after = at + strlen(name);
        if ((at > text && in_a_word(at[-1])) || in_a_word(*after))
            continue;
        after += strspn(after, " \t");
        if (*after != '=')
            continue;
        after += 1 + strspn(after + 1, " \t");
        if (isdigit((unsigned char)*after))
            return after;
    }
    return NULL;
}

bool vl_shapes_agree(const char *text, const struct vl_lab *lab, const char *student)
{
    for (size_t i = 0; i < lab->shape_count; i++) {
        const struct vl_sealed_shape *shape = &lab->shapes[i];
        const char *number = find_number(text, shape->name);
        unsigned long said = number != NULL ? strtoul(number, NULL, 10) : shape->usual;
        if (said != vl_shape_drawn(lab, shape, student))
            return false;
    }
    return true;
}

/* The text with another number in one place. Frees the old text. */
static char *replaced(char *text, const char *number, uint32_t value)
{
    char *longer = NULL;
    int before = (int)(number - text);
    const char *after = number + strspn(number, "0123456789");
    if (asprintf(&longer, "%.*s%u%s", before, text, value, after) < 0)
        longer = NULL;
    free(text);
    return longer;
}

char *vl_shapes_written(const char *text, const struct vl_lab *lab, const char *student)
{
    char *written = strdup(text);
    for (size_t i = 0; i < lab->shape_count && written != NULL; i++) {
        const struct vl_sealed_shape *shape = &lab->shapes[i];
        const char *number = find_number(written, shape->name);
        if (number != NULL)
            written = replaced(written, number, vl_shape_drawn(lab, shape, student));
    }
    return written;
}
