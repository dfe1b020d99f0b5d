/*
 * Print the program of a case as its case repairs it: for check_clinic.py.
 *
 *   clinic_repaired N            the program
 *   clinic_repaired N symptom    how it shows that it is broken
 */
#include "base/file.h"
#include "base/place.h"
#include "clinic/case.h"
#include "clinic/repair.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const symptoms[] = {[VL_SYMPTOM_STANDSTILL] = "standstill",
                                       [VL_SYMPTOM_NUMBERS] = "numbers",
                                       [VL_SYMPTOM_ERROR] = "error",
                                       [VL_SYMPTOM_LEFT] = "left"};

int main(int argc, char **argv)
{
    char name[80], *text = NULL, *repaired = NULL;
    size_t n;
    const struct vl_clinic_case *item = argc >= 2 ? vl_clinic_case(atoi(argv[1])) : NULL;
    if (item == NULL || vl_place_start() != VL_OK)
        return 2;
    if (argc == 3) {
        puts(symptoms[item->symptom]);
        return 0;
    }
    snprintf(name, sizeof name, "clinic/%02d_%s.c", item->number, item->slug);
    char *path = vl_place_path("labs", name);
    if (path == NULL || vl_file_read(&text, &n, path, 100000) != VL_OK ||
        vl_clinic_repair(&repaired, item, text) != VL_OK)
        return 1;
    fputs(repaired, stdout);
    free(repaired);
    free(text);
    free(path);
    vl_place_end();
    return 0;
}
