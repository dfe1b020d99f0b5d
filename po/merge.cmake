# Bring catalogues up to date with a template (the program's: POT is a file) or with a folder of
# them (the course's, one a page). What changed becomes fuzzy, with the old English kept beside it.
function(merge template catalogue language)
  if(EXISTS ${catalogue})
    execute_process(
      COMMAND ${MSGMERGE} --quiet --update --backup=none --previous --no-wrap --add-location=file
              ${catalogue} ${template}
      COMMAND_ERROR_IS_FATAL ANY)
  else()
    get_filename_component(folder ${catalogue} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    execute_process(
      COMMAND ${MSGINIT} --no-translator --no-wrap --locale=${language}.UTF-8 --input=${template}
              --output-file=${catalogue}
      COMMAND_ERROR_IS_FATAL ANY)
  endif()
endfunction()

foreach(language ${LANGUAGES})
  if(COURSE)
    file(GLOB_RECURSE templates RELATIVE ${POT} ${POT}/*.pot)
    foreach(page ${templates})
      string(REGEX REPLACE "\\.pot$" ".po" name ${page})
      merge(${POT}/${page} ${PO}/${language}/LC_MESSAGES/${name} ${language})
    endforeach()
  else()
    merge(${POT} ${PO}/${language}.po ${language})
  endif()
endforeach()
