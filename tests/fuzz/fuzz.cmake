# Fuzz targets, if clang with libFuzzer is installed: tests/fuzz/fuzz_NAME.c and the few sources
# that it needs become <build>/tests/fuzz/fuzz_NAME, compiled by clang under its sanitizers whatever
# compiles the rest: each source once, for all targets that need it. They are not part of "all": target
# "fuzz" builds them, and check_fuzz.py builds and runs it.
find_program(VIALATA_CLANG clang)
set(fuzz_flags -std=gnu11 -D_GNU_SOURCE -g -O1 -Wall -Wextra
    -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined)
foreach(folder ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src
        ${PROJECT_BINARY_DIR}/generated ${JANSSON_INCLUDE_DIRS})
  list(APPEND fuzz_flags -I${folder})
endforeach()
file(GLOB_RECURSE fuzz_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.h
     ${PROJECT_SOURCE_DIR}/include/*.h ${PROJECT_SOURCE_DIR}/tests/fuzz/*.h)
set(fuzz_programs)
set(fuzz_objects)

# vialata_fuzz(NAME PATTERN ...): patterns of sources, seen from the root of the tree. src/base is
# always among them.
function(vialata_fuzz name)
  set(program ${PROJECT_BINARY_DIR}/tests/fuzz/fuzz_${name})
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/fuzz/fuzz_${name}.c
       ${PROJECT_SOURCE_DIR}/src/base/*.c ${ARGN})
  set(objects)
  foreach(source ${sources})
    file(RELATIVE_PATH object ${PROJECT_SOURCE_DIR} ${source})
    string(REPLACE "/" "_" object ${object})
    set(object ${PROJECT_BINARY_DIR}/tests/fuzz/objects/${object}.o)
    if(NOT object IN_LIST fuzz_objects)
      add_custom_command(OUTPUT ${object}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/tests/fuzz/objects
        COMMAND ${CMAKE_C_COMPILER_LAUNCHER} ${VIALATA_CLANG} ${fuzz_flags} -c ${source} -o ${object}
        DEPENDS ${source} ${fuzz_headers}
        COMMENT "To be fuzzed: ${source}" VERBATIM)
      list(APPEND fuzz_objects ${object})
    endif()
    list(APPEND objects ${object})
  endforeach()
  add_custom_command(OUTPUT ${program}
    COMMAND ${VIALATA_CLANG} ${fuzz_flags} ${objects} ${JANSSON_LINK_LIBRARIES} ${LIBCSV} -lm -o ${program}
    DEPENDS ${objects}
    COMMENT "Fuzz target ${name}" VERBATIM)
  set(fuzz_objects ${fuzz_objects} PARENT_SCOPE)
  set(fuzz_programs ${fuzz_programs} ${program} PARENT_SCOPE)
endfunction()

if(VIALATA_CLANG)
  vialata_fuzz(bag src/wire/*.c)
  vialata_fuzz(board src/wire/beacon.c src/wire/element_type.c src/ranks/hang/hang*.c
               src/ranks/hang/standstill.c src/ranks/hang/wait_graph*.c)
  vialata_fuzz(class src/class/intake/csv.c src/class/book/overrides*.c src/class/intake/roster.c src/class/book/points.c
               src/class/book/lateness.c src/class/similar/similar_report.c src/report/verdict/json.c
               src/grade/catalogue/verdict.c src/report/draw/*.c)
  vialata_fuzz(plan src/plan/*.c)
  vialata_fuzz(receipt src/class/intake/receipt.c)
  vialata_fuzz(schedule src/engine/schedule/schedule.c src/engine/schedule/schedule_[!m]*.c)
  vialata_fuzz(timeline src/report/timeline/*.c src/report/verdict/json.c
               src/grade/catalogue/verdict.c src/report/schedule/*.c src/report/draw/*.c
               src/engine/schedule/schedule.c src/engine/schedule/schedule_[!m]*.c)
  add_custom_target(fuzz DEPENDS ${fuzz_programs})
endif()
