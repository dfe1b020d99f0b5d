/* The mutants of a function: its tokens, what is in scope, each small change, and one text with all. */
#include "grade/mutants/c_function.h"
#include "grade/mutants/schema.h"
#include "grade/mutants/words.h"

#include "base/place.h"
#include "grade/diagnose/edit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- tokens ---- */

static void tokens_are_words_numbers_and_marks(void **unused)
{
    (void)unused;
    static const char text[] = "#pragma omp simd\n  y[i] += 1.5e-3f * x[i]; /* a + b */ // c\n";
    static const char *const expected[] = {"y", "[", "i", "]", "+=", "1.5e-3f",
                                           "*", "x", "[", "i", "]",  ";"};
    struct vl_tokens tokens;
    assert_int_equal(vl_tokens_read(&tokens, text, text + strlen(text)), VL_OK);
    assert_int_equal(tokens.count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < tokens.count; i++)
        assert_true(vl_token_is(&tokens, i, expected[i]));
    assert_int_equal(tokens.list[1].partner, 3);
    assert_int_equal(tokens.list[10].partner, 8);
    vl_tokens_free(&tokens);
}

static void brackets_that_do_not_match_are_refused(void **unused)
{
    (void)unused;
    static const char *const texts[] = {"f(x", "x)"};
    for (size_t i = 0; i < 2; i++) {
        struct vl_tokens tokens;
        assert_int_equal(vl_tokens_read(&tokens, texts[i], texts[i] + strlen(texts[i])),
                         VL_EFORMAT);
        vl_tokens_free(&tokens);
    }
}

/* ---- mutations of an expression ---- */

/* Is there a mutation of this kind that makes this of the statement? */
static bool is_made(const char *statement, enum vl_mutation_kind kind, const char *made)
{
    static const char head[] = "float *y, const float *x, size_t i, size_t n, float scale, "
                               "enum vl_status status;";
    char text[256], got[256];
    struct vl_tokens tokens;
    struct vl_scope scope = {0};
    struct vl_mutations mutations = {0};
    bool found = false;
    snprintf(text, sizeof text, "%s %s", head, statement);
    assert_int_equal(vl_tokens_read(&tokens, text, text + strlen(text)), VL_OK);
    size_t first = 0;
    while (!vl_token_is(&tokens, first, ";"))
        first++;
    vl_scope_add_parameters(&scope, &tokens, 0, first);
    assert_int_equal(scope.count, 6);
    vl_mutate_statement(&mutations, &tokens, &scope, ++first, tokens.count);
    for (size_t k = 0; k < mutations.count; k++) {
        const struct vl_mutation *m = &mutations.list[k];
        FILE *out = fmemopen(got, sizeof got, "w");
        vl_tokens_put(out, &tokens, first, m->first);
        fprintf(out, "%s ", m->text);
        vl_tokens_put(out, &tokens, m->last, tokens.count);
        fclose(out);
        found |= m->kind == kind && strcmp(got, made) == 0;
    }
    assert_false(mutations.failed);
    vl_mutations_free(&mutations);
    vl_tokens_free(&tokens);
    return found;
}

static void each_kind_of_mutation_is_made(void **unused)
{
    (void)unused;
    static const char line[] = "y[i] += scale * x[i + 1]";
    assert_true(is_made(line, VL_MUTATION_SIGN, "y [ i ] -= scale * x [ i + 1 ] "));
    assert_true(is_made(line, VL_MUTATION_SIGN, "y [ i ] += scale * x [ i - 1 ] "));
    assert_true(is_made(line, VL_MUTATION_INVERSE, "y [ i ] += scale / x [ i + 1 ] "));
    assert_true(is_made(line, VL_MUTATION_TERM, "y [ i ] +=  x [ i + 1 ] "));
    assert_true(is_made(line, VL_MUTATION_TERM, "y [ i ] += scale * x [ i  ] "));
    assert_true(is_made(line, VL_MUTATION_NUMBER, "y [ i ] += scale * x [ i + 2 ] "));
    assert_true(is_made(line, VL_MUTATION_VARIABLE, "y [ i ] += scale * x [ n + 1 ] "));
    assert_true(is_made(line, VL_MUTATION_INDEX, "y [ (i + 1) ] += scale * x [ i + 1 ] "));
    assert_true(is_made(line, VL_MUTATION_WRITTEN, "y [ i ] = scale * x [ i + 1 ] "));
    assert_true(is_made(line, VL_MUTATION_STEP, " "));
    assert_true(is_made("f(i, n)", VL_MUTATION_ARGUMENTS, "f ( n, i ) "));
    assert_true(is_made("y[0] = (float)((double)x[0] * n)", VL_MUTATION_NARROW,
                        "y [ 0 ] = ( float ) (  x [ 0 ] * n ) "));
    assert_true(is_made("scale = i < n", VL_MUTATION_BOUND, "scale = i <= n "));
    assert_true(is_made("scale = i == n", VL_MUTATION_CONDITION, "scale = i != n "));
    assert_true(is_made("g(CblasTrans)", VL_MUTATION_TRANSPOSED, "g ( CblasNoTrans ) "));
}

