/* Where two lines cross, and what is said about it, follows from the numbers of a study. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/study/bandwidth.h"
#include "scratch_file.h"

#include <math.h>
#include <stdio.h>

enum { TURNS = 4, ROADS = 3 };

static const double rates[ROADS] = {1e7, 1e8, 1e9};

/* ---- crossovers ---- */

static void assert_near(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-9 * fabs(wanted)))
        fail_msg("%.12g instead of %.12g", got, wanted);
}

static struct vl_bandwidth_crossover cross(double a, double b, double c)
{
    const double one[ROADS] = {a, b, c}, other[ROADS] = {1, 1, 1};
    return vl_bandwidth_cross(rates, one, other, ROADS);
}

/* Seconds like 1 / rate are a straight line where both axes are logarithmic: exact. */
static void power_laws_cross_where_they_do(void **state)
{
    (void)state;
    double one[ROADS], other[ROADS];
    for (size_t i = 0; i < ROADS; i++) {
        one[i] = 3e8 / rates[i];
        other[i] = 5e3 / sqrt(rates[i]);
    }
    struct vl_bandwidth_crossover found = vl_bandwidth_cross(rates, one, other, ROADS);
    assert_int_equal(found.verdict, VL_BANDWIDTH_NOWHERE); /* at 3.6e9 */
    for (size_t i = 0; i < ROADS; i++)
        one[i] /= 4;
    found = vl_bandwidth_cross(rates, one, other, ROADS); /* (3e8 / 4 / 5e3)^2 */
    assert_int_equal(found.verdict, VL_BANDWIDTH_CROSSES);
    assert_near(found.rate, 15e3 * 15e3);
    assert_int_equal(found.times, 1);
}

static void lines_that_meet_on_a_road_cross_there(void **state)
{
    (void)state;
    struct vl_bandwidth_crossover found = cross(2, 1, 0.5);
    assert_int_equal(found.verdict, VL_BANDWIDTH_CROSSES);
    assert_near(found.rate, 1e8);
}

static void lines_that_do_not_cross_say_which_is_below(void **state)
{
    (void)state;
    assert_int_equal(cross(0.9, 0.8, 1).verdict, VL_BANDWIDTH_EVERYWHERE);
    assert_int_equal(cross(4, 3, 2).verdict, VL_BANDWIDTH_NOWHERE);
    assert_int_equal(cross(0.9, 0.8, 1.1).verdict, VL_BANDWIDTH_NOWHERE); /* slower at the end */
    assert_true(cross(0.9, 0.8, 1.1).rate == 0);
    assert_int_equal(cross(2, NAN, 0.5).verdict, VL_BANDWIDTH_UNKNOWN);
    assert_int_equal(cross(2, 0, 0.5).verdict, VL_BANDWIDTH_UNKNOWN);
    assert_int_equal(vl_bandwidth_cross(rates, rates, rates, 0).verdict, VL_BANDWIDTH_UNKNOWN);
}

static void of_several_crossings_the_last_one_counts(void **state)
{
    (void)state;
    const double four[] = {1e7, 1e8, 1e9, 1e10}, one[] = {2, 0.5, 4, 0.25}, other[] = {1, 1, 1, 1};
    struct vl_bandwidth_crossover found = vl_bandwidth_cross(four, one, other, 4);
    assert_int_equal(found.verdict, VL_BANDWIDTH_CROSSES);
    assert_int_equal(found.times, 3);
    assert_near(found.rate, sqrt(1e9 * 1e10));
    assert_int_equal(cross(0.5, 2, 0.5).times, 2);
}

static void between_roads_both_axes_are_logarithmic(void **state)
{
    (void)state;
    const double seconds[ROADS] = {8, 2, 1};
    assert_near(vl_bandwidth_between(rates, seconds, ROADS, 1e7), 8);
    assert_near(vl_bandwidth_between(rates, seconds, ROADS, sqrt(1e7 * 1e8)), 4);
    assert_near(vl_bandwidth_between(rates, seconds, ROADS, 1e8), 2);
    assert_near(vl_bandwidth_between(rates, seconds, ROADS, 1e9), 1);
    assert_true(isnan(vl_bandwidth_between(rates, seconds, ROADS, 2e9)));
    assert_true(isnan(vl_bandwidth_between(rates, seconds, ROADS, 1)));
}

/* ---- a whole study ---- */

