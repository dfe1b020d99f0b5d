# The target `deb`: everything that is installed, as one package of Debian's, with the book in all languages.
#
#   cmake --preset package && cmake --build --preset package --target deb
#
# A package goes to other machines, so VIALATA_CPU must not be `native` (the preset says `portable`).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME vialata)
set(CPACK_PACKAGE_CONTACT "The Vialata contributors <vialata@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "course on training large language models on many machines")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Ten graded labs in C lead from one device's transformer step through collectives,
data parallelism, ZeRO, recomputation, tensor parallelism and pipelines to balanced
experts. The grader judges numbers, bytes, memory and speed, and says what is wrong.
English, French, Portuguese, Spanish and Slovak.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/package)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# A lab is compiled and linked when it is graded, and runs behind a wall.
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "gcc, libc6-dev, openmpi-bin, libopenmpi-dev, libopenblas-pthread-dev, libjansson-dev, bubblewrap, iproute2")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gdb, make")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libsimgrid-dev, similarity-tester, xdg-utils, python3")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/vialata
        RENAME copyright)
install(FILES ${PROJECT_SOURCE_DIR}/docs/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/vialata)
include(CPack)

if(VIALATA_CPU STREQUAL "native")
  add_custom_target(deb
    COMMAND ${CMAKE_COMMAND} -E echo
            "This build is for this processor alone. Build the package with: cmake --preset package"
    COMMAND ${CMAKE_COMMAND} -E false
    VERBATIM)
else()
  add_custom_target(deb
    COMMAND ${CMAKE_CPACK_COMMAND} --config ${PROJECT_BINARY_DIR}/CPackConfig.cmake
    COMMENT "Package of Debian's"
    VERBATIM)
  add_dependencies(deb program)
  if(TARGET pages)
    add_dependencies(deb pages book)
  endif()
endif()
