# The whole book as one file in one language: targets epub-LANGUAGE and pdf-LANGUAGE, and all of them, `epub` and
# `pdf`. Like the site, each is built apart and moved when it is whole. Included by pages.cmake.
find_program(CHROMIUM NAMES chromium chromium-browser)
if(NOT CHROMIUM)
  set(CHROMIUM chromium) # the program says that it is missing
endif()
add_custom_target(epub)
add_custom_target(pdf)
set(one_file ${CMAKE_COMMAND} -E env LC_ALL=C.UTF-8 VIALATA_COURSE=${course}/locale
    VIALATA_VERSION=${PROJECT_VERSION} ${SPHINX_BUILD} -q -c ${PROJECT_SOURCE_DIR}/docs -E -a)

function(vialata_one_file language catalogues)
  set(made ${course}/one-file/${language})
  set(place ${share}/book/vialata-${language})
  set(sources ${page_sources} ${catalogues} ${book_sources} ${drawings})

  add_custom_command(
    OUTPUT ${place}.epub
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${made}/epub
    COMMAND ${one_file} -t ebook -b epub -D language=${language} -d ${course}/doctrees/epub-${language}
            ${PROJECT_SOURCE_DIR} ${made}/epub
    COMMAND ${CMAKE_COMMAND} -E make_directory ${share}/book
    COMMAND ${CMAKE_COMMAND} -E rename ${made}/epub/vialata.epub ${place}.epub
    DEPENDS ${sources}
    COMMENT "Book in ${language}, for a reading device"
    VERBATIM)
  add_custom_target(epub-${language} DEPENDS ${place}.epub)
  add_dependencies(epub epub-${language})

  add_custom_command(
    OUTPUT ${place}.pdf
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${made}/paper
    COMMAND ${one_file} -t paper -b singlehtml -D language=${language}
            -d ${course}/doctrees/paper-${language} ${PROJECT_SOURCE_DIR} ${made}/paper
    COMMAND ${sphinx_python} ${PROJECT_SOURCE_DIR}/docs/paper.py ${made}/paper/docs/index.html
            ${CHROMIUM} ${made}/vialata.pdf
    COMMAND ${CMAKE_COMMAND} -E make_directory ${share}/book
    COMMAND ${CMAKE_COMMAND} -E rename ${made}/vialata.pdf ${place}.pdf
    DEPENDS ${sources}
    COMMENT "Book in ${language}, for paper"
    VERBATIM)
  add_custom_target(pdf-${language} DEPENDS ${place}.pdf)
  add_dependencies(pdf pdf-${language})
endfunction()