/* What the benchmark tells: data parallelism takes 'dp' times one second, the others 1 s. */
static json_t *told(double dp)
{
    json_t *ways = json_array();
    for (int w = 0; w < VL_BANDWIDTH_WAYS; w++) {
        json_t *seconds = json_array(), *losses = json_array();
        double one = w == VL_BANDWIDTH_DP ? dp : 1;
        for (int i = 0; i < TURNS; i++) /* the median of these is 'one' */
            json_array_append_new(seconds, json_real(one * (1 + 0.1 * (2 * i - TURNS + 1))));
        for (int i = 0; i <= TURNS; i++)
            json_array_append_new(losses, json_real(5.5 - 0.1 * i));
        json_t *way =
            json_pack("{s:s, s:o, s:o}", "way", vl_bandwidth_key((enum vl_bandwidth_way)w),
                      "seconds", seconds, "losses", losses);
        if (w != VL_BANDWIDTH_DP_OVERLAP)
            json_object_set_new(way, "planned", json_real(w == VL_BANDWIDTH_DP ? dp / 2 : 0.8));
        json_array_append_new(ways, way);
    }
    return json_pack("{s:{s:f, s:f}, s:{s:i}, s:o}", "road", "alpha", 1e-4, "beta", 1e-8, "model",
                     "parameters", 1234567, "ways", ways);
}

static struct vl_bandwidth *study_of(void)
{
    static const double dps[ROADS] = {4, 2, 0.5};
    struct vl_bandwidth *study = calloc(1, sizeof *study);
    assert_non_null(study);
    study->turns = TURNS;
    study->command = "vialata study bandwidth <&>";
    strcpy(study->date, "2026-01-02");
    for (size_t i = 0; i < ROADS; i++) {
        json_t *one = told(dps[i]);
        assert_int_equal(vl_bandwidth_take(study, rates[i], 0.5, one), VL_OK);
        json_decref(one);
    }
    return study;
}

static void medians_and_quartiles_are_those_of_the_turns(void **state)
{
    (void)state;
    struct vl_bandwidth *study = study_of();
    struct vl_bandwidth_spread spread = vl_bandwidth_measured(study, 0, VL_BANDWIDTH_DP);
    assert_near(spread.low, 4 * 0.8); /* of 0.7, 0.9, 1.1, 1.3 */
    assert_near(spread.median, 4);
    assert_near(spread.high, 4 * 1.2);
    study->turns = 3;
    spread = vl_bandwidth_measured(study, 0, VL_BANDWIDTH_DP);
    assert_near(spread.low, 4 * 0.8); /* of 0.7, 0.9, 1.1: the middle is in both halves */
    assert_near(spread.median, 4 * 0.9);
    assert_near(spread.high, 4 * 1.0);
    study->turns = 1;
    spread = vl_bandwidth_measured(study, 0, VL_BANDWIDTH_DP);
    assert_true(spread.low == spread.median && spread.high == spread.median);
    vl_bandwidth_free(study);
}

static void findings_follow_from_the_cells(void **state)
{
    (void)state;
    struct vl_bandwidth *study = study_of();
    struct vl_bandwidth_findings f;
    vl_bandwidth_find(&f, study);
    /* Data parallelism falls from 2 to 0.5 and the pipeline stays at 1: in the middle. */
    assert_int_equal(f.crossover[VL_BANDWIDTH_MEASURED].verdict, VL_BANDWIDTH_CROSSES);
    assert_near(f.crossover[VL_BANDWIDTH_MEASURED].rate, sqrt(1e8 * 1e9));
    /* Planned, from 1 to 0.25, and the pipeline at 0.8. */
    assert_near(f.crossover[VL_BANDWIDTH_PLANNED].rate, 1e8 * pow(10, log(1.25) / log(4)));
    assert_int_equal(f.crossover[VL_BANDWIDTH_SIMULATED].verdict, VL_BANDWIDTH_UNKNOWN);
    assert_int_equal(f.overlapped[VL_BANDWIDTH_MEASURED].verdict, VL_BANDWIDTH_EVERYWHERE);
    assert_int_equal(f.overlapped[VL_BANDWIDTH_PLANNED].verdict, VL_BANDWIDTH_UNKNOWN);
    assert_true(f.earliest.rate < f.crossover[VL_BANDWIDTH_MEASURED].rate);
    assert_true(f.latest.rate > f.crossover[VL_BANDWIDTH_MEASURED].rate);
    assert_near(f.widest, 0.4);
    /* 5 planned ways on 3 roads: four are 20% away, data parallelism is 50%. */
    assert_int_equal(f.gap[VL_BANDWIDTH_PLANNED].cells, 15);
    assert_int_equal(f.gap[VL_BANDWIDTH_PLANNED].within_15, 0);
    assert_int_equal(f.gap[VL_BANDWIDTH_PLANNED].within_30, 12);
    assert_near(f.gap[VL_BANDWIDTH_PLANNED].worst, 0.5);
    assert_int_equal(f.gap[VL_BANDWIDTH_SIMULATED].cells, 0);
    vl_bandwidth_free(study);
}

