# Every tests/<area>/test_*.c is a cmocka program of its own, linked with all serial layers;
# every tests/<area>/check_*.sh or check_*.py is a check of the tree.
find_package(Python3 COMPONENTS Interpreter)
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
file(GLOB test_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/*/test_*.c)
foreach(source ${test_sources})
  get_filename_component(name ${source} NAME_WE)
  get_filename_component(area ${source} DIRECTORY)
  get_filename_component(area ${area} NAME)
  string(REPLACE "test_" "${area}_" name ${name})
  add_executable(test_${name} ${source})
  set_target_properties(test_${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(test_${name} PRIVATE vl_class vl_clinic vl_report vl_simulate vl_grade vl_train vl_engine vl_oracle
                        vl_base ${VIALATA_SOLUTIONS} PkgConfig::CMOCKA)
  add_test(NAME ${name} COMMAND test_${name})
  set_tests_properties(${name} PROPERTIES
    ENVIRONMENT "VIALATA_PLACE=${PROJECT_BINARY_DIR};OPENBLAS_NUM_THREADS=1"
    TIMEOUT 300 PROCESSORS 2)
  list(APPEND sanitized test_${name})
endforeach()

# What tests/simulate/check_simulate.py starts inside SimGrid, and what writes a platform for it.
add_executable(write_platform ${PROJECT_SOURCE_DIR}/tests/simulate/write_platform.c)
target_link_libraries(write_platform PRIVATE vl_simulate)
set_target_properties(write_platform PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
if(SIMGRID_MAIN)
  vialata_smpi_objects(smpi_roads_objects ${PROJECT_SOURCE_DIR}/tests/simulate/smpi_roads.c)
  vialata_smpi_program(smpi_roads $<TARGET_OBJECTS:smpi_roads_objects>)
  # Transfers in the background, as the simulator has them.
  set(flight_sources arena calls communicators flights messages shared state watch)
  list(TRANSFORM flight_sources PREPEND ${PROJECT_SOURCE_DIR}/src/simulate/ranks/)
  list(TRANSFORM flight_sources APPEND .c)
  vialata_smpi_objects(smpi_flights_objects ${flight_sources}
                       ${PROJECT_SOURCE_DIR}/tests/simulate/smpi_flights.c)
  vialata_smpi_program(smpi_flights $<TARGET_OBJECTS:smpi_flights_objects>)
  target_link_options(smpi_flights PRIVATE ${VIALATA_FLIGHT_WRAP_FLAGS})
  set_target_properties(smpi_roads smpi_flights PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
endif()

include(tests/ranks.cmake) # every tests/<area>/ranks_*.c, which a check starts under mpirun

# All that runs under the sanitizers (selftest.sh): these programs, what sandboxes need of the build, the trainer that
# check_roofline.py starts, and the list of names that test_grade_names reads. The rest, half of the tree, nobody would start there.
add_custom_target(sanitized DEPENDS ${runner_names})
add_dependencies(sanitized ${sanitized} vialata-cable vialata-trainer)

include(tests/fuzz/fuzz.cmake) # parsers of untrusted bytes, for clang's libFuzzer

# What tests/texts/check_numbers.py compares the chapters with.
add_executable(chapter_numbers ${PROJECT_SOURCE_DIR}/tests/texts/chapter_numbers.c
               ${PROJECT_SOURCE_DIR}/tests/texts/chapter_models.c)
set_target_properties(chapter_numbers PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
target_include_directories(chapter_numbers PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(chapter_numbers PRIVATE vl_grade vl_engine vl_base ${VIALATA_SOLUTIONS}
                      PkgConfig::CMOCKA)

# What tests/mistakes/check_signs.py grades known mistakes with, as if nobody knew them.
add_executable(grade_unexplained ${PROJECT_SOURCE_DIR}/tests/mistakes/unexplained.c)
set_target_properties(grade_unexplained PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
target_link_libraries(grade_unexplained PRIVATE vl_grade vl_engine vl_base)

# What tests/clinic/check_clinic.py gets repaired programs from.
add_executable(clinic_repaired ${PROJECT_SOURCE_DIR}/tests/clinic/repaired.c)
set_target_properties(clinic_repaired PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
target_link_libraries(clinic_repaired PRIVATE vl_clinic)

file(GLOB checks CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/*/check_*.sh
     ${PROJECT_SOURCE_DIR}/tests/*/check_*.py)
# As the grader starts its jobs: neither networks nor graphics are looked for, which takes longer than most.
set(start_of_ranks "OMPI_MCA_pml=ob1;HWLOC_COMPONENTS=linux,stop;HWLOC_PLUGINS_PATH=/nonexistent")
foreach(check ${checks})
  get_filename_component(name ${check} NAME_WE)
  get_filename_component(area ${check} DIRECTORY)
  get_filename_component(area ${area} NAME)
  string(REPLACE "check_" "${area}_" name ${name})
  if(check MATCHES "\\.py$")
    add_test(NAME ${name} COMMAND /usr/bin/python3 ${check})
  else()
    add_test(NAME ${name} COMMAND sh ${check})
  endif()
  # Under the sanitizers the suite skips checks, except those that start our own programs on ranks.
  set(label check)
  file(STRINGS ${check} starts REGEX "^from on_ranks import")
  if(starts)
    set(label ranks)
  endif()
  set_tests_properties(${name} PROPERTIES
    ENVIRONMENT "VIALATA_ROOT=${PROJECT_SOURCE_DIR};VIALATA_PLACE=${PROJECT_BINARY_DIR};PYTHONPATH=${PROJECT_SOURCE_DIR}/tests;${start_of_ranks}"
    TIMEOUT 900 LABELS ${label} SKIP_RETURN_CODE 77 PROCESSORS 2)
endforeach()
# ctest -j 4 (selftest.sh) has four places: two for most tests, and one for those that mostly wait, for ranks that
# hang or for a slow road. Where no earlier run is remembered, the order follows from COST: those that wait come
# first, then what takes longest.
set_tests_properties(mpi_mpi mpi_fortran mpi_windows mpi_strict mpi_blind clinic_clinic cli_bandwidth
  cli_two_hosts cluster_batch_slurm cluster_mpi_slurm cluster_train_hosts PROPERTIES PROCESSORS 1 COST 200)
set_tests_properties(mpi_mpi PROPERTIES COST 300)
set_tests_properties(texts_book simulate_with_labs cli_with_labs class_handout class_batch train_experts
  solutions_collectives simulate_simulate unseen_unseen mistakes_mistakes grade_skeleton PROPERTIES COST 100)

# Two assert what a speed is or why; one starts as many processes as it can; one measures when two
# ranks sent what.
set_tests_properties(grade_reference grade_cost grade_hostile grade_budget cli_timeline
  PROPERTIES RUN_SERIAL ON)
# With --long and their names these take all gradings, or all files: up to 25 minutes alone (share.py).
set_tests_properties(mistakes_mistakes mistakes_signs mistakes_mutants unseen_unseen tree_tidy grade_hostile
  install_deb PROPERTIES TIMEOUT 4500)
# The first builds the book, so it runs before those that read it, even if only they are asked for.
# Five more update it themselves, and a build folder can have only one build at a time.
set_tests_properties(texts_book PROPERTIES FIXTURES_SETUP book)
set_tests_properties(texts_claims texts_drawings texts_ebook texts_steps browser_axe browser_pages browser_steps PROPERTIES
  FIXTURES_REQUIRED book)
set_tests_properties(texts_book texts_drawings texts_ebook texts_steps browser_axe browser_pages browser_steps install_install fuzz_fuzz
  PROPERTIES RESOURCE_LOCK book)
# Each looks for hosts that were left behind.
set_tests_properties(cli_bandwidth cli_two_hosts PROPERTIES RESOURCE_LOCK hosts)
# Each starts a cluster on this machine; one of them on two hosts.
set_tests_properties(cluster_batch_slurm cluster_mpi_slurm PROPERTIES RESOURCE_LOCK cluster)
set_tests_properties(cluster_train_hosts PROPERTIES RESOURCE_LOCK "hosts;cluster")
