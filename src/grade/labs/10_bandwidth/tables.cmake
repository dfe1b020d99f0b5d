# The rows of simulated/sets.tsv become an array of numbers in generated/simulated_sets.h. The first
# line says what made the table, the second one names its columns.
set(table ${CMAKE_CURRENT_LIST_DIR}/simulated/sets.tsv)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
file(STRINGS ${table} lines)
list(SUBLIST lines 2 -1 lines)
list(TRANSFORM lines REPLACE "\t" ", ")
list(TRANSFORM lines PREPEND "    {")
list(TRANSFORM lines APPEND "},\n")
string(JOIN "" lines ${lines})
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/simulated_sets.h CONTENT
"/* Made from src/grade/labs/10_bandwidth/simulated/sets.tsv by tables.cmake. */
static const double rows[][COLUMNS] = {
@lines@};
" @ONLY)
