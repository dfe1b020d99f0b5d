# The install target. Everything is found relative to the prefix, so the tree may be moved:
#   bin/                   the programs
#   include/vialata/       the contracts
#   lib/vialata/           what submissions are linked with; lib/cmake/vialata/ for find_package
#   libexec/vialata/       buildinfo.json
#   share/vialata/         labs, references, mistakes, catalogues, texts
include(CMakePackageConfigHelpers)
set(data ${CMAKE_INSTALL_DATADIR}/vialata)
set(archives ${CMAKE_INSTALL_LIBDIR}/vialata)

install(TARGETS vialata vialata-trainer vialata-cable vialata-latency RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/vialata DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS vl_base vl_wire vl_comm vl_engine vl_train ${VIALATA_SOLUTIONS}
        ARCHIVE DESTINATION ${archives})
install(TARGETS vialata-mpi LIBRARY DESTINATION ${archives})
install(FILES ${VIALATA_OBJECTS} DESTINATION ${archives})
if(SIMGRID_MAIN)
  install(PROGRAMS $<TARGET_FILE:vialata-simulator> $<TARGET_FILE:vialata-simulator-real>
          DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(TARGETS ${SMPI_ARCHIVES} ${SMPI_SOLUTIONS} ARCHIVE DESTINATION ${archives})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/labs ${PROJECT_SOURCE_DIR}/solutions
        DESTINATION ${data})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/grade/labs/ DESTINATION ${data}/mistakes
        FILES_MATCHING PATTERN "*.mistake")
install(FILES ${PROJECT_SOURCE_DIR}/vialata DESTINATION ${data}) # a handout's entrance
if(VIALATA_TEXTS)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/share/ DESTINATION ${data})
endif()

set(solution_archives "")
foreach(solution ${VIALATA_SOLUTIONS})
  string(APPEND solution_archives "${archives}/lib${solution}.a\\n")
endforeach()
foreach(list SMPI_ARCHIVES SMPI_SOLUTIONS)
  list(TRANSFORM ${list} REPLACE "(.+)" "${archives}/lib\\1.a" OUTPUT_VARIABLE installed_${list})
  list(JOIN installed_${list} "\\n" installed_${list})
endforeach()
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/installed/buildinfo.json CONTENT
"{
  \"bin\": \"${CMAKE_INSTALL_BINDIR}\",
  \"share\": \"${data}\",
  \"include\": \"${CMAKE_INSTALL_INCLUDEDIR}\",
  \"labs\": \"${data}/labs\",
  \"solutions\": \"${data}/solutions\",
  \"mistakes\": \"${data}/mistakes\",
  \"entrance\": \"${data}/vialata\",
  \"preload\": \"${archives}/libvialata-mpi.so\",
${buildinfo_tools}
  \"runner_names\": \"${archives}/names\",
  \"runner_objects\": \"${archives}/runner.o\\n${archives}/intercept.o\",
  \"counted_objects\": \"${archives}/counted.o\",
  \"runner_archives\": \"${archives}/libvl_engine.a\\n${archives}/libvl_comm.a\\n${archives}/libvl_wire.a\\n${archives}/libvl_base.a\",
  \"trainer_objects\": \"${archives}/trainer.o\\n${archives}/intercept.o\",
  \"trainer_archives\": \"${archives}/libvl_train.a\\n${archives}/libvl_engine.a\\n${archives}/libvl_comm.a\\n${archives}/libvl_wire.a\\n${archives}/libvl_base.a\",
  \"solution_archives\": \"${solution_archives}\",
  \"simulator_objects\": \"$<$<BOOL:${simulator_object}>:${archives}/${simulator_object}>\",
  \"simulator_archives\": \"${installed_SMPI_ARCHIVES}\",
  \"simulator_solutions\": \"${installed_SMPI_SOLUTIONS}\"
}
")
install(FILES ${PROJECT_BINARY_DIR}/installed/buildinfo.json
        DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/vialata)

configure_package_config_file(${PROJECT_SOURCE_DIR}/src/package/vialataConfig.cmake.in
  ${PROJECT_BINARY_DIR}/installed/vialataConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/vialata
  PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/installed/vialataConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/installed/vialataConfig.cmake
              ${PROJECT_BINARY_DIR}/installed/vialataConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/vialata)
