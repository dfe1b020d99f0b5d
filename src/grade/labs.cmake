# The labs are the folders of src/grade/labs/: nobody writes a list of them. Each holds
#
#   lab.c          struct vl_lab vl_lab_<slug>
#   cases.c        struct vl_lab_cases vl_cases_<slug>
#   inspector.c    struct vl_inspector vl_inspectors_<slug>[]      (where there is one)
#   runner/calls.c struct vl_call vl_calls_<slug>[]
#   runner/timed.c struct vl_timed_call vl_timed_<slug>[]          (where something is timed)
#   tables.cmake   makes a header of a table of figures            (where there is one)
#
# and from that two tables are made: one for the grader, one for the runner.
file(GLOB lab_folders RELATIVE ${PROJECT_SOURCE_DIR}/src/grade/labs CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/src/grade/labs/[0-9][0-9]_*)
list(SORT lab_folders)
foreach(folder ${lab_folders})
  string(REGEX REPLACE "^[0-9]+_" "" slug ${folder})
  set(place ${PROJECT_SOURCE_DIR}/src/grade/labs/${folder})
  string(APPEND lab_externs "extern const struct vl_lab vl_lab_${slug};\n"
         "extern const struct vl_lab_cases vl_cases_${slug};\n")
  string(APPEND lab_rows "    &vl_lab_${slug},\n")
  string(APPEND case_rows "    &vl_cases_${slug},\n")
  if(EXISTS ${place}/inspector.c)
    string(APPEND lab_externs "extern const struct vl_inspector vl_inspectors_${slug}[];\n")
    string(APPEND inspector_rows "    vl_inspectors_${slug},\n")
  endif()
  include(${place}/tables.cmake OPTIONAL)
  string(APPEND call_externs "extern const struct vl_call vl_calls_${slug}[];\n")
  set(timed NULL)
  if(EXISTS ${place}/runner/timed.c)
    string(APPEND call_externs "extern const struct vl_timed_call vl_timed_${slug}[];\n")
    set(timed vl_timed_${slug})
  endif()
  string(APPEND call_rows "    {vl_calls_${slug}, ${timed}},\n")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/lab_tables.c CONTENT
"#include \"grade/catalogue/case.h\"
#include \"grade/judge/inspect.h\"

@lab_externs@
const struct vl_lab *const vl_labs[] = {
@lab_rows@};
const size_t vl_lab_count = sizeof vl_labs / sizeof *vl_labs;

const struct vl_lab_cases *const vl_all_cases[] = {
@case_rows@};

const struct vl_inspector *const vl_lab_inspectors[] = {
@inspector_rows@    NULL,
};
" @ONLY)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/runner_tables.c CONTENT
"#include \"runner/call.h\"

@call_externs@
const struct vl_runner_lab vl_runner_labs[] = {
@call_rows@};
const size_t vl_runner_lab_count = sizeof vl_runner_labs / sizeof *vl_runner_labs;
" @ONLY)