/* Both are numbers, as the casts show. */
static void a_member_becomes_another_one_of_its_structure(void **unused)
{
    (void)unused;
    static const char file[] = "double f(const struct s *s, double n)\n{\n"
                               "    return n / (double)s->across + g((int)s->inside);\n}\n";
    struct vl_schema schema;
    assert_int_equal(vl_schema_make(&schema, file, "f"), VL_OK);
    assert_non_null(strstr(schema.text, "n / ( double ) s -> inside"));
    assert_non_null(strstr(schema.text, "g ( ( int ) s -> across )"));
    vl_schema_free(&schema);
}

/* A variable that begins before a loop may have to begin anew in every turn. */
static void a_variable_begins_anew_in_a_loop(void **unused)
{
    (void)unused;
    static const char file[] = "double f(const double *x, size_t n)\n{\n    double sum = 0;\n"
                               "    const size_t two = 2;\n"
                               "    for (size_t i = 0; i < n; i++) {\n        sum += x[i];\n    }\n"
                               "    return sum + two;\n}\n";
    struct vl_schema schema;
    assert_int_equal(vl_schema_make(&schema, file, "f"), VL_OK);
    const char *loop = strstr(schema.text, "for (");
    assert_non_null(loop);
    const char *anew = strstr(loop, "{ sum = 0 ; }");
    assert_non_null(anew);
    assert_null(strstr(loop, "two = 2 ;"));
    vl_schema_free(&schema);
}

/* Whether or not what gives the new one is still called. */
static void a_status_keeps_the_first_failure(void **unused)
{
    (void)unused;
    assert_true(is_made("status = f(x, i)", VL_MUTATION_CONDITION,
                        "status = status != VL_OK ? status : f ( x , i ) "));
    assert_true(
        is_made("status = f(x, i)", VL_MUTATION_CONDITION,
                "status = ({ enum vl_status vl_now = f ( x , i ) ; status != VL_OK ? status "
                ": vl_now; }) "));
    assert_false(is_made("scale = x[i]", VL_MUTATION_CONDITION,
                         "scale = scale != VL_OK ? scale : x [ i ] "));
}

static void a_sign_or_a_type_is_no_operation(void **unused)
{
    (void)unused;
    assert_false(is_made("scale = (float)-x[0]", VL_MUTATION_SIGN, "scale = ( float ) + x [ 0 ] "));
    assert_true(is_made("scale = (float)-x[0]", VL_MUTATION_SIGN, "scale = ( float )  x [ 0 ] "));
    assert_false(is_made("n = i * sizeof *x", VL_MUTATION_INVERSE, "n = i * sizeof / x "));
    /* x may not be written to, and y is no whole number. */
    assert_false(is_made("y[i] = 1.0f", VL_MUTATION_VARIABLE, "x [ i ] = 1.0f "));
    assert_false(is_made("y = 0", VL_MUTATION_WRITTEN, "y += 0 "));
    static const char clauses[] = "y[0] = i < n && f(x, n > 0 || i) || !n";
    assert_true(is_made(clauses, VL_MUTATION_CONDITION, "y [ 0 ] = i < n  || ! n "));
    assert_true(
        is_made(clauses, VL_MUTATION_CONDITION, "y [ 0 ] = i < n && f ( x , n > 0 || i )  "));
    assert_true(
        is_made(clauses, VL_MUTATION_CONDITION, "y [ 0 ] = i < n && f ( x , n > 0  ) || ! n "));
    static const char choice[] = "y[0] = i ? x[0] : x[n]";
    assert_true(is_made(choice, VL_MUTATION_CONDITION, "y [ 0 ] = x [ 0 ]  "));
    assert_true(is_made(choice, VL_MUTATION_CONDITION, "y [ 0 ] =  x [ n ] "));
}

