/* What is said about machines that are not here follows from the numbers of their panels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/study/chips.h"
#include "scratch_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROADS = 3 };

static const double factors[ROADS] = {0.1, 1, 10};

static void assert_near(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-9 * fabs(wanted)))
        fail_msg("%.12g instead of %.12g", got, wanted);
}

/* Planned, data parallelism takes 4, 2 and 0.5 s; simulated, 8, 4 and 1 s. The pipeline takes 1 s
 * when planned, and 2 s when simulated. Experts are planned only, tensor parallelism is
 * simulated only. */
static void fill(struct vl_chips_panel *panel, size_t chips)
{
    static const double seconds[ROADS] = {4, 2, 0.5};
    panel->machine = strdup("one");
    panel->title = strdup("A <machine>");
    panel->chips = chips;
    panel->whole_domain = 72;
    panel->cluster.domain = 64;
    panel->cluster.inner.latency = 1e-6;
    panel->cluster.outer.latency = 1e-5;
    panel->inside = chips <= 64;
    panel->bandwidth = 40e9;
    panel->roads.unit = VL_BANDWIDTH_GB;
    panel->layouts[VL_BANDWIDTH_DP] =
        (struct vl_chips_layout){{1, 1, chips, 1, 1, 1, 0, VL_KEEP_ALL}, 8, 0};
    panel->layouts[VL_BANDWIDTH_TP] =
        (struct vl_chips_layout){{8, 1, chips / 8, 1, 1, 1, 0, VL_KEEP_ALL}, 0, 0};
    panel->layouts[VL_BANDWIDTH_PP] =
        (struct vl_chips_layout){{1, 1, chips / 4, 4, 1, 8, 0, VL_KEEP_ALL}, 0, 0};
    panel->layouts[VL_BANDWIDTH_EP] =
        (struct vl_chips_layout){{1, 8, chips / 8, 1, 1, 1, 0, VL_KEEP_ALL}, 0, 0};
    for (size_t r = 0; r < ROADS; r++) {
        assert_int_equal(vl_bandwidth_add(&panel->roads, panel->bandwidth * factors[r]), VL_OK);
        struct vl_bandwidth_cell *cells = panel->roads.roads[r].cells;
        cells[VL_BANDWIDTH_DP].planned = seconds[r];
        cells[VL_BANDWIDTH_PP].planned = 1;
        cells[VL_BANDWIDTH_EP].planned = 1.25;
        cells[VL_BANDWIDTH_TP].simulated = 3;
        cells[VL_BANDWIDTH_DP].simulated = 2 * seconds[r];
        cells[VL_BANDWIDTH_PP].simulated = r == 0 ? 1.1 : 2;
    }
}

static struct vl_chips *study_of(void)
{
    struct vl_chips *study = calloc(1, sizeof *study);
    assert_non_null(study);
    study->count = 2;
    study->command = "vialata study chips <&>";
    study->parameters = 1234567;
    study->scale = 32;
    study->factor_count = ROADS;
    strcpy(study->date, "2026-01-02");
    fill(&study->panels[0], 64);
    fill(&study->panels[1], 512);
    return study;
}

/* Without measurements there are no medians, and nothing else suffers from that. */
static void nothing_is_measured(void **state)
{
    (void)state;
    struct vl_chips *study = study_of();
    const struct vl_bandwidth *roads = &study->panels[0].roads;
    assert_true(isnan(vl_bandwidth_measured(roads, 0, VL_BANDWIDTH_DP).median));
    assert_false(vl_bandwidth_has(roads, VL_BANDWIDTH_MEASURED));
    assert_true(vl_bandwidth_has(roads, VL_BANDWIDTH_SIMULATED));
    assert_int_equal(vl_bandwidth_steps(roads, 0), 0);
    vl_chips_free(study);
}

static void roads_are_added_from_narrow_to_broad(void **state)
{
    (void)state;
    struct vl_chips *study = study_of();
    struct vl_bandwidth *roads = &study->panels[0].roads;
    assert_int_equal(vl_bandwidth_add(roads, 400e9), VL_EINVAL); /* is there already */
    assert_int_equal(vl_bandwidth_add(roads, 5e9), VL_EINVAL);
    assert_int_equal(vl_bandwidth_add(roads, NAN), VL_EINVAL);
    assert_int_equal(roads->count, ROADS);
    while (roads->count < VL_BANDWIDTH_RATES)
        assert_int_equal(vl_bandwidth_add(roads, 1e12 * (double)roads->count), VL_OK);
    assert_int_equal(vl_bandwidth_add(roads, 1e15), VL_EINVAL);
    vl_chips_free(study);
}

