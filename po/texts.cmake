# From English source and po/ to what a person reads:
#
#   every build     share/locale   the program's catalogues
#                   share/locpath  private locales, for machines that have none (src/base/text.h)
#                   po/            its sentences as they are now (build tree)
#   pages-LANGUAGE  share/texts    the course's pages as plain text, for `explain` and `hint`
#   course-pot      course/pot     their sentences as they are now (build tree)
#   target book     share/book     the course as a site, a folder a language, readable offline
#   targets epub, pdf              the same as one file a language
#   targets po-update, course-update: bring po/ up to date with the English sources
find_program(XGETTEXT xgettext REQUIRED)
find_program(MSGFMT msgfmt REQUIRED)
find_program(MSGMERGE msgmerge REQUIRED)
find_program(MSGINIT msginit REQUIRED)
find_program(LOCALEDEF localedef PATHS /usr/sbin REQUIRED)

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

# What `vialata platform` packs to be graded with has no pages.
if(EXISTS ${PROJECT_SOURCE_DIR}/docs)
  include(po/pages.cmake)
endif()

add_custom_target(texts ALL DEPENDS ${text_outputs})
