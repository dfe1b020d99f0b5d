# Programs on several ranks: every tests/<area>/ranks_*.c becomes <build>/tests/<area>/ranks_*, and
# a check_*.py of that area starts it under mpirun (tests/on_ranks.py).
#
#   vialata_ranks_programs(AREA [what its programs are linked with ...])
#
# All of them get the serial layers, the engine and the references as archives, so a program is
# linked with what it calls and no more. A program that says __wrap_NAME is linked with --wrap=NAME.
function(vialata_ranks_programs area)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${area}/ranks_*.c)
  foreach(source ${sources})
    get_filename_component(name ${source} NAME_WE)
    set(program ${area}_${name})
    add_executable(${program} ${source})
    set_target_properties(${program} PROPERTIES OUTPUT_NAME ${name}
      RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/${area})
    target_link_libraries(${program} PRIVATE ${ARGN} vl_engine vl_comm vl_wire vl_base
                          ${VIALATA_SOLUTIONS} MPI::MPI_C)
    file(STRINGS ${source} wrapped REGEX "__wrap_")
    string(REGEX MATCHALL "__wrap_[a-z_0-9]+" wrapped "${wrapped}")
    list(REMOVE_DUPLICATES wrapped)
    list(TRANSFORM wrapped REPLACE "^__wrap_" "-Wl,--wrap=")
    target_link_options(${program} PRIVATE ${wrapped})
    if(VIALATA_ASAN)
      target_sources(${program} PRIVATE ${PROJECT_SOURCE_DIR}/tests/ranks_leaks.c)
      target_link_options(${program} PRIVATE -Wl,--wrap=MPI_Init -Wl,--wrap=MPI_Finalize)
    endif()
    list(APPEND sanitized ${program})
  endforeach()
  set(sanitized ${sanitized} PARENT_SCOPE)
endfunction()

vialata_ranks_programs(comm $<TARGET_OBJECTS:vl_intercept> ${VIALATA_WRAP_FLAGS})
vialata_ranks_programs(engine)
vialata_ranks_programs(solutions)
# The toy model that the runner has too.
target_sources(solutions_ranks_data_parallel PRIVATE ${PROJECT_SOURCE_DIR}/src/runner/unit_toy.c)
