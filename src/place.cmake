# buildinfo.json tells the program where things are and how a lab is compiled. In the build tree it
# is next to bin/, and its paths are absolute or relative to its folder. The installed tree gets
# another one (install.cmake).
list(JOIN MPI_C_INCLUDE_DIRS "\n" mpi_includes)
get_target_property(blas_libraries PkgConfig::CBLAS INTERFACE_LINK_LIBRARIES)
list(JOIN blas_libraries "\n" blas_libraries)
list(JOIN MPI_C_LIBRARIES "\n" mpi_libraries)
set(asan_flags "")
if(VIALATA_ASAN)
  set(asan_flags "-fsanitize=address,undefined")
endif()
list(JOIN CBLAS_INCLUDE_DIRS "\n" blas_includes)
list(JOIN JANSSON_LINK_LIBRARIES "\n" runner_libraries) # what runner_archives themselves need
string(APPEND runner_libraries "\n-lm")
list(JOIN VIALATA_RUNNER_WRAP_FLAGS "\n" wrap_flags)
list(JOIN VIALATA_TRAINER_WRAP_FLAGS "\n" trainer_wrap_flags)
list(JOIN VIALATA_COUNTED_FLAGS "\n" counted_flags)
list(JOIN VIALATA_LAB_FLAGS "\n" lab_flags)
# The Python that runs Sphinx: `doctor` asks it which modules it has. The system's own comes first,
# because another Python in PATH may lack Sphinx, MyST and furo.
find_program(SPHINX_BUILD sphinx-build PATHS /usr/bin NO_DEFAULT_PATH)
find_program(SPHINX_BUILD sphinx-build)
set(sphinx_python "")
if(SPHINX_BUILD)
  file(STRINGS ${SPHINX_BUILD} sphinx_python LIMIT_COUNT 1 REGEX "^#!")
  string(REGEX REPLACE "^#! *(/usr/bin/env +)?([^ ]+).*" "\\2" sphinx_python "${sphinx_python}")
