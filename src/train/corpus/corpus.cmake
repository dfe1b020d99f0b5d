# The texts of corpus/ become one array of bytes in generated/corpus_text.h, and their lengths.
set(corpus_languages en fr pt_BR es sk)
set(corpus_bytes "")
set(corpus_parts "")
foreach(language ${corpus_languages})
  set(text ${PROJECT_SOURCE_DIR}/src/train/corpus/${language}.txt)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${text})
  file(READ ${text} hex HEX)
  string(APPEND corpus_bytes "${hex}")
  string(LENGTH "${hex}" digits)
  math(EXPR count "${digits} / 2")
  string(APPEND corpus_parts "    {\"${language}\", ${count}},\n")
endforeach()
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," corpus_bytes "${corpus_bytes}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
       corpus_bytes "${corpus_bytes}")
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/corpus_text.h CONTENT
"/* Made from src/train/corpus/ by src/train/corpus/corpus.cmake. */
static const unsigned char vl_corpus_text[] = {
@corpus_bytes@};

/* Where one language ends and the next begins: bytes of each, in order. */
static const struct {
    const char *language;
    size_t count;
} vl_corpus_lengths[] = {
@corpus_parts@};
" @ONLY)
