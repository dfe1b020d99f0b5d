/* Draw the formulas with KaTeX, which stands beside this file; without it they read as TeX. */
const SHORT = 24; // letters of TeX: no line of a page is broken inside such a formula

document.addEventListener("DOMContentLoaded", () => {
  for (const element of document.querySelectorAll(".math")) {
    // The sources write a plain dot between factors; KaTeX takes that for a full stop.
    const tex = element.textContent.trim().slice(2, -2).replaceAll("·", "\\cdot ");
    katex.render(tex, element, { displayMode: element.tagName === "DIV", throwOnError: false });
    element.classList.toggle("short", tex.length <= SHORT);
  }
});

// What scrolls by itself can be scrolled with the keys, too.
const reach = () => {
  for (const element of document.querySelectorAll("pre, div.math, .table-wrapper")) {
    if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
    else element.removeAttribute("tabindex");
  }
};
addEventListener("load", reach);
addEventListener("resize", reach);

// Sphinx puts the number of pages found into its sentence before it asks for the translation.
Documentation.TRANSLATIONS = new Proxy(Documentation.TRANSLATIONS, {
  get: (known, sentence) => {
    const number = /^Search finished, found (\d+) /.exec(sentence)?.[1];
    const blank = "${resultCount}";
    return known[sentence] ?? known[sentence.replace(number, blank)]?.replace(blank, number);
  },
});
