#include "grade/diagnose/switch.h"

#include "grade/diagnose/edit.h"
#include "grade/mutants/c_function.h"
#include "grade/mutants/schema.h"

void vl_switch_begin(FILE *out)
{
    fputs("typedef void function(void);\n"
          "#if defined __x86_64__\n"
          "#define JUMP(name) \"\\tjmp *vl_now_\" #name \"(%rip)\\n\"\n"
          "#elif defined __aarch64__\n"
          "#define JUMP(name) \"\\tadrp x16, vl_now_\" #name "
          "\"\\n\\tldr x16, [x16, :lo12:vl_now_\" \\\n"
          "                   #name \"]\\n\\tbr x16\\n\"\n"
          "#endif\n"
          "#define SWITCH(name, plain) \\\n"
          "    extern function plain; \\\n"
          "    function *vl_now_##name = plain; \\\n"
          "    __asm__(\".text\\n\\t.globl \" #name \"\\n\\t.type \" #name \", %function\\n\" \\\n"
          "            #name \":\\n\" JUMP(name))\n",
          out);
}

void vl_switch_file(FILE *out, const char *text, uint64_t hash)
{
    struct vl_c_function f;
    for (; vl_c_function_next(&f, text); text = f.end)
        if (!f.is_static)
            fprintf(out, "SWITCH(%.*s, %.*s__%016llx);\n", (int)f.length, f.name, (int)f.length,
                    f.name, (unsigned long long)hash);
}

void vl_switch_choose(FILE *out)
{
    fputs("unsigned " VL_MUTANT_CHOSEN ";\nvoid vl_variant_choose(unsigned variant);\n"
          "void vl_variant_choose(unsigned variant)\n{\n    " VL_MUTANT_CHOSEN " = 0;\n",
          out);
}

void vl_switch_variants(FILE *out, struct vl_switch_range range, const char *text, uint64_t hash)
{
    struct vl_c_function f;
    if (range.first > 0)
        fprintf(out, "    if (variant >= %uu && variant <= %uu) {\n", range.first, range.last);
    if (range.mutant > 0)
        fprintf(out, "    " VL_MUTANT_CHOSEN " = variant - %uu + %uu;\n", range.first,
                range.mutant);
    for (; vl_c_function_next(&f, text); text = f.end)
        if (!f.is_static)
            fprintf(out, "    { extern function %.*s__%016llx; vl_now_%.*s = %.*s__%016llx; }\n",
                    (int)f.length, f.name, (unsigned long long)hash, (int)f.length, f.name,
                    (int)f.length, f.name, (unsigned long long)hash);
    if (range.first > 0)
        fputs("    }\n", out);
}

void vl_switch_end(FILE *out)
{
    fputs("}\n", out);
}
