#include "cli/clinic/chart.h"

#include "base/text.h"
#include "cli/shared/say.h"
#include "cli/shared/state.h"
#include "clinic/credit.h"
#include "report/verdict/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME   "clinic.json"
#define SCHEMA "vialata.clinic/1"
#define MANY   1000 /* diagnoses; more are not counted */

static void number_of(char text[8], const struct vl_clinic_case *item)
{
    snprintf(text, 8, "%02d", item->number);
}

static bool is_ours(const json_t *all)
{
    const char *schema = json_string_value(json_object_get(all, "schema"));
    return schema != NULL && strcmp(schema, SCHEMA) == 0 &&
           json_is_object(json_object_get(all, "cases"));
}

/* The file's object, fresh; an empty one if there is none, or it is not understood. *other says that. */
static json_t *read_all(bool *other)
{
    json_error_t error;
    char *path = vl_state_file(NAME);
    json_t *all = path != NULL ? json_load_file(path, 0, &error) : NULL;
    bool ours = is_ours(all);
    *other = !ours && path != NULL && access(path, F_OK) == 0;
    free(path);
    if (ours)
        return all;
    json_decref(all);
    return json_pack("{s:s, s:{}}", "schema", SCHEMA, "cases");
}

/* What is not understood may be a newer Vialata's: it is kept. */
static void set_aside(const char *path)
{
    char *old = NULL;
    if (asprintf(&old, "%s.old", path) >= 0) {
        rename(path, old);
        free(old);
    }
}

static int bounded(const json_t *chart, const char *key, int most)
{
    json_int_t value = json_integer_value(json_object_get(chart, key));
    return value < 0 ? 0 : value > most ? most : (int)value;
}

static struct vl_clinic_chart chart_from(const json_t *kept)
{
    return (struct vl_clinic_chart){
        .diagnoses = bounded(kept, "diagnoses", MANY),
        .points = bounded(kept, "points", VL_CREDIT_WHOLE),
        .hints = bounded(kept, "hints", VL_CLINIC_HINTS),
        .whole = json_is_true(json_object_get(kept, "whole")),
        .report = json_is_true(json_object_get(kept, "report")),
        .given_up = json_is_true(json_object_get(kept, "given_up")),
        .repaired = json_is_true(json_object_get(kept, "repaired")),
    };
}

static struct vl_clinic_chart chart_in(const json_t *all, const struct vl_clinic_case *item)
{
    char number[8];
    number_of(number, item);
    return chart_from(json_object_get(json_object_get(all, "cases"), number));
}

struct vl_clinic_chart vl_clinic_chart_recall(const struct vl_clinic_case *item)
{
    bool other;
    json_t *all = read_all(&other);
    struct vl_clinic_chart chart = chart_in(all, item);
    json_decref(all);
    return chart;
}

int vl_clinic_chart_points(const struct vl_clinic_chart *chart)
{
    return chart->points + (chart->repaired ? VL_CREDIT_REPAIR : 0);
}

static json_t *json_of(const struct vl_clinic_chart *chart)
{
    return json_pack("{s:i, s:i, s:i, s:b, s:b, s:b, s:b}", "diagnoses", chart->diagnoses, "points",
                     chart->points, "hints", chart->hints, "whole", chart->whole, "report",
                     chart->report, "given_up", chart->given_up, "repaired", chart->repaired);
}

enum vl_exit vl_clinic_chart_keep(const struct vl_clinic_case *item,
                                  const struct vl_clinic_chart *chart)
{
    char number[8], *path = vl_state_path(NAME);
    bool other;
    json_t *all = read_all(&other);
    if (other && path != NULL)
        set_aside(path);
    number_of(number, item);
    json_object_set_new(json_object_get(all, "cases"), number, json_of(chart));
    enum vl_status status = path != NULL ? vl_json_save(path, json_incref(all)) : VL_EIO;
    json_decref(all);
    free(path);
    if (status == VL_EIO)
        return vl_say(VL_EXIT_LACK, _("Your progress could not be kept (%m)."));
    return vl_say_status(status);
}

json_t *vl_clinic_chart_json(void)
{
    bool other;
    json_t *all = read_all(&other), *cases = json_array();
    int points = 0;
    for (size_t i = 0; i < vl_clinic_count; i++) {
        const struct vl_clinic_case *item = vl_clinic_cases[i];
        struct vl_clinic_chart chart = chart_in(all, item);
        json_t *one = json_of(&chart);
        json_object_set_new(one, "number", json_integer(item->number));
        json_object_set_new(one, "slug", json_string(item->slug));
        json_object_set_new(one, "score", json_integer(vl_clinic_chart_points(&chart)));
        json_array_append_new(cases, one);
        points += vl_clinic_chart_points(&chart);
    }
    json_decref(all);
    return json_pack("{s:s, s:i, s:i, s:o}", "schema", SCHEMA, "score", points, "max_score",
                     (int)vl_clinic_count * (VL_CREDIT_WHOLE + VL_CREDIT_REPAIR), "cases", cases);
}
