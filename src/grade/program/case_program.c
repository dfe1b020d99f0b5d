#include "grade/program/case_program.h"

#include "base/place.h"
#include "grade/judge/compare.h"
#include "grade/judge/judgement.h"
#include "grade/judge/question.h"
#include "grade/program/contract.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IN_A_LINE 8 /* numbers */

struct program {
    FILE *out;
    struct vl_judgement judgement; /* the case, its inputs, what must come out */
    struct vl_contract contract;
    char *folder;   /* of the headers */
    double longest; /* the largest size among the parameters */
    size_t numbers; /* so far */
};

/* ---- numbers ---- */

static void put_real(FILE *out, double value, const char *type)
{
    char digits[40];
    int is_float = strcmp(type, "float") == 0;
    if (isnan(value) || isinf(value)) {
        fputs(isnan(value) ? "NAN" : value > 0 ? "INFINITY" : "-INFINITY", out);
        return;
    }
    snprintf(digits, sizeof digits, "%.*g", is_float ? 9 : 15, value);
    fprintf(out, "%s%s%s", digits, strpbrk(digits, ".e") == NULL ? ".0" : "", is_float ? "F" : "");
}

static bool is_real(const char *type)
{
    return strcmp(type, "float") == 0 || strcmp(type, "double") == 0;
}

static bool is_whole(const char *type)
{
    static const char *const types[] = {"size_t", "int", "int32_t", "int64_t", "uint64_t", "bool"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(type, types[i]) == 0)
            return true;
    return false;
}

static void put_number(FILE *out, const char *type, double value)
{
    if (is_real(type))
        put_real(out, value, type);
    else
        fprintf(out, "%.0f", value);
}

/* " = { ... }". C has no empty list, so an array without values begins with a zero. */
static void put_values(struct program *p, const char *type, const struct vl_tensor_entry *values)
{
    fputs(" = {", p->out);
    for (size_t i = 0; i < values->count; i++) {
        fputs(i % IN_A_LINE == 0 ? "\n    " : " ", p->out);
        put_number(p->out, type,
                   vl_entry_counts(values, i) ? vl_entry_value(values, i) : (double)NAN);
        fputc(',', p->out);
    }
    fputs(values->count > 0 ? "\n}" : "0}", p->out);
    p->numbers += values->count;
}

/* C has no arrays without elements. */
static size_t room(size_t count)
{
    return count > 0 ? count : 1;
}

/* ---- what a parameter is in the case ---- */

static const struct vl_tensor_entry *input_of(const struct program *p, const char *name)
{
    char saved[VL_CONTRACT_NAME + 8];
    snprintf(saved, sizeof saved, "saved_%s", name); /* what a forward has left for a backward */
    const struct vl_tensor_entry *entry = vl_bag_find(p->judgement.inputs, name);
    return entry != NULL ? entry : vl_bag_find(p->judgement.inputs, saved);
}

/* One number, of the right kind. */
static bool value_of(double *value, const struct program *p, const struct vl_parameter *parameter)
{
    const struct vl_tensor_entry *entry = vl_bag_find(p->judgement.inputs, parameter->name);
    enum vl_dtype dtype = is_real(parameter->type) ? VL_F64 : VL_I64;
    if (entry == NULL || entry->count != 1 || entry->dtype != dtype ||
        !(is_real(parameter->type) || is_whole(parameter->type)))
        return false;
    *value = vl_entry_value(entry, 0);
    return true;
}

/* "static const float x[6] = {...};" */
static bool declare_input(struct program *p, const struct vl_parameter *parameter)
{
    const struct vl_tensor_entry *entry = input_of(p, parameter->name);
    if (entry == NULL || !(is_real(parameter->type) || is_whole(parameter->type)))
        return false;
    fprintf(p->out, "static const %s %s[%zu]", parameter->type, parameter->name,
            room(entry->count));
    put_values(p, parameter->type, entry);
    fputs(";\n\n", p->out);
    return true;
}

/* "static float y[6];", with what is there before the call, if anything is. One that nothing is
 * compared with is room to work in: a square of the longest side is enough for all that there are. */
