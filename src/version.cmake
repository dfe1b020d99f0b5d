# The commit this tree is at, written to generated/version.h; a new commit configures anew.
find_package(Git QUIET)
set(VIALATA_COMMIT "unknown")
if(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${PROJECT_SOURCE_DIR} rev-parse --short=12 HEAD
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
                  RESULT_VARIABLE failed)
  if(NOT failed)
    set(VIALATA_COMMIT ${commit})
    if(EXISTS ${PROJECT_SOURCE_DIR}/.git/logs/HEAD)
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
                   ${PROJECT_SOURCE_DIR}/.git/logs/HEAD)
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/version.h CONTENT
"#define VL_VERSION \"@PROJECT_VERSION@\"
#define VL_COMMIT \"@VIALATA_COMMIT@\"
" @ONLY)
