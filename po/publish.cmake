# A finished folder of the book takes its place. '.complete' in it says that it is whole: `vialata
# book` opens no other (src/cli/commands/book.c).
#
#   cmake -DFRESH=FOLDER -DPLACE=FOLDER -P publish.cmake     both on one file system
get_filename_component(above ${PLACE} DIRECTORY)
file(MAKE_DIRECTORY ${above})
file(REMOVE_RECURSE ${FRESH}.old)
file(TOUCH ${FRESH}/.complete)
if(EXISTS ${PLACE})
  file(RENAME ${PLACE} ${FRESH}.old)
endif()
file(RENAME ${FRESH} ${PLACE})
file(REMOVE_RECURSE ${FRESH}.old)
