#include "cli/shared/parts.h"

#include "cli/shared/texts.h"

#include <string.h>

size_t vl_parts_of(struct vl_part parts[VL_PARTS_MOST], const char *page)
{
    size_t count = 1;
    parts[0] = (struct vl_part){.begin = page};
    for (const char *line = page; *line != '\0'; line = vl_text_next_line(line)) {
        if (vl_text_heading(line) != 2 || count == VL_PARTS_MOST)
            continue;
        size_t mark = strspn(line, "# ");
        parts[count - 1].length = (size_t)(line - parts[count - 1].begin);
        parts[count++] = (struct vl_part){
            .begin = line, .title = line + mark, .title_length = strcspn(line + mark, "\n")};
    }
    parts[count - 1].length = strlen(parts[count - 1].begin);
    return count;
}

char *vl_part_text(const struct vl_part *part)
{
    return strndup(part->begin, part->length);
}
