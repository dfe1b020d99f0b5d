# The page FOLDER/paper/docs/index.html as FOLDER/vialata.pdf. Chromium prints it when the page's scripts have drawn
# all formulas; root may not use its sandbox, and the page is our own.
#
#   cmake -DFOLDER=FOLDER -P print.cmake
find_program(CHROMIUM NAMES chromium chromium-browser)
if(NOT CHROMIUM)
  message(FATAL_ERROR "Chromium prints the book: install the Debian package chromium.")
endif()
execute_process(
  COMMAND ${CHROMIUM} --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage
          --user-data-dir=${FOLDER}/profile --virtual-time-budget=600000 --no-pdf-header-footer
          --generate-pdf-document-outline --print-to-pdf=${FOLDER}/vialata.pdf
          file://${FOLDER}/paper/docs/index.html
  OUTPUT_QUIET ERROR_VARIABLE words RESULT_VARIABLE status TIMEOUT 600)
file(REMOVE_RECURSE ${FOLDER}/profile)
if(NOT status EQUAL 0 OR NOT EXISTS ${FOLDER}/vialata.pdf)
  message(FATAL_ERROR "Chromium could not print the book:\n${words}")
endif()
