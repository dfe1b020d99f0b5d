# The course's pages: as plain text, as a site, and their sentences. Included by texts.cmake.
find_program(SPHINX_BUILD sphinx-build REQUIRED) # src/place.cmake has looked where it should be

file(GLOB pages RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/docs/*.md ${PROJECT_SOURCE_DIR}/labs/*/README.md
     ${PROJECT_SOURCE_DIR}/labs/*/hints.md)
list(TRANSFORM pages PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE page_sources)
file(GLOB_RECURSE book_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.py
     ${PROJECT_SOURCE_DIR}/docs/*.tsv ${PROJECT_SOURCE_DIR}/docs/_templates/*
     ${PROJECT_SOURCE_DIR}/docs/_static/*)
file(GLOB drawings CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/drawings/*.svg
     ${PROJECT_SOURCE_DIR}/docs/steps/*.json)
set(readers ${PROJECT_SOURCE_DIR}/docs/conf.py ${PROJECT_SOURCE_DIR}/docs/terminal_text.py
    ${PROJECT_SOURCE_DIR}/docs/drawing.py
    ${PROJECT_SOURCE_DIR}/docs/steps.py ${PROJECT_SOURCE_DIR}/docs/blocks.py ${drawings})
set(course ${PROJECT_BINARY_DIR}/course) # page catalogues, and what Sphinx remembers
set(sphinx ${CMAKE_COMMAND} -E env LC_ALL=C.UTF-8 VIALATA_COURSE=${course}/locale
    ${SPHINX_BUILD} -q -c ${PROJECT_SOURCE_DIR}/docs)

add_custom_command(
  OUTPUT ${course}/pot.stamp
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${course}/pot
  COMMAND ${sphinx} -b gettext -E -d ${course}/doctrees/pot ${PROJECT_SOURCE_DIR} ${course}/pot
  COMMAND ${CMAKE_COMMAND} -E touch ${course}/pot.stamp
  DEPENDS ${page_sources} ${readers}
  COMMENT "Sentences of the course"
  VERBATIM)
add_custom_target(course-pot ALL DEPENDS ${course}/pot.stamp)
add_custom_target(course-update
  COMMAND ${CMAKE_COMMAND} -DPOT=${course}/pot -DPO=${PO}/course -DCOURSE=ON
          "-DLANGUAGES=${languages}" -DMSGMERGE=${MSGMERGE} -DMSGINIT=${MSGINIT}
          -P ${PO}/merge.cmake
  COMMENT "Catalogues of the course"
  VERBATIM)
add_dependencies(course-update course-pot)

include(po/one_file.cmake)
add_custom_target(book)
add_custom_target(pages)
foreach(language en ${languages})
  set(catalogues)
  if(NOT language STREQUAL "en")
    foreach(page ${pages})
      string(REGEX REPLACE "\\.md$" "" page ${page})
      set(po ${PO}/course/${language}/LC_MESSAGES/${page}.po)
      if(EXISTS ${po}) # a new page is English until course-update has run; the suite says so
        set(mo ${course}/locale/${language}/LC_MESSAGES/${page}.mo)
        get_filename_component(folder ${mo} DIRECTORY)
        add_custom_command(
          OUTPUT ${mo}
          COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
          COMMAND ${MSGFMT} -o ${mo} ${po}
          DEPENDS ${po}
          COMMENT "Page ${page} in ${language}"
          VERBATIM)
        list(APPEND catalogues ${mo})
      endif()
    endforeach()
  endif()
  set(stamp ${course}/texts-${language}.stamp)
  add_custom_command(
    OUTPUT ${stamp}
    COMMAND ${sphinx} -E -a -b text -D language=${language} -d ${course}/doctrees/text-${language}
            ${PROJECT_SOURCE_DIR} ${share}/texts/${language}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${page_sources} ${catalogues} ${readers}
    COMMENT "Course texts in ${language}"
    VERBATIM)
  add_custom_target(pages-${language} ALL DEPENDS ${stamp})
  add_dependencies(pages pages-${language})

  # Built apart and moved when it is whole: a reader keeps the old one until then. One that has lost
  # its mark, or is no longer there, is built again.
  set(mark ${share}/book/${language}/.complete)
  set(fresh ${course}/book/${language})
  add_custom_command(
    OUTPUT ${mark}
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${fresh}
    COMMAND ${sphinx} -E -a -b html -D language=${language} -d ${course}/doctrees/html-${language}
            -w ${course}/book-${language}.warnings ${PROJECT_SOURCE_DIR} ${fresh}
    COMMAND ${CMAKE_COMMAND} -DFRESH=${fresh} -DPLACE=${share}/book/${language}
            -P ${PO}/publish.cmake
    DEPENDS ${page_sources} ${catalogues} ${book_sources} ${drawings} ${PO}/LINGUAS
            ${PO}/publish.cmake
    COMMENT "Book in ${language}"
    VERBATIM)
  add_custom_target(book-${language} DEPENDS ${mark})
  add_dependencies(book book-${language})
  vialata_one_file(${language} "${catalogues}")
endforeach()
