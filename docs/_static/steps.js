// Figures to step through (docs/steps.py) show one frame at a time. Without this script all frames are on the page.
const MOVES = {
  ArrowLeft: (now) => now - 1,
  ArrowRight: (now) => now + 1,
  Home: () => 0,
  End: (now, last) => last,
};

function stepThrough(figure) {
  const make = (tag, name) => Object.assign(document.createElement(tag), { className: name });
  const frames = [...figure.querySelectorAll("ol > li")];
  const sentences = frames.map((frame) => frame.querySelector(":scope > p"));
  const last = frames.length - 1;
  let now = 0;

  // Screen readers tell reliably only of a text that changes. The sentences themselves stay below it, invisible, so
  // that the page does not jump when a longer one comes, and one of them is printed.
  const said = make("div", "said");
  const live = make("p", "live");
  sentences.forEach((sentence, i) => sentence.classList.toggle("still", frames[i].className === "still"));
  said.append(...sentences, live);

  const controls = make("div", "controls");
  const count = make("span", "count");
  const button = (word, key) => {
    const made = Object.assign(make("button", key), { type: "button", textContent: word });
    made.addEventListener("click", () => show(MOVES[key](now, last)));
    return made;
  };
  const back = button(figure.dataset.back, "ArrowLeft");
  const forward = button(figure.dataset.forward, "ArrowRight");
  controls.append(back, count, forward);

  function show(wanted) {
    now = Math.max(0, Math.min(last, wanted));
    frames.forEach((frame, i) => (frame.hidden = i !== now));
    live.innerHTML = sentences[now].innerHTML;
    count.textContent = `${now + 1} / ${frames.length}`;
    // A button that is disabled would lose the focus, and the arrow keys with it.
    back.setAttribute("aria-disabled", now === 0);
    forward.setAttribute("aria-disabled", now === last);
  }

  show(0);
  live.setAttribute("aria-live", "polite");
  const list = figure.querySelector("ol");
  list.classList.add("stepped");
  list.after(controls, said);
  figure.tabIndex = -1; // a click on the drawing is enough for the keys
  figure.addEventListener("keydown", (event) => {
    if (!(event.key in MOVES) || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(MOVES[event.key](now, last));
  });
}

document.addEventListener("DOMContentLoaded", () => document.querySelectorAll("figure.steps").forEach(stepThrough));