/* ---- a function with all of them ---- */

static const char file[] = "#include <stddef.h>\n"
                           "\n"
                           "static float half(float x)\n"
                           "{\n"
                           "    return x / 2;\n"
                           "}\n"
                           "\n"
                           "static float other(float x)\n"
                           "{\n"
                           "    return x + 3;\n"
                           "}\n"
                           "\n"
                           "/* Adds. */\n"
                           "int vl_sum(float *sum, const float *x, size_t n)\n"
                           "{\n"
                           "    for (size_t i = 0; i < n; i++) {\n"
                           "        if (x[i] > 0)\n"
                           "            *sum += half(x[i]);\n"
                           "        else\n"
                           "            continue;\n"
                           "    }\n"
                           "    return 0;\n"
                           "}\n";

static void a_schema_has_the_function_and_what_it_calls(void **unused)
{
    (void)unused;
    struct vl_schema schema;
    assert_int_equal(vl_schema_make(&schema, file, "vl_sum"), VL_OK);
    assert_true(schema.count > 20);
    assert_non_null(strstr(schema.text, "#include <stddef.h>"));
    assert_non_null(strstr(schema.text, "x * 2"));
    assert_non_null(strstr(schema.text, "    return x + 3;")); /* that one is not called */
    struct vl_c_function f;
    size_t functions = 0;
    for (const char *at = schema.text; vl_c_function_next(&f, at); at = f.end)
        functions++;
    assert_int_equal(functions, 3);
    bool named = false;
    for (size_t i = 0; i < schema.count; i++)
        named |= strcmp(schema.list[i].names, "sum, x") == 0;
    assert_true(named);
    vl_schema_free(&schema);
}

/* The mutant of this kind; NULL if there is none. */
static const struct vl_mutant *of_kind(const struct vl_schema *schema, enum vl_mutation_kind kind)
{
    for (size_t i = 0; i < schema->count; i++)
        if (schema->list[i].kind == kind)
            return &schema->list[i];
    return NULL;
}

static size_t line_of(const char *words)
{
    size_t line = 1;
    for (const char *at = file; at < strstr(file, words); at++)
        line += *at == '\n';
    return line;
}

static void a_mutant_knows_its_line(void **unused)
{
    (void)unused;
    struct vl_schema schema;
    assert_int_equal(vl_schema_make(&schema, file, "vl_sum"), VL_OK);
    assert_int_equal(of_kind(&schema, VL_MUTATION_INVERSE)->line, line_of("x / 2"));
    assert_int_equal(of_kind(&schema, VL_MUTATION_BOUND)->line, line_of("i < n"));
    assert_int_equal(of_kind(&schema, VL_MUTATION_JUMP)->line, line_of("continue"));
    assert_string_equal(of_kind(&schema, VL_MUTATION_STEP)->piece, "*sum += half(x[i])");
    vl_schema_free(&schema);
}

static void a_piece_is_short_and_plain(void **unused)
{
    (void)unused;
    static const char text[] = "int vl_say(int x)\n"
                               "{\n"
                               "    x =\n"
                               "        x /* \33[2J */ + 1;\n"
                               "    x = x *  /* twice */\n"
                               "        3;\n"
                               "    x = x + 1000000000000 + 1000000000000 + 1000000000000;\n"
                               "    return x;\n"
                               "}\n";
    struct vl_schema schema;
    assert_int_equal(vl_schema_make(&schema, text, "vl_say"), VL_OK);
    bool whole = false;
    for (size_t i = 0; i < schema.count; i++) {
        const char *piece = schema.list[i].piece;
        assert_null(strchr(piece, '\33'));
        assert_true(strlen(piece) <= 48);
        whole |= strcmp(piece, "x = x * /* twice */ 3") == 0;
    }
    assert_true(whole);
    vl_schema_free(&schema);
}

