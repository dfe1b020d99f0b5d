/* Draw the formulas with KaTeX, which stands beside this file; without it they read as TeX. */
document.addEventListener("DOMContentLoaded", () => {
  for (const element of document.querySelectorAll(".math")) {
    const tex = element.textContent.trim().slice(2, -2);
    katex.render(tex, element, { displayMode: element.tagName === "DIV", throwOnError: false });
  }
});
