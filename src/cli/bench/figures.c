#include "cli/bench/figures.h"

#include "base/number.h"

#include <stdio.h>

double vl_bench_number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

void vl_bench_shape_name(char name[VL_BENCH_SHAPE_NAME], const json_t *shape)
{
    snprintf(name, VL_BENCH_SHAPE_NAME, "L%g D%g H%g T%g B%g V%g", vl_bench_number(shape, "layers"),
             vl_bench_number(shape, "width"), vl_bench_number(shape, "heads"),
             vl_bench_number(shape, "sequence"), vl_bench_number(shape, "batch"),
             vl_bench_number(shape, "vocabulary"));
}

void vl_bench_put(const struct vl_terminal *terminal, int columns, double value, int decimals)
{
    char number[VL_NUMBER_TEXT];
    vl_terminal_put(terminal, VL_STYLE_PLAIN, -columns, vl_number_text(number, value, decimals));
}

void vl_bench_tell(const json_t *event, const char *name, int json, void (*put)(const json_t *told))
{
    const json_t *told = json_object_get(event, name);
    if (told == NULL)
        return;
    if (json) {
        json_dumpf(event, stdout, JSON_INDENT(2));
        putchar('\n');
    } else {
        put(told);
    }
}