static bool declare_output(struct program *p, const struct vl_parameter *parameter)
{
    const struct vl_tensor_entry *expected = vl_bag_find(p->judgement.expected, parameter->name);
    const struct vl_tensor_entry *before = vl_bag_find(p->judgement.inputs, parameter->name);
    size_t count = expected != NULL ? expected->count : (size_t)(p->longest * p->longest);
    if (!is_real(parameter->type) && !is_whole(parameter->type))
        return false;
    fprintf(p->out, "static %s %s[%zu]", parameter->type, parameter->name, room(count));
    if (before != NULL && before->count == count)
        put_values(p, parameter->type, before);
    fputs(";\n", p->out);
    if (expected != NULL && count > 0) {
        fprintf(p->out, "static const double expected_%s[%zu]", parameter->name, room(count));
        put_values(p, "double", expected);
        fputs(";\n", p->out);
    }
    fputc('\n', p->out);
    return true;
}

/* "static const struct vl_adamw settings = {.lr = 0.5F, ...};" */
static enum vl_status declare_structure(struct program *p, const struct vl_parameter *parameter)
{
    struct vl_contract fields;
    enum vl_status status =
        vl_contract_fields(&fields, parameter->type, p->contract.header, p->folder);
    fprintf(p->out, "static const %s %s = {\n", parameter->type, parameter->name);
    for (size_t i = 0; i < fields.count && status == VL_OK; i++) {
        double value;
        if (fields.parameters[i].is_pointer || !value_of(&value, p, &fields.parameters[i]))
            return VL_ELACK;
        fprintf(p->out, "    .%s = ", fields.parameters[i].name);
        put_number(p->out, fields.parameters[i].type, value);
        fputs(",\n", p->out);
    }
    fputs("};\n\n", p->out);
    return status;
}

static enum vl_status declare(struct program *p, const struct vl_parameter *parameter)
{
    double value;
    bool done;
    if (!parameter->is_pointer)
        done = value_of(&value, p, parameter);
    else if (strncmp(parameter->type, "struct ", 7) == 0 && parameter->is_constant)
        return declare_structure(p, parameter);
    else
        done = parameter->is_constant ? declare_input(p, parameter) : declare_output(p, parameter);
    return done ? VL_OK : VL_ELACK;
}

/* ---- the program ---- */

static void put_argument(struct program *p, const struct vl_parameter *parameter)
{
    double value;
    if (parameter->is_pointer)
        fprintf(p->out, "%s%s", strncmp(parameter->type, "struct ", 7) == 0 ? "&" : "",
                parameter->name);
    else if (value_of(&value, p, parameter))
        put_number(p->out, parameter->type, value);
}

/* As judge/compare.h measures it. */
static void put_comparison(FILE *out, const struct vl_case *c)
{
    fprintf(out, "#define BOUND %g\n#define FLOOR %g\n\n", c->bound, c->floor);
    fputs(
        "/* The grader compares whole arrays: how long the difference is, as a vector, over how long\n"
        " * the right one is. */\n"
        "struct lengths {\n    double difference, right; /* squared */\n};\n\n"
        "static void add(struct lengths *lengths, double got, double expected)\n{\n"
        "    if (isnan(expected) || (!isfinite(expected) && !isfinite(got)))\n        return;\n"
        "    lengths->difference += isfinite(got) ? (got - expected) * (got - expected) : INFINITY;\n"
        "    lengths->right += expected * expected;\n}\n\n"
        "static int is_off(const struct lengths *lengths)\n{\n"
        "    return !(sqrt(lengths->difference) <= BOUND * fmax(sqrt(lengths->right), FLOOR));\n"
        "}\n\n"
        "static void show(const char *name, size_t i, double got, double expected)\n{\n"
        "    if (!isnan(expected) && !(fabs(got - expected) <= BOUND * fmax(fabs(expected), FLOOR)))\n"
        "        printf(\"%s[%zu] is %.9g, expected %.9g\\n\", name, i, got, expected);\n}\n\n",
        out);
}

static void put_output(FILE *out, const char *name, size_t count)
{
    fprintf(out,
            "\n    struct lengths of_%s = {0, 0};\n"
            "    for (size_t i = 0; i < %zu; i++)\n"
            "        add(&of_%s, (double)%s[i], expected_%s[i]);\n"
            "    for (size_t i = 0; i < %zu && is_off(&of_%s); i++)\n"
            "        show(\"%s\", i, (double)%s[i], expected_%s[i]);\n"
            "    wrong += is_off(&of_%s);\n",
            name, count, name, name, name, count, name, name, name, name, name);
}