/* ---- what is refused ---- */

static void assert_refused(struct vl_bandwidth *study, double rate, json_t *one)
{
    size_t before = study->count;
    assert_int_equal(vl_bandwidth_take(study, rate, 0.5, one), VL_EFORMAT);
    assert_int_equal(study->count, before);
    json_decref(one);
}

static void what_is_not_whole_is_refused(void **state)
{
    (void)state;
    struct vl_bandwidth *study = study_of();
    assert_refused(study, 5e8, told(1)); /* neither measured before nor broader than the last */
    json_t *one = told(1);
    json_object_del(one, "road");
    assert_refused(study, 1e10, one);
    one = told(1);
    json_array_remove(json_object_get(one, "ways"), 3);
    assert_refused(study, 1e10, one);
    one = told(1);
    json_t *way = json_array_get(json_object_get(one, "ways"), VL_BANDWIDTH_TP);
    json_array_remove(json_object_get(way, "seconds"), 0);
    assert_refused(study, 1e10, one);
    one = told(1);
    way = json_array_get(json_object_get(one, "ways"), VL_BANDWIDTH_TP);
    json_array_set_new(json_object_get(way, "losses"), 2, json_null());
    assert_refused(study, 1e10, one);
    one = told(1);
    way = json_array_get(json_object_get(one, "ways"), VL_BANDWIDTH_TP);
    json_object_set_new(way, "way", json_string("ep"));
    assert_refused(study, 1e10, one);
    assert_refused(study, 1e10, told(0));
    assert_refused(study, 1e10, json_null());
    vl_bandwidth_free(study);
}

/* Another run on a road adds its turns; what was measured of the road is the median of the runs. */
static void runs_of_one_road_are_put_together(void **state)
{
    (void)state;
    struct vl_bandwidth *study = study_of();
    for (int run = 1; run <= 2; run++) {
        json_t *one = told(4 + run);
        json_object_set_new(json_object_get(one, "road"), "beta", json_real(run * 3e-8));
        assert_int_equal(vl_bandwidth_take(study, rates[0], 3 - run, one), VL_OK);
        json_decref(one);
    }
    const struct vl_bandwidth_road *road = &study->roads[0];
    assert_int_equal(study->count, ROADS);
    assert_int_equal(road->runs, 3);
    assert_int_equal(vl_bandwidth_steps(study, 0), 3 * TURNS);
    assert_int_equal(vl_bandwidth_steps(study, 1), TURNS);
    assert_near(road->beta, 3e-8); /* of 1, 3 and 6 */
    assert_near(road->load, 2);
    assert_near(road->cells[VL_BANDWIDTH_DP].planned, 5.0 / 2); /* of 4, 5 and 6, halved */
    assert_near(road->cells[VL_BANDWIDTH_DP].seconds[2 * TURNS], 6 * 0.7);
    assert_near(vl_bandwidth_measured(study, 0, VL_BANDWIDTH_PP).median, 1);
    assert_near(vl_bandwidth_measured(study, 0, VL_BANDWIDTH_DP).median, (4.5 + 5.2) / 2);
    size_t where;
    enum vl_bandwidth_way way;
    assert_false(vl_bandwidth_losses_differ(&where, &way, study));
    study->roads[0].cells[VL_BANDWIDTH_EP].losses[2 * (TURNS + 1)] *= 1.002;
    assert_true(vl_bandwidth_losses_differ(&where, &way, study));
    json_t *one = told(1);
    json_object_del(one, "road");
    assert_refused(study, rates[0], one);
    assert_int_equal(road->runs, 3);
    while (road->runs < VL_BANDWIDTH_RUNS) {
        one = told(1);
        assert_int_equal(vl_bandwidth_take(study, rates[0], 0, one), VL_OK);
        json_decref(one);
    }
    assert_refused(study, rates[0], told(1)); /* one more than fits */
    vl_bandwidth_free(study);
}

