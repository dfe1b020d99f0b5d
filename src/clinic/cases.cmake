# The cases of the clinic are the files of src/clinic/cases/: nobody writes a list of them. Included by
# CMakeLists.txt, which has made the layer from the same files.
file(GLOB clinic_files RELATIVE ${PROJECT_SOURCE_DIR}/src/clinic/cases CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/src/clinic/cases/[0-9][0-9]_*.c)
list(SORT clinic_files)
foreach(file ${clinic_files})
  string(SUBSTRING ${file} 0 2 number)
  string(APPEND clinic_externs "extern const struct vl_clinic_case vl_clinic_case_${number};\n")
  string(APPEND clinic_rows "    &vl_clinic_case_${number},\n")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/clinic_cases.c CONTENT
"#include \"clinic/case.h\"

@clinic_externs@
const struct vl_clinic_case *const vl_clinic_cases[] = {
@clinic_rows@    NULL,
};
const size_t vl_clinic_count = sizeof vl_clinic_cases / sizeof *vl_clinic_cases - 1;
" @ONLY)
target_sources(vl_clinic PRIVATE ${PROJECT_BINARY_DIR}/generated/clinic_cases.c)
