/* Any bytes as a table of overrides, as a roster, as a class's points, as a report of sim_c and as a
 * time: refused, told, or every figure is within its bounds. */
#include "fuzz.h"

#include "class/book/lateness.h"
#include "class/book/overrides.h"
#include "class/book/points.h"
#include "class/similar/similar.h"
#include <math.h>

/* One lab, so that the target does not need all that the real ones are made of. */
static const struct vl_lab lab = {.number = 1, .slug = "one", .folder = "01_one"};

const struct vl_lab *vl_lab_find(const char *name)
{
    return strchr(name, '1') != NULL ? &lab : NULL;
}

static void read_overrides(const char *path)
{
    struct vl_student student = {.id = (char *)"ada", .name = (char *)"Ada"};
    const struct vl_roster roster = {&student, 1};
    const struct vl_intake nobody = {0};
    const struct vl_case_result result = {
        .id = (char *)"x", .function = (char *)"vl_x", .max_points = 3};
    struct vl_verdict verdict = {0};
    struct vl_overrides overrides;
    char *problem;
    size_t at = 0;
    if (vl_overrides_read(&overrides, &problem, path) != VL_OK) {
        free(problem);
        return;
    }
    MUST(vl_verdict_add(&verdict, &result) != NULL);
    vl_verdict_close(&verdict);
    MUST(vl_overrides_know(&overrides, &roster, &nobody) == VL_OK);
    vl_overrides_apply_cases(&overrides, "ada", &lab, &verdict);
    vl_overrides_apply_lab(&overrides, "ada", &lab, &verdict);
    MUST(verdict.score >= 0 && verdict.score <= VL_OVERRIDE_POINTS_MOST);
    for (const struct vl_override *one;
         (one = vl_overrides_next(&overrides, "ada", &lab, &at)) != NULL;)
        free(vl_override_text(one));
    vl_verdict_free(&verdict);
    vl_overrides_free(&overrides);
}

static void read_roster(const char *path)
{
    struct vl_roster roster;
    char *problem;
    if (vl_roster_read(&roster, &problem, path) != VL_OK) {
        free(problem);
        return;
    }
    for (size_t i = 0; i < roster.count; i++)
        MUST(vl_student_id_is_good(roster.students[i].id) && roster.students[i].extra_time >= 1);
    vl_roster_free(&roster);
}

static void read_points(const char *path)
{
    struct vl_points points = {0};
    enum vl_status status = vl_points_read(&points, path);
    for (size_t i = 0; i < points.count; i++)
        MUST(status != VL_OK || (points.list[i].score >= 0 && points.list[i].most >= 0));
    vl_points_free(&points);
}

static void read_report(const uint8_t *bytes, size_t n)
{
    static const struct vl_similar_source ada = {"ada", &lab, ""}, bob = {"bob", &lab, ""};
    static const struct vl_similar_source *const sources[] = {&ada, &bob};
    struct vl_similar similar = {0};
    time_t at;
    char *text = strndup((const char *)bytes, n);
    MUST(text != NULL);
    MUST(vl_similar_parse(&similar, text, sources, 2, 60) == VL_OK);
    MUST(similar.count <= 1);
    vl_due_read(&at, text);
    free(similar.list);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    char path[64];
    int fd = file_of(path, bytes, n);
    read_overrides(path);
    read_roster(path);
    read_points(path);
    close(fd);
    read_report(bytes, n);
    return 0;
}

static void make_seeds(void)
{
    seed_text("overrides", "id;lab;case;points;comment;by;bonus\nada;1;x;1,5;why;who;yes\n"
                           "Ada;1;;80;;;\nada;1;x;9;;;\neve;1;x;1;;;\n");
    seed_text("bonus", "id,lab,case,points,bonus\nada,1,x,1000,yes\n");
    seed_text("roster", "id,name,language,late_days,extra_time,board\nada,Ada,fr,2,1.5,no\n");
    seed_text("points", "{\"schema\": \"vialata.points/1\", \"lab\": \"01\", \"students\": "
                        "[{\"student\": \"ada\", \"score\": 3, \"max_score\": 3, \"cases\": "
                        "[{\"id\": \"x\", \"points\": 3, \"max_points\": 3, \"code\": null}]}]}");
    seed_text("report", "File 0.c: 500 tokens, 60 lines\nFile 1.c: 400 tokens\n"
                        "0.c consists for 70 % of 1.c material\n");
    seed_text("time", "2026-12-01T18:00");
}
