/*
 * What is said of known mistakes if nobody knows them: each line of the standard input is a mistake and a
 * function, "FUNCTION/CODE FUNCTION"; each line of the output is a case that failed, "FUNCTION/CODE FUNCTION
 * CASE CODE", a tab, and what is said. check_signs.py starts it.
 */
#include "base/place.h"
#include "grade/run/grade.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum vl_status grade(const struct vl_lab *lab, const char *mistake, const char *function)
{
    const struct vl_grade_request request = {.lab = lab,
                                             .mistake = mistake,
                                             .origin = {.seed = VL_GRADE_SEED},
                                             .only = function,
                                             .without_throughput = 1,
                                             .unexplained = true};
    struct vl_verdict verdict;
    enum vl_status status = vl_grade(&verdict, &request);
    for (size_t i = 0; i < verdict.case_count && status == VL_OK; i++) {
        const struct vl_case_result *result = &verdict.cases[i];
        if (result->code != NULL)
            printf("%s %s %s %s\t%s\n", mistake, function, result->id, result->code,
                   result->message);
    }
    if (status != VL_OK)
        fprintf(stderr, "%s: %s\n", mistake, verdict.message != NULL ? verdict.message : "");
    vl_verdict_free(&verdict);
    return status;
}

int main(int argc, char **argv)
{
    const struct vl_lab *lab = argc == 2 ? vl_lab_find(argv[1]) : NULL;
    char line[512];
    enum vl_status status = lab != NULL ? vl_place_start() : VL_EINVAL;
    while (status == VL_OK && fgets(line, sizeof line, stdin) != NULL) {
        char *mistake = strtok(line, " \n"), *function = strtok(NULL, " \n");
        status = mistake != NULL && function != NULL ? grade(lab, mistake, function) : VL_EINVAL;
        fflush(stdout);
    }
    vl_place_end();
    return status == VL_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
