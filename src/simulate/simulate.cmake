# What `vialata simulate` runs inside SimGrid: the trainer and the engine once more, compiled against
# SimGrid's MPI (SMPI). Nothing else needs SimGrid, so without it these targets do not exist, and the
# command says what is missing.
#
#   vialata-simulator-real   the trainer as it is: real kernels, the losses of `vialata train`
#   vialata-simulator        the engine and the labs, with phantom kernels in lab 01's place
#
# Both are shared objects: SimGrid's `smpimain` loads them and runs a rank as a thread of its own.
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

# As smpicc compiles: time is the simulated one, and main is a rank's.
add_library(vl_smpi INTERFACE)
target_include_directories(vl_smpi INTERFACE ${SIMGRID_INCLUDE}/smpi ${PROJECT_SOURCE_DIR}/include
                           ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/generated)
target_compile_definitions(vl_smpi INTERFACE SMPI_NO_OVERRIDE_MALLOC)
target_compile_options(vl_smpi INTERFACE -include smpi/smpi_helpers.h)

function(vialata_smpi_objects name)
  add_library(${name} OBJECT ${ARGN})
  target_link_libraries(${name} PUBLIC vl_smpi PkgConfig::JANSSON PkgConfig::CBLAS)
endfunction()

# -Bsymbolic: our wrappers around MPI's calls win over the calls themselves.
function(vialata_smpi_program name)
  add_library(${name} MODULE ${ARGN})
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ""
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  target_link_libraries(${name} PRIVATE ${SIMGRID_LIBRARY} PkgConfig::JANSSON PkgConfig::CBLAS m)
  target_link_options(${name} PRIVATE -Wl,-Bsymbolic -Wl,-z,defs)
endfunction()

function(vialata_smpi_layer name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.c)
  list(FILTER sources EXCLUDE REGEX "/(main\\.c|intercept/[^/]*)$")
  vialata_smpi_objects(vl_smpi_${name} ${sources})
endfunction()
foreach(layer base wire comm engine train)
  vialata_smpi_layer(${layer})
endforeach()
vialata_smpi_objects(vl_smpi_intercept ${intercept_sources})
# SimGrid 3.32 forgot a const in the declaration of MPI_Get_elements_x.
# In gcc's words and in clang's: clang-tidy is given gcc's command lines.
target_compile_options(vl_smpi_intercept PRIVATE -Wno-unknown-warning-option -Wno-discarded-qualifiers
                       -Wno-incompatible-pointer-types-discards-qualifiers)
vialata_smpi_objects(vl_smpi_trainer ${PROJECT_SOURCE_DIR}/src/train/main.c)

# The references, compiled as labs are.
foreach(solution ${VIALATA_SOLUTIONS})
  get_target_property(sources ${solution} SOURCES)
  string(REPLACE vl_solution_ "" lab ${solution})
  vialata_smpi_objects(vl_smpi_lab_${lab} ${sources})
  target_compile_options(vl_smpi_lab_${lab} PRIVATE ${VIALATA_LAB_FLAGS})
endforeach()
set(smpi_labs ${VIALATA_SOLUTIONS})
list(TRANSFORM smpi_labs REPLACE "vl_solution_(.+)" "$<TARGET_OBJECTS:vl_smpi_lab_\\1>")

# What SimGrid's MPI lacks, for both programs.
file(GLOB smpi_missing CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/simulate/smpi/*.c)
vialata_smpi_objects(vl_smpi_missing ${smpi_missing})

vialata_smpi_program(vialata-simulator-real
  $<TARGET_OBJECTS:vl_smpi_trainer> $<TARGET_OBJECTS:vl_smpi_intercept>
  $<TARGET_OBJECTS:vl_smpi_train> $<TARGET_OBJECTS:vl_smpi_engine> $<TARGET_OBJECTS:vl_smpi_comm>
  $<TARGET_OBJECTS:vl_smpi_wire> $<TARGET_OBJECTS:vl_smpi_base> $<TARGET_OBJECTS:vl_smpi_missing>
  ${smpi_labs})
target_link_options(vialata-simulator-real PRIVATE ${VIALATA_TRAINER_WRAP_FLAGS})

# Phantom kernels stand in for the files of the references that define the same functions. Arenas and
# spans are others too: they know that ranks are threads of one process.
file(GLOB phantom_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/simulate/kernels/*.c)
set(phantoms "")
foreach(source ${phantom_sources})
  file(STRINGS ${source} defined REGEX "^enum vl_status vl_[a-z_0-9]+\\(")
  string(REGEX MATCHALL "vl_status vl_[a-z_0-9]+" defined "${defined}")
  list(TRANSFORM defined REPLACE "vl_status (.+)" "\\1" OUTPUT_VARIABLE defined)
  list(APPEND phantoms ${defined})
endforeach()
list(JOIN phantoms "|" phantoms)
set(left_out src/base/arena src/comm/span)
foreach(solution ${VIALATA_SOLUTIONS})
  get_target_property(sources ${solution} SOURCES)
  foreach(source ${sources})
    file(STRINGS ${source} phantom REGEX "^enum vl_status (${phantoms})\\(")
    if(phantom)
      file(RELATIVE_PATH source ${PROJECT_SOURCE_DIR} ${source})
      string(REGEX REPLACE "\\.c$" "" source ${source})
      list(APPEND left_out ${source})
    endif()
  endforeach()
endforeach()
list(JOIN left_out "|" left_out)
set(phantom_labs "")
foreach(lab ${smpi_labs})
  list(APPEND phantom_labs "$<FILTER:${lab},EXCLUDE,(${left_out})\\.c\\.o$>")
endforeach()
file(GLOB simulator_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/simulate/*.c
     ${PROJECT_SOURCE_DIR}/src/simulate/ranks/*.c)
vialata_smpi_objects(vl_smpi_simulator ${simulator_sources} ${phantom_sources})
vialata_smpi_program(vialata-simulator
  $<TARGET_OBJECTS:vl_smpi_simulator> $<TARGET_OBJECTS:vl_smpi_train>
  $<TARGET_OBJECTS:vl_smpi_engine> $<TARGET_OBJECTS:vl_smpi_wire> $<TARGET_OBJECTS:vl_smpi_missing>
  "$<FILTER:$<TARGET_OBJECTS:vl_smpi_base>,EXCLUDE,(${left_out})\\.c\\.o$>"
  "$<FILTER:$<TARGET_OBJECTS:vl_smpi_comm>,EXCLUDE,(${left_out})\\.c\\.o$>" ${phantom_labs})
set(VIALATA_FLIGHT_WRAP_FLAGS -Wl,--wrap=vl_reduce_scatter_start -Wl,--wrap=vl_all_gather_start
  -Wl,--wrap=vl_all_reduce_start -Wl,--wrap=vl_transfer_finish -Wl,--wrap=vl_transfer_poll)
target_link_options(vialata-simulator PRIVATE ${VIALATA_FLIGHT_WRAP_FLAGS}
  -Wl,--wrap=vl_moe_routing_take -Wl,--wrap=vl_adamw_update)