/* Is this jump left out by one mutant, and the other one in its place in the next? */
static bool has_jump(const char *text, const char *jump, const char *other)
{
    char piece[128];
    bool found = false;
    for (unsigned mutant = 1; mutant < 1000; mutant++) {
        snprintf(piece, sizeof piece,
                 "{ if ( vl_mutant == %uu ) ; else if ( vl_mutant == %uu ) %s ; else %s ", mutant,
                 mutant + 1, other, jump);
        found |= strstr(text, piece) != NULL;
    }
    return found;
}

static void a_jump_is_the_other_one_or_none(void **unused)
{
    (void)unused;
    struct vl_schema schema;
    assert_int_equal(vl_schema_make(&schema, file, "vl_sum"), VL_OK);
    assert_true(has_jump(schema.text, "continue", "break"));
    vl_schema_free(&schema);
    /* Out of a switch nothing can go on. */
    static const char text[] = "int vl_pick(int x)\n"
                               "{\n"
                               "    switch (x) {\n"
                               "    case 1:\n"
                               "        break;\n"
                               "    }\n"
                               "    return x;\n"
                               "}\n";
    assert_int_equal(vl_schema_make(&schema, text, "vl_pick"), VL_OK);
    assert_null(of_kind(&schema, VL_MUTATION_JUMP));
    assert_non_null(of_kind(&schema, VL_MUTATION_STEP));
    vl_schema_free(&schema);
}

/* Nothing comes between a statement and its "else", or the "while" of a "do". */
static void what_belongs_together_stays_together(void **unused)
{
    (void)unused;
    static const char text[] = "int vl_pick(int *y, const int *x, int i)\n"
                               "{\n"
                               "    int v = x[i];\n"
                               "    if (v > 0)\n"
                               "        y[i] = 3 * v;\n"
                               "    else\n"
                               "        y[i] = 2 * v;\n"
                               "    int u = x[0];\n"
                               "    do {\n"
                               "        y[0] += u;\n"
                               "    } while (y[0] < 3);\n"
                               "    return 0;\n"
                               "}\n";
    struct vl_schema schema;
    assert_int_equal(vl_schema_make(&schema, text, "vl_pick"), VL_OK);
    assert_null(strstr(schema.text, "{ v = x [ i ] ; }\nelse"));
    assert_non_null(strstr(schema.text, "{ v = x [ i ] ; }\n")); /* after the whole choice */
    assert_null(strstr(schema.text, "{ u = x [ 0 ] ; }\nwhile"));
    vl_schema_free(&schema);
}

static void what_cannot_be_read_has_no_schema(void **unused)
{
    (void)unused;
    static const char directive[] = "int vl_f(int n)\n"
                                    "{\n"
                                    "#if 1\n"
                                    "    n = n + 2;\n"
                                    "#else\n"
                                    "    n = n + 1;\n"
                                    "#endif\n"
                                    "    return n;\n"
                                    "}\n";
    static const char pragma[] = "int vl_f(int n)\n"
                                 "{\n"
                                 "#pragma omp simd\n"
                                 "    for (int i = 0; i < 3; i++)\n"
                                 "        n += i;\n"
                                 "    return n;\n"
                                 "}\n";
    struct vl_schema schema;
    assert_int_equal(vl_schema_make(&schema, directive, "vl_f"), VL_EFORMAT);
    vl_schema_free(&schema);
    assert_int_equal(vl_schema_make(&schema, pragma, "vl_f"), VL_OK);
    assert_true(schema.count > 0);
    vl_schema_free(&schema);
}

static void a_long_type_is_cut(void **unused)
{
    (void)unused;
    static const char text[] =
        "int vl_f(const struct a_name_of_a_type_that_is_longer_than_the_place_that_there_is_for_it *s)\n"
        "{\n"
        "    return s->x + 1;\n"
        "}\n";
    struct vl_tokens tokens;
    struct vl_scope scope = {.count = 0};
    assert_int_equal(vl_tokens_read(&tokens, text, text + strlen(text)), VL_OK);
    vl_scope_add_parameters(&scope, &tokens, 3, tokens.list[2].partner);
    assert_int_equal(scope.count, 1);
    assert_non_null(memchr(scope.list[0].type, 0, sizeof scope.list[0].type));
    vl_tokens_free(&tokens);
}