static void put_main(struct program *p)
{
    const char *expected = vl_status_name(vl_judgement_status(&p->judgement, -1));
    fprintf(p->out, "int main(void)\n{\n    enum vl_status status = %s(", p->judgement.c->function);
    for (size_t i = 0; i < p->contract.count; i++) {
        fputs(i > 0 ? ", " : "", p->out);
        put_argument(p, &p->contract.parameters[i]);
    }
    fprintf(p->out,
            ");\n    int wrong = status != %s;\n"
            "    printf(\"returned %%s, expected %s\\n\", names[status]);\n",
            expected, expected);
    for (size_t i = 0; i < p->contract.count; i++) {
        const struct vl_parameter *one = &p->contract.parameters[i];
        const struct vl_tensor_entry *answer = one->is_pointer && !one->is_constant
                                                   ? vl_bag_find(p->judgement.expected, one->name)
                                                   : NULL;
        if (answer != NULL && answer->count > 0)
            put_output(p->out, one->name, answer->count);
    }
    fputs("\n    puts(wrong ? \"wrong\" : \"right\");\n    return wrong > 0;\n}\n", p->out);
}

static void put_status_names(FILE *out)
{
    fputs("static const char *const names[] = {", out);
    for (int status = VL_OK; status <= VL_EINTERNAL; status++)
        fprintf(out, "%s\"%s\"", status > VL_OK ? ", " : "", vl_status_name(status));
    fputs("};\n\n", out);
}

static enum vl_status put_program(struct program *p, const char *opening)
{
    enum vl_status status = VL_OK;
    fprintf(p->out, "/*\n%s */\n#include \"vialata/%s\"\n\n", opening, p->contract.header);
    fputs("#include <math.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n\n",
          p->out);
    for (size_t i = 0; i < p->contract.count; i++) {
        double value;
        if (!p->contract.parameters[i].is_pointer &&
            value_of(&value, p, &p->contract.parameters[i]))
            p->longest = fmax(p->longest, value);
    }
    for (size_t i = 0; i < p->contract.count && status == VL_OK; i++)
        status = declare(p, &p->contract.parameters[i]);
    put_comparison(p->out, p->judgement.c);
    put_status_names(p->out);
    put_main(p);
    return status == VL_OK && p->numbers > VL_PROGRAM_MOST ? VL_ELACK : status;
}

/* ---- which cases ---- */

static bool is_parameter(const struct vl_contract *contract, const char *name)
{
    for (size_t i = 0; i < contract->count; i++)
        if (strcmp(contract->parameters[i].name, name) == 0)
            return true;
    return false;
}

/* The runner does something else than this one call if the inputs tell it to. */
static bool is_one_call(const struct program *p)
{
    const struct vl_case *c = p->judgement.c;
    if (c->ranks > 1 || c->sealed || c->per_rank)
        return false;
    for (size_t i = 0; i < vl_bag_count(p->judgement.inputs); i++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(p->judgement.inputs, i);
        if (strstr(entry->name, "negative") != NULL)
            return false; /* a second call, with other targets */
        if (entry->count == 1 && entry->dtype == VL_I64 && vl_question_hides(entry->name) &&
            !is_parameter(&p->contract, entry->name) && vl_entry_value(entry, 0) != 0)
            return false;
    }
    for (size_t i = 0; i < vl_bag_count(p->judgement.expected); i++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(p->judgement.expected, i);
        if (vl_judgement_is_compared(entry) && !is_parameter(&p->contract, entry->name))
            return false; /* found out after the call, in another way */
    }
    return true;
}

static enum vl_status prepare(struct program *p)
{
    enum vl_status status =
        p->folder != NULL ? vl_contract_read(&p->contract, p->judgement.c->function, p->folder)
                          : VL_ENOMEM;
    if (status != VL_OK)
        return status;
    vl_judgement_open(&p->judgement);
    status = p->judgement.status;
    return status == VL_OK && !is_one_call(p) ? VL_ELACK : status;
}

enum vl_status vl_case_program(char **text, const struct vl_case *c, const struct vl_bag *inputs,
                               const char *opening)
{
    struct program p = {.judgement = {.c = c, .inputs = inputs},
                        .folder = vl_place_path("include", "vialata")};
    size_t length;
    *text = NULL;
    enum vl_status status = prepare(&p);
    if (status == VL_OK) {
        p.out = open_memstream(text, &length);
        status = p.out != NULL ? put_program(&p, opening) : VL_ENOMEM;
    }
    if (p.out != NULL && fclose(p.out) != 0 && status == VL_OK)
        status = VL_ENOMEM;
    if (status != VL_OK) {
        free(*text);
        *text = NULL;
    }
    vl_bag_free(p.judgement.expected);
    free(p.folder);
    return status;
}
