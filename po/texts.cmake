# From English source and po/ to what a person reads:
#
#   every build     share/locale   the program's catalogues
#                   share/locpath  private locales, for machines that have none (src/base/text.h)
#                   share/texts    the course's pages as plain text, for `explain` and `hint`
#                   po/, course/pot: the sentences as they are now (build tree)
#   target book     share/book     the course as a site, a folder a language, readable offline
#   targets po-update, course-update: bring po/ up to date with the English sources
find_program(XGETTEXT xgettext REQUIRED)
find_program(MSGFMT msgfmt REQUIRED)
find_program(MSGMERGE msgmerge REQUIRED)
find_program(MSGINIT msginit REQUIRED)
find_program(LOCALEDEF localedef PATHS /usr/sbin REQUIRED)
find_program(SPHINX_BUILD sphinx-build REQUIRED) # src/place.cmake has looked where it should be

set(share ${PROJECT_BINARY_DIR}/share)
set(PO ${PROJECT_SOURCE_DIR}/po)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PO}/LINGUAS)
file(STRINGS ${PO}/LINGUAS languages REGEX "^[^#]")
separate_arguments(languages UNIX_COMMAND "${languages}")
set(text_outputs)

# ---- private locales: only the two categories that src/base/text.c sets ----
foreach(locale en_US fr_FR pt_BR es_ES sk_SK)
  set(made ${PROJECT_BINARY_DIR}/locales/${locale}.UTF-8)
  set(kept ${share}/locpath/${locale}.UTF-8)
  add_custom_command(
    OUTPUT ${kept}/LC_CTYPE ${kept}/LC_MESSAGES/SYS_LC_MESSAGES
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/locales
    COMMAND ${LOCALEDEF} --no-archive --no-warnings=ascii -i ${locale} -f UTF-8 ${made}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${kept}/LC_MESSAGES
    COMMAND ${CMAKE_COMMAND} -E copy ${made}/LC_CTYPE ${kept}/LC_CTYPE
    COMMAND ${CMAKE_COMMAND} -E copy ${made}/LC_MESSAGES/SYS_LC_MESSAGES ${kept}/LC_MESSAGES
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${made}
    COMMENT "Locale ${locale}"
    VERBATIM)
  list(APPEND text_outputs ${kept}/LC_CTYPE)
endforeach()

# ---- the program's sentences ----
file(GLOB_RECURSE program_sources RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/src/*.c ${PROJECT_SOURCE_DIR}/src/*.h
     ${PROJECT_SOURCE_DIR}/src/*.mistake) # their line "sentence:"
list(SORT program_sources)
set(pot ${PROJECT_BINARY_DIR}/po/vialata.pot)
set(absolute_sources ${program_sources})
list(TRANSFORM absolute_sources PREPEND ${PROJECT_SOURCE_DIR}/)
file(GLOB figures RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/labs/10_bandwidth/m*/*.json)
set(absolute_figures ${figures})
list(TRANSFORM absolute_figures PREPEND ${PROJECT_SOURCE_DIR}/)
add_custom_command(
  OUTPUT ${pot}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/po
  COMMAND ${CMAKE_COMMAND} "-DFILES=${figures}" -DROOT=${PROJECT_SOURCE_DIR}
          -DOUT=${PROJECT_BINARY_DIR}/po/figures.c -P ${PO}/figures.cmake
  COMMAND ${XGETTEXT} --from-code=UTF-8 --language=C --keyword=_ --keyword=N_
          --keyword=VL_NGETTEXT:1,2 --keyword=VL_PGETTEXT:1c,2 --add-comments=TRANSLATORS:
          --package-name=vialata "--copyright-holder=The Vialata contributors"
          --add-location=file --no-wrap --output=${pot} ${program_sources}
          ${PROJECT_BINARY_DIR}/po/figures.c
  COMMAND sed -i /^.POT-Creation-Date:/d ${pot} # a date would make every update a change
  DEPENDS ${absolute_sources} ${absolute_figures} ${PO}/figures.cmake
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  COMMENT "Sentences of the program"
  VERBATIM)
add_custom_target(pot DEPENDS ${pot})
list(APPEND text_outputs ${pot}) # the suite compares it with the catalogues
add_custom_target(po-update
  COMMAND ${CMAKE_COMMAND} -DPOT=${pot} -DPO=${PO} -DCOURSE=OFF "-DLANGUAGES=${languages}"
          -DMSGMERGE=${MSGMERGE} -DMSGINIT=${MSGINIT} -P ${PO}/merge.cmake
  COMMENT "Catalogues of the program"
  VERBATIM)
add_dependencies(po-update pot)

foreach(language ${languages})
  set(catalogue ${share}/locale/${language}/LC_MESSAGES/vialata.mo)
  add_custom_command(
    OUTPUT ${catalogue}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${share}/locale/${language}/LC_MESSAGES
    COMMAND ${MSGFMT} -o ${catalogue} ${PO}/${language}.po
    DEPENDS ${PO}/${language}.po
    COMMENT "Catalogue ${language}"
    VERBATIM)
  list(APPEND text_outputs ${catalogue})
endforeach()

# ---- the course's pages ----
file(GLOB pages RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/docs/*.md ${PROJECT_SOURCE_DIR}/labs/*/README.md
     ${PROJECT_SOURCE_DIR}/labs/*/hints.md)
list(TRANSFORM pages PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE page_sources)
file(GLOB_RECURSE book_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.py
     ${PROJECT_SOURCE_DIR}/docs/*.tsv ${PROJECT_SOURCE_DIR}/docs/_templates/*
     ${PROJECT_SOURCE_DIR}/docs/_static/*)
file(GLOB drawings CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/drawings/*.svg)
set(readers ${PROJECT_SOURCE_DIR}/docs/conf.py ${PROJECT_SOURCE_DIR}/docs/drawing.py ${drawings})
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
add_custom_target(course-pot DEPENDS ${course}/pot.stamp)
list(APPEND text_outputs ${course}/pot.stamp)
add_custom_target(course-update
  COMMAND ${CMAKE_COMMAND} -DPOT=${course}/pot -DPO=${PO}/course -DCOURSE=ON
          "-DLANGUAGES=${languages}" -DMSGMERGE=${MSGMERGE} -DMSGINIT=${MSGINIT}
          -P ${PO}/merge.cmake
  COMMENT "Catalogues of the course"
  VERBATIM)
add_dependencies(course-update course-pot)

add_custom_target(book)
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
  list(APPEND text_outputs ${stamp})

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
endforeach()

add_custom_target(texts ALL DEPENDS ${text_outputs})