endif()
function(vialata_json_text out text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\\n" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()
vialata_json_text(lab_flags "${lab_flags}")

set(solution_archives "")
foreach(solution ${VIALATA_SOLUTIONS})
  string(APPEND solution_archives "$<TARGET_FILE:${solution}>\\n")
endforeach()
vialata_json_text(mpi_includes_json "${mpi_includes}")
vialata_json_text(mpi_libraries_json "${mpi_libraries}")
vialata_json_text(blas_json "${blas_libraries}")
vialata_json_text(blas_includes "${blas_includes}")
vialata_json_text(runner_libraries "${runner_libraries}")
vialata_json_text(wrap_flags "${wrap_flags}")
vialata_json_text(trainer_wrap_flags "${trainer_wrap_flags}")
vialata_json_text(counted_flags "${counted_flags}")

# Inside SimGrid; all of it is empty where there is none (src/simulate/simulate.cmake).
vialata_json_text(simgrid_includes "${SIMGRID_INCLUDES}")
vialata_json_text(simgrid_flags "${SIMGRID_FLAGS}")
vialata_json_text(simulator_wrap_flags "${SIMULATOR_WRAP_FLAGS}")
vialata_json_text(phantoms "${SIMULATOR_PHANTOMS}")
set(simgrid_libraries "")
set(simulator_object "")
if(SIMGRID_MAIN)
  set(simgrid_libraries "${SIMGRID_LIBRARY}")
  set(simulator_object smpi_simulator.o)
endif()
set(simulator_archives "")
foreach(archive ${SMPI_ARCHIVES})
  string(APPEND simulator_archives "$<TARGET_FILE:${archive}>\\n")
endforeach()
set(simulator_solutions "")
foreach(solution ${SMPI_SOLUTIONS})
  string(APPEND simulator_solutions "$<TARGET_FILE:${solution}>\\n")
endforeach()

# How labs are compiled and linked, in this tree and in an installed one. A list is one text with
# one item per line.
# What the labs' code asks of a processor, as /proc/cpuinfo calls it: a handout runs elsewhere.
execute_process(COMMAND ${CMAKE_C_COMPILER} -march=${VIALATA_CPU} -dM -E -x c /dev/null
                OUTPUT_VARIABLE macros ERROR_QUIET)
set(processor "")
foreach(feature avx avx2 fma f16c bmi2 movbe adx avx512f avx512bw avx512cd avx512dq avx512vl
                avx512ifma avx512vbmi)
  string(TOUPPER ${feature} macro)
  if(macros MATCHES "#define __${macro}__ 1")
    string(APPEND processor "${feature}\\n")
  endif()
endforeach()

set(buildinfo_tools
"  \"compiler\": \"${CMAKE_C_COMPILER}\",
  \"lab_flags\": \"${lab_flags}\",
  \"processor\": \"${processor}\",
  \"sanitize_flags\": \"${asan_flags}\",
  \"mpi_includes\": \"${mpi_includes_json}\",
  \"mpi_libraries\": \"${mpi_libraries_json}\",
  \"blas_includes\": \"${blas_includes}\",
  \"blas_libraries\": \"${blas_json}\",
  \"mpiexec\": \"${MPIEXEC_EXECUTABLE}\",
  \"smpimain\": \"${SIMGRID_MAIN}\",
  \"runner_libraries\": \"${runner_libraries}\",
  \"wrap_flags\": \"${wrap_flags}\",
  \"trainer_wrap_flags\": \"${trainer_wrap_flags}\",
  \"counted_flags\": \"${counted_flags}\",
  \"simgrid_includes\": \"${simgrid_includes}\",
  \"simgrid_flags\": \"${simgrid_flags}\",
  \"simgrid_libraries\": \"${simgrid_libraries}\",
  \"simulator_wrap_flags\": \"${simulator_wrap_flags}\",
  \"phantoms\": \"${phantoms}\",")
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/buildinfo.json CONTENT
"{
  \"root\": \"${PROJECT_SOURCE_DIR}\",
  \"build\": \"${PROJECT_BINARY_DIR}\",
  \"bin\": \"bin\",
  \"share\": \"share\",
  \"include\": \"${PROJECT_SOURCE_DIR}/include\",
  \"labs\": \"${PROJECT_SOURCE_DIR}/labs\",
  \"solutions\": \"${PROJECT_SOURCE_DIR}/solutions\",
  \"mistakes\": \"${PROJECT_SOURCE_DIR}/src/grade/labs\",
  \"cache\": \"mistakes\",
  \"entrance\": \"${PROJECT_SOURCE_DIR}/vialata\",
  \"preload\": \"$<TARGET_FILE:vialata-mpi>\",
${buildinfo_tools}
  \"sphinx_python\": \"${sphinx_python}\",
  \"runner_names\": \"objects/names\",
  \"runner_objects\": \"objects/runner.o\\nobjects/intercept.o\",
  \"counted_objects\": \"objects/counted.o\",
  \"runner_archives\": \"$<TARGET_FILE:vl_engine>\\n$<TARGET_FILE:vl_comm>\\n$<TARGET_FILE:vl_wire>\\n$<TARGET_FILE:vl_base>\",
  \"trainer_objects\": \"objects/trainer.o\\nobjects/intercept.o\",
  \"trainer_archives\": \"$<TARGET_FILE:vl_train>\\n$<TARGET_FILE:vl_engine>\\n$<TARGET_FILE:vl_comm>\\n$<TARGET_FILE:vl_wire>\\n$<TARGET_FILE:vl_base>\",
  \"solution_archives\": \"${solution_archives}\",
  \"simulator_objects\": \"$<$<BOOL:${simulator_object}>:objects/${simulator_object}>\",
  \"simulator_archives\": \"${simulator_archives}\",
  \"simulator_solutions\": \"${simulator_solutions}\"
}
")