static void both_crossovers_and_their_distance_follow_from_the_cells(void **state)
{
    (void)state;
    struct vl_chips *study = study_of();
    struct vl_chips_findings f;
    vl_chips_find(&f, &study->panels[0]);
    /* From 2 to 0.5, and 1 in the middle; from 4 to 1, and 2 in the middle: both at the same. */
    assert_near(f.crossover[VL_BANDWIDTH_PLANNED].rate, sqrt(40e9 * 400e9));
    assert_near(f.apart, 1);
    assert_near(f.beside[VL_BANDWIDTH_PLANNED], 2);
    assert_near(f.beside[VL_BANDWIDTH_SIMULATED], 2);
    study->panels[0].roads.roads[2].cells[VL_BANDWIDTH_DP].simulated = 2;
    vl_chips_find(&f, &study->panels[0]);
    assert_near(f.crossover[VL_BANDWIDTH_SIMULATED].rate, 400e9);
    study->panels[0].bandwidth = 400e9;
    vl_chips_find(&f, &study->panels[0]);
    assert_near(f.beside[VL_BANDWIDTH_PLANNED], 0.5);
    assert_near(f.beside[VL_BANDWIDTH_SIMULATED], 1);
    study->panels[0].bandwidth = 1e9; /* narrower than every road */
    vl_chips_find(&f, &study->panels[0]);
    assert_true(isnan(f.beside[VL_BANDWIDTH_PLANNED]));
    study->panels[0].roads.roads[2].cells[VL_BANDWIDTH_DP].planned = 2;
    vl_chips_find(&f, &study->panels[0]);
    assert_true(isnan(f.apart)); /* the planner's lines do not cross any more */
    assert_int_equal(f.overlapped[VL_BANDWIDTH_SIMULATED].verdict, VL_BANDWIDTH_UNKNOWN);
    vl_chips_free(study);
}

static void gaps_are_counted_where_there_are_both(void **state)
{
    (void)state;
    struct vl_chips *study = study_of();
    struct vl_chips_findings f;
    vl_chips_find(&f, &study->panels[0]);
    assert_int_equal(f.cells, 6);
    assert_int_equal(f.within_15, 1); /* 1 s and 1.1 s */
    assert_int_equal(f.within_30, 1);
    assert_near(f.worst, 0.5);
    assert_int_equal(f.worst_way, VL_BANDWIDTH_DP);
    vl_chips_free(study);
}

static void a_layout_is_written_as_simulate_takes_it(void **state)
{
    (void)state;
    char text[VL_CHIPS_LAYOUT];
    const struct vl_division pipeline = {1, 1, 128, 4, 1, 8, 0, VL_KEEP_ALL},
                             sharded = {8, 1, 1, 1, 1, 1, 3, VL_KEEP_ALL};
    assert_string_equal(vl_chips_layout_text(text, &pipeline), "dp=128,pp=4,m=8,zero=0");
    assert_string_equal(vl_chips_layout_text(text, &sharded), "dp=1,tp=8,zero=3");
}

/* ---- shown ---- */

static void assert_has(const char *text, const char *wanted)
{
    if (strstr(text, wanted) == NULL)
        fail_msg("'%s' is not in: %s", wanted, text);
}

static char *table_of(const struct vl_chips *study)
{
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    const struct vl_terminal terminal = {.stream = stream, .columns = 400};
    vl_chips_table(study, &terminal);
    fclose(stream);
    return text;
}

static void forget_simulations(struct vl_chips *study)
{
    study->scale = 0;
    for (size_t p = 0; p < study->count; p++)
        for (size_t r = 0; r < ROADS; r++)
            for (size_t w = 0; w < VL_BANDWIDTH_WAYS; w++)
                study->panels[p].roads.roads[r].cells[w].simulated = NAN;
}

