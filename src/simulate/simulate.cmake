# What `vialata simulate` runs inside SimGrid: the trainer and the engine once more, compiled against
# SimGrid's MPI (SMPI). Nothing else needs SimGrid, so without it these targets do not exist, and the
# command says what is missing.
#
#   vialata-simulator-real   the trainer as it is: real kernels, the losses of `vialata train`
#   vialata-simulator        the engine and the labs, with phantom kernels in lab 01's place
#
# Both are shared objects: SimGrid's `smpimain` loads them and runs a rank as a thread of its own.
# `vialata simulate --with labs` links the second again, with the student's labs.
find_library(SIMGRID_LIBRARY simgrid)
find_path(SIMGRID_INCLUDE smpi/mpi.h)
set(SIMGRID_MAIN "")
if(SIMGRID_LIBRARY)
  get_filename_component(simgrid_folder ${SIMGRID_LIBRARY} DIRECTORY)
  find_program(SMPIMAIN smpimain PATHS ${simgrid_folder}/simgrid NO_DEFAULT_PATH)
  if(SMPIMAIN AND SIMGRID_INCLUDE)
    set(SIMGRID_MAIN ${SMPIMAIN})
  endif()
endif()
if(NOT SIMGRID_MAIN)
  return()
endif()

# As smpicc compiles: time is the simulated one, and main is a rank's. A call of a function that a
# phantom stands in for reaches the phantom, from the same file too. A list is one text with one item
# per line, as in src/place.cmake.
set(SIMGRID_INCLUDES "${SIMGRID_INCLUDE}/smpi\n${SIMGRID_INCLUDE}")
set(simgrid_flags -include${SIMGRID_INCLUDE}/smpi/smpi_helpers.h -DSMPI_NO_OVERRIDE_MALLOC -fPIC
    -fsemantic-interposition)
list(JOIN simgrid_flags "\n" SIMGRID_FLAGS)
add_library(vl_smpi INTERFACE)
target_include_directories(vl_smpi INTERFACE ${SIMGRID_INCLUDE}/smpi ${PROJECT_SOURCE_DIR}/include
                           ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/generated)
target_compile_options(vl_smpi INTERFACE ${simgrid_flags})
target_link_libraries(vl_smpi INTERFACE PkgConfig::JANSSON PkgConfig::CBLAS)

function(vialata_smpi_objects name)
  add_library(${name} OBJECT ${ARGN})
  target_link_libraries(${name} PUBLIC vl_smpi)
endfunction()

function(vialata_smpi_archive name)
  add_library(${name} STATIC ${ARGN})
  target_link_libraries(${name} PUBLIC vl_smpi)
endfunction()

# The engine and what is below it, and the references, compiled as labs are. As in the other programs
# an archive's file is left out where an object defines its functions: so phantom kernels stand in for
# files of lab 01, and the simulator has arenas and spans of its own (src/simulate/ranks/).
set(SMPI_ARCHIVES)
foreach(layer train engine comm wire base)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${layer}/*.c)
  list(FILTER sources EXCLUDE REGEX "/(main\\.c|intercept/[^/]*|preload/[^/]*)$")
  vialata_smpi_archive(vl_smpi_${layer} ${sources})
  list(APPEND SMPI_ARCHIVES vl_smpi_${layer})
endforeach()
set(SMPI_SOLUTIONS)
foreach(solution ${VIALATA_SOLUTIONS})
  get_target_property(sources ${solution} SOURCES)
  string(REPLACE vl_ vl_smpi_ name ${solution})
  vialata_smpi_archive(${name} ${sources})
  target_compile_options(${name} PRIVATE ${VIALATA_LAB_FLAGS})
  list(APPEND SMPI_SOLUTIONS ${name})
endforeach()
list(JOIN SMPI_ARCHIVES "," smpi_archives)
list(JOIN SMPI_SOLUTIONS "," smpi_solutions)

# -Bsymbolic: our wrappers around MPI's calls win over the calls themselves. SimGrid looks for main,
# and a program tells nobody else what it is made of.
function(vialata_smpi_program name)
  add_library(${name} MODULE ${ARGN})
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ""
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  target_link_libraries(${name} PRIVATE "$<LINK_GROUP:RESCAN,${smpi_archives},${smpi_solutions}>"
                        ${SIMGRID_LIBRARY} m)
  target_link_options(${name} PRIVATE -Wl,-Bsymbolic -Wl,-z,defs
                      -Wl,--version-script=${PROJECT_BINARY_DIR}/generated/main.map)
endfunction()
file(WRITE ${PROJECT_BINARY_DIR}/generated/main.map "{ global: main; local: *; };\n")

# ---- real kernels ----
# SimGrid starts no other programs, and declares these calls in its own way.
set(smpi_intercept_sources ${intercept_sources})
list(FILTER smpi_intercept_sources EXCLUDE REGEX "/unwatched\\.c$")
vialata_smpi_objects(vl_smpi_intercept ${smpi_intercept_sources})
# SimGrid 3.32 forgot a const in the declaration of MPI_Get_elements_x.
# In gcc's words and in clang's: clang-tidy is given gcc's command lines.
target_compile_options(vl_smpi_intercept PRIVATE -Wno-unknown-warning-option -Wno-discarded-qualifiers
                       -Wno-incompatible-pointer-types-discards-qualifiers)
vialata_smpi_objects(vl_smpi_trainer ${PROJECT_SOURCE_DIR}/src/train/main.c)
# What SimGrid's MPI lacks.
file(GLOB smpi_missing CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/simulate/smpi/*.c)
vialata_smpi_objects(vl_smpi_missing ${smpi_missing})
vialata_smpi_program(vialata-simulator-real $<TARGET_OBJECTS:vl_smpi_trainer>
  $<TARGET_OBJECTS:vl_smpi_intercept> $<TARGET_OBJECTS:vl_smpi_missing>)
target_link_options(vialata-simulator-real PRIVATE ${VIALATA_TRAINER_WRAP_FLAGS})

# ---- phantom kernels ----
file(GLOB phantom_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/simulate/kernels/*.c)
set(SIMULATOR_PHANTOMS)
foreach(source ${phantom_sources})
  file(STRINGS ${source} defined REGEX "^enum vl_status vl_[a-z_0-9]+\\(")
  string(REGEX MATCHALL "vl_status vl_[a-z_0-9]+" defined "${defined}")
  list(TRANSFORM defined REPLACE "vl_status (.+)" "\\1")
  list(APPEND SIMULATOR_PHANTOMS ${defined})
endforeach()
list(JOIN SIMULATOR_PHANTOMS "\n" SIMULATOR_PHANTOMS)
file(GLOB simulator_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/simulate/*.c
     ${PROJECT_SOURCE_DIR}/src/simulate/ranks/*.c)
vialata_smpi_objects(vl_smpi_simulator ${simulator_sources} ${phantom_sources})
set(VIALATA_FLIGHT_WRAP_FLAGS -Wl,--wrap=vl_reduce_scatter_start -Wl,--wrap=vl_all_gather_start
  -Wl,--wrap=vl_all_reduce_start -Wl,--wrap=vl_transfer_finish -Wl,--wrap=vl_transfer_poll)
set(simulator_wraps ${VIALATA_FLIGHT_WRAP_FLAGS} -Wl,--wrap=vl_moe_routing_take
    -Wl,--wrap=vl_adamw_update)
list(JOIN simulator_wraps "\n" SIMULATOR_WRAP_FLAGS)
vialata_smpi_program(vialata-simulator $<TARGET_OBJECTS:vl_smpi_simulator>)
target_link_options(vialata-simulator PRIVATE ${simulator_wraps})