/* Of a term that is left out, what is told is the parameter that it comes from. */
static void what_is_missing_is_traced_to_a_parameter(void **unused)
{
    (void)unused;
    static const char text[] = "void vl_slope(float *dx, const struct gate *gate, size_t n)\n"
                               "{\n"
                               "    const float *row = gate->open + n;\n"
                               "    float one = row[0];\n"
                               "    dx[0] = dx[1] * (1.0f - one) + sqrtf(dx[2]);\n"
                               "    memset(dx, 0, n * sizeof *dx);\n"
                               "}\n";
    struct vl_schema schema;
    assert_int_equal(vl_schema_make(&schema, text, "vl_slope"), VL_OK);
    bool traced = false, called = false, sized = false;
    for (size_t i = 0; i < schema.count; i++) {
        const struct vl_mutant *mutant = &schema.list[i];
        traced |= mutant->missing && strcmp(mutant->names, "gate->open") == 0;
        sized |= mutant->missing && strcmp(mutant->names, "sizeof") == 0;
        called |= mutant->missing && strcmp(mutant->names, "sqrtf") == 0;
        if (!mutant->missing)
            continue;
        char *words = vl_mutant_words(mutant);
        assert_int_equal(mutant->kind, VL_MUTATION_TERM);
        assert_non_null(strstr(words, mutant->names));
        assert_null(strstr(words, "Look at"));
        free(words);
    }
    assert_true(traced && called && sized);
    vl_schema_free(&schema);
}

/* Does a mutant of the function run this? */
static bool runs(const char *function, const char *made)
{
    struct vl_schema schema;
    assert_int_equal(vl_schema_make(&schema, function, "vl_size"), VL_OK);
    bool found = strstr(schema.text, made) != NULL;
    vl_schema_free(&schema);
    return found;
}

static void a_member_and_a_local_variable_change_places(void **unused)
{
    (void)unused;
    static const char size[] = "void vl_size(size_t *y, const struct shape *shape, size_t rows)\n"
                               "{\n"
                               "    size_t n = rows * shape->sequence;\n"
                               "    y[0] = n + shape->heads * shape->sequence;\n"
                               "    y[1] = n + shape->parts[n];\n"
                               "    shape->next = shape->first;\n"
                               "    for (size_t i = 0; i < n; i++)\n"
                               "        y[i] += i;\n"
                               "}\n";
    assert_true(runs(size, "y [ 0 ] = n + shape -> heads * n ;"));
    assert_true(runs(size, "y [ 0 ] = n + rows * shape -> sequence ;"));
    assert_true(runs(size, "y [ 0 ] = (size_t )shape->sequence + shape -> heads * shape"));
    /* What has no value yet; what is no number, or not known to be one; what counts a loop. */
    assert_false(runs(size, "rows * n "));
    assert_false(runs(size, "shape -> next = n ;"));
    assert_false(runs(size, "n + n [ n ]"));
    assert_false(runs(size, "y [ i ] += (size_t"));
    assert_false(runs(size, "(size_t )shape->next"));
}

/* p->count means something else where p is another variable. */
static void a_member_of_a_variable_that_is_gone_is_not_offered(void **unused)
{
    (void)unused;
    static const char size[] = "void vl_size(size_t *y, float *p, const struct part *parts)\n"
                               "{\n"
                               "    size_t n = 0;\n"
                               "    {\n"
                               "        const struct part *p = parts;\n"
                               "        n += 2 * p->count;\n"
                               "    }\n"
                               "    y[0] = n;\n"
                               "}\n";
    assert_true(runs(size, "n += 2 * n ;"));
    assert_false(runs(size, ")p->count"));
}

static void a_file_without_the_function_has_no_schema(void **unused)
{
    (void)unused;
    struct vl_schema schema;
    assert_int_equal(vl_schema_make(&schema, file, "vl_product"), VL_OK);
    assert_null(schema.text);
    vl_schema_free(&schema);
}

/* The statements that a mutant of this kind runs, as this text has them: f and g are written down. */
static void two_steps_change_places_and_a_value_is_read_late(void **unused)
{
    (void)unused;
    static const char steps[] = "void vl_steps(float *x)\n"
                                "{\n"
                                "    float first = x[0];\n"
                                "    f(x);\n"
                                "    g(x, first);\n"
                                "    h(x);\n"
                                "}\n";
    struct vl_schema schema;
    assert_int_equal(vl_schema_make(&schema, steps, "vl_steps"), VL_OK);
    size_t orders = 0;
    for (size_t i = 0; i < schema.count; i++)
        orders += schema.list[i].kind == VL_MUTATION_ORDER;
    assert_int_equal(orders, 5); /* f and g, g and h, and first read after each of the three */
    assert_non_null(strstr(schema.text, "{ g ( x , first ) ; }"));
    assert_non_null(strstr(schema.text, "{ h ( x ) ; }"));
    assert_non_null(strstr(schema.text, "{ first = x [ 0 ] ; }"));
    vl_schema_free(&schema);
}