static void table_has_both_sources_and_the_crossover(void **state)
{
    (void)state;
    struct vl_chips *study = study_of();
    char *text = table_of(study);
    assert_has(text, "Milliseconds of a step, planned:");
    assert_has(text, "Milliseconds of a step, simulated:");
    assert_has(text, "8000.0");
    assert_has(text, "Simulated: 126 GB/s. Computed by the planner: 126 GB/s.");
    assert_has(text, "2.00 times as long as the pipeline's, simulated, and 2.00 times, planned.");
    assert_has(text, "All 64 chips are in one domain");
    assert_has(text, "The 512 chips are in domains of 64");
    assert_has(text, "about 0.2 ms of a step of data parallelism, and 0.0 ms");  /* 3 63 1e-6 s */
    assert_has(text, "about 15.3 ms of a step of data parallelism, and 3.8 ms"); /* 3 511 1e-5 s */
    assert_has(text, "A domain has 72 chips. 64 of them take part");
    assert_null(strstr(text, "alone"));
    assert_null(strstr(text, "measured"));
    free(text);
    vl_chips_free(study);
}

/* Without SimGrid the planner's numbers are all there is, and nothing says otherwise. */
static void planner_alone_is_shown_too(void **state)
{
    (void)state;
    struct vl_chips *study = study_of();
    forget_simulations(study);
    char *text = table_of(study);
    assert_has(text, "Computed by the planner: 126 GB/s.");
    assert_has(text, "2.00 times as long as the pipeline's, planned.");
    assert_null(strstr(text, "Simulated:"));
    assert_null(strstr(text, "latency"));
    assert_null(strstr(text, ", simulated:"));
    free(text);
    json_t *json = vl_chips_json(study);
    const json_t *panel = json_array_get(json_object_get(json, "panels"), 0);
    assert_null(json_object_get(json_object_get(panel, "findings"), "gap"));
    assert_int_equal(json_integer_value(json_object_get(json, "scale")), 0);
    json_decref(json);
    vl_chips_free(study);
}

static char *page_of(const struct vl_chips *study)
{
    static char text[1 << 18];
    assert_int_equal(vl_chips_page(study, path), VL_OK);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = '\0';
    return text;
}

static void page_has_a_figure_for_each_panel(void **state)
{
    (void)state;
    struct vl_chips *study = study_of();
    const char *text = page_of(study);
    size_t figures = 0;
    for (const char *at = text; (at = strstr(at, "<svg")) != NULL; at++)
        figures++;
    assert_int_equal(figures, 2);
    assert_has(text, "A &lt;machine&gt;, 512 chips");
    assert_has(text, "8000.0 (4000.0)");
    assert_has(text, "(1250.0)");                   /* planned only */
    assert_has(text, "tensor parallel, simulated"); /* a line of the figure */
    assert_null(strstr(text, "expert parallel, planned"));
    assert_has(text, "in two levels, first among 8 neighbours, after backward");
    assert_has(text, "dp=128,pp=4,m=8,zero=0");
    assert_has(text, "&lt;&amp;&gt;");
    assert_has(text, "1,234,567");
    assert_has(text, "float32");
    assert_has(text, "divided by 32");
    forget_simulations(study);
    text = page_of(study);
    assert_has(text, "SimGrid was missing");
    assert_null(strstr(text, "float32"));
    assert_has(text, "data parallel, planned");
    assert_has(text, "expert parallel, planned");
    vl_chips_free(study);
}

static void json_has_all_cells(void **state)
{
    (void)state;
    struct vl_chips *study = study_of();
    json_t *json = vl_chips_json(study);
    const json_t *panel = json_array_get(json_object_get(json, "panels"), 1),
                 *road = json_array_get(json_object_get(panel, "roads"), 2),
                 *cells = json_object_get(road, "layouts"),
                 *found = json_object_get(json_object_get(panel, "findings"), "crossover");
    assert_near(json_number_value(json_object_get(road, "factor")), 10);
    assert_int_equal(json_array_size(cells), 4);
    assert_near(json_number_value(json_object_get(json_array_get(cells, 0), "simulated")), 1);
    assert_null(json_object_get(json_array_get(cells, 3), "simulated"));
    assert_string_equal(json_string_value(json_object_get(panel, "link")), "between");
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(found, "simulated"), "verdict")),
        "crosses");
    json_decref(json);
    vl_chips_free(study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_measured),
        cmocka_unit_test(roads_are_added_from_narrow_to_broad),
        cmocka_unit_test(both_crossovers_and_their_distance_follow_from_the_cells),
        cmocka_unit_test(gaps_are_counted_where_there_are_both),
        cmocka_unit_test(a_layout_is_written_as_simulate_takes_it),
        cmocka_unit_test(table_has_both_sources_and_the_crossover),
        cmocka_unit_test(planner_alone_is_shown_too),
        WITH_FILE(page_has_a_figure_for_each_panel),
        cmocka_unit_test(json_has_all_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
