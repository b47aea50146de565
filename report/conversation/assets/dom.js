"use strict";
/* Building elements. Text only ever enters as text: nothing here or elsewhere parses HTML. */
globalThis.together = {};

/** An element. `facts`: attributes; `class`; `on`: listeners by event; false and null attributes are left out. */
together.el = (name, facts = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(facts)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  together.add(element, children);
  return element;
};

together.add = (parent, children) => {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return parent;
};

/** Replace what an element holds. */
together.fill = (element, ...children) => {
  element.replaceChildren();
  return together.add(element, children);
};

/** A <details> whose content is made when it is first opened. */
together.fold = (facts, summary, make) => {
  const details = together.el("details", facts, together.el("summary", {}, summary));
  details.addEventListener("toggle", () => together.add(details, [make()]), { once: true });
  return details;
};

/** Whether a key belongs to the field that has the focus and not to the page. */
together.typing = (event) =>
  event.ctrlKey || event.metaKey || event.altKey ||
  (event.target instanceof Element &&
    event.target.closest("input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]") !== null);

together.count = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
