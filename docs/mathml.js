// Formulas as MathML, for books that run no scripts: each line that is read is {"tex": ..., "display": ...} as
// JSON, and each line that is written is its MathML, as JSON. The argument is where KaTeX stands.
const katex = require(process.argv[2]);

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { tex, display } = JSON.parse(line);
    const options = { displayMode: display, output: "mathml", strict: "ignore" };
    process.stdout.write(JSON.stringify(katex.renderToString(tex, options)) + "\n");
  });