static void other_losses_are_found(void **state)
{
    (void)state;
    struct vl_bandwidth *study = study_of();
    size_t road = 99;
    enum vl_bandwidth_way way = VL_BANDWIDTH_ALONE;
    assert_false(vl_bandwidth_losses_differ(&road, &way, study));
    study->roads[1].cells[VL_BANDWIDTH_PP].losses[TURNS] *= 1.0005;
    assert_false(vl_bandwidth_losses_differ(&road, &way, study));
    study->roads[1].cells[VL_BANDWIDTH_EP].losses[TURNS] *= 1.002;
    assert_true(vl_bandwidth_losses_differ(&road, &way, study));
    assert_int_equal(road, 1);
    assert_int_equal(way, VL_BANDWIDTH_EP);
    vl_bandwidth_free(study);
}

/* ---- shown ---- */

static char *table_of(const struct vl_bandwidth *study)
{
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    const struct vl_terminal terminal = {.stream = stream, .columns = 400};
    vl_bandwidth_table(study, &terminal);
    fclose(stream);
    return text;
}

static void assert_has(const char *text, const char *wanted)
{
    if (strstr(text, wanted) == NULL)
        fail_msg("'%s' is not in: %s", wanted, text);
}

/* Until something is simulated, nothing is said about it. */
static void simulated_seconds_appear_once_there_are_some(void **state)
{
    (void)state;
    struct vl_bandwidth *study = study_of();
    char *text = table_of(study);
    json_t *json = vl_bandwidth_json(study);
    const json_t *found = json_object_get(json_object_get(json, "findings"), "crossover");
    assert_null(strstr(text, "imulated"));
    assert_null(json_object_get(found, "simulated"));
    assert_non_null(json_object_get(found, "planned"));
    free(text);
    json_decref(json);
    for (size_t r = 0; r < ROADS; r++) {
        study->roads[r].cells[VL_BANDWIDTH_DP].simulated = r == 0 ? 0.501 : 0.251;
        study->roads[r].cells[VL_BANDWIDTH_PP].simulated = 0.35;
    }
    text = table_of(study);
    assert_has(text, "Milliseconds of a step, simulated:");
    assert_has(text, "501");
    assert_has(text, "Simulated on the same roads: ");
    json = vl_bandwidth_json(study);
    found = json_object_get(json_object_get(json, "findings"), "crossover");
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(found, "simulated"), "verdict")),
        "crosses");
    free(text);
    json_decref(json);
    vl_bandwidth_free(study);
}

static void table_has_each_median_and_the_crossover(void **state)
{
    (void)state;
    struct vl_bandwidth *study = study_of();
    char *text = table_of(study);
    assert_has(text, "Milliseconds of a step, measured:");
    assert_has(text, "4000");
    assert_has(text, "8000"); /* Mbit/s of the last road */
    assert_has(text, "Measured: 2530 Mbit/s");
    assert_has(text, "differ by up to 40%");
    free(text);
    vl_bandwidth_free(study);
}

static void page_is_written_whole(void **state)
{
    (void)state;
    static char text[65536];
    struct vl_bandwidth *study = study_of();
    assert_int_equal(vl_bandwidth_page(study, path), VL_OK);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_true(n > 0);
    text[n] = '\0';
    assert_has(text, "</html>");
    assert_has(text, "<svg");
    assert_has(text, "4000 (3200 to 4800)");
    assert_has(text, "2000 (−50%)");
    assert_has(text, "&lt;&amp;&gt;");
    assert_has(text, "1,234,567");
    vl_bandwidth_free(study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(power_laws_cross_where_they_do),
        cmocka_unit_test(lines_that_meet_on_a_road_cross_there),
        cmocka_unit_test(lines_that_do_not_cross_say_which_is_below),
        cmocka_unit_test(of_several_crossings_the_last_one_counts),
        cmocka_unit_test(between_roads_both_axes_are_logarithmic),
        cmocka_unit_test(medians_and_quartiles_are_those_of_the_turns),
        cmocka_unit_test(runs_of_one_road_are_put_together),
        cmocka_unit_test(findings_follow_from_the_cells),
        cmocka_unit_test(what_is_not_whole_is_refused),
        cmocka_unit_test(other_losses_are_found),
        cmocka_unit_test(simulated_seconds_appear_once_there_are_some),
        cmocka_unit_test(table_has_each_median_and_the_crossover),
        WITH_FILE(page_is_written_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