static void one_mutant_is_chosen_for_good(void **unused)
{
    (void)unused;
    struct vl_schema schema;
    assert_int_equal(vl_schema_make(&schema, file, "vl_sum"), VL_OK);
    char *text = vl_schema_with(&schema, 7);
    assert_non_null(strstr(text, "enum { " VL_MUTANT_CHOSEN " = 7 };"));
    assert_null(strstr(text, "extern unsigned"));
    free(text);
    vl_schema_free(&schema);
}

/* ---- the references ---- */

static void every_graded_function_has_mutants(void **unused)
{
    (void)unused;
    assert_int_equal(vl_place_start(), VL_OK);
    for (size_t l = 0; l < vl_lab_count; l++) {
        struct vl_reference reference;
        assert_int_equal(vl_reference_read(&reference, vl_labs[l], NULL), VL_OK);
        for (size_t f = 0; f < vl_labs[l]->function_count; f++) {
            const struct vl_lab_function *function = &vl_labs[l]->functions[f];
            size_t mutants = 0;
            for (size_t i = 0; i < reference.count && function->file != NULL; i++) {
                struct vl_schema schema = {0};
                if (strcmp(reference.files[i].name, function->file) == 0)
                    assert_int_equal(
                        vl_schema_make(&schema, reference.files[i].text, function->name), VL_OK);
                mutants += schema.count;
                vl_schema_free(&schema);
            }
            if (function->file != NULL && mutants == 0)
                fail_msg("%s has no mutant", function->name);
        }
        vl_reference_free(&reference);
    }
    vl_place_end();
}

static void every_kind_has_a_code_and_a_sentence(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < VL_MUTATION_KINDS; kind++) {
        struct vl_mutant mutant = {.kind = (enum vl_mutation_kind)kind,
                                   .names = (char *)"dx, dout",
                                   .piece = (char *)"odd - even",
                                   .line = 57};
        char *words = vl_mutant_words(&mutant);
        assert_true(strlen(vl_mutant_code(mutant.kind)) > 0);
        assert_non_null(strstr(words, "dx, dout"));
        assert_non_null(strstr(words, "may be another one"));
        free(words);
        words = vl_repair_words(&mutant, "step.c");
        assert_non_null(strstr(words, "`odd - even` in `step.c:57`"));
        free(words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_are_words_numbers_and_marks),
        cmocka_unit_test(brackets_that_do_not_match_are_refused),
        cmocka_unit_test(each_kind_of_mutation_is_made),
        cmocka_unit_test(a_member_becomes_another_one_of_its_structure),
        cmocka_unit_test(a_variable_begins_anew_in_a_loop),
        cmocka_unit_test(a_status_keeps_the_first_failure),
        cmocka_unit_test(a_sign_or_a_type_is_no_operation),
        cmocka_unit_test(a_schema_has_the_function_and_what_it_calls),
        cmocka_unit_test(a_mutant_knows_its_line),
        cmocka_unit_test(a_piece_is_short_and_plain),
        cmocka_unit_test(a_jump_is_the_other_one_or_none),
        cmocka_unit_test(what_belongs_together_stays_together),
        cmocka_unit_test(what_cannot_be_read_has_no_schema),
        cmocka_unit_test(a_long_type_is_cut),
        cmocka_unit_test(what_is_missing_is_traced_to_a_parameter),
        cmocka_unit_test(a_member_and_a_local_variable_change_places),
        cmocka_unit_test(a_member_of_a_variable_that_is_gone_is_not_offered),
        cmocka_unit_test(a_file_without_the_function_has_no_schema),
        cmocka_unit_test(two_steps_change_places_and_a_value_is_read_late),
        cmocka_unit_test(one_mutant_is_chosen_for_good),
        cmocka_unit_test(every_graded_function_has_mutants),
        cmocka_unit_test(every_kind_has_a_code_and_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
