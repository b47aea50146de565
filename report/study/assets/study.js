"use strict";
/* The way through a study: who you are, item after item, done. */
{
  const { el, fill, typing, count, forms, Answers } = together;
  const main = document.getElementById("main");
  const saved = document.getElementById("saved");
  let annotator, items, answers, form, place = 0, opened = 0;

  const get = async (path) => {
    const response = await fetch(path);
    const body = await response.json();
    if (!response.ok) throw new Error(body.error);
    return body;
  };
  const identity = () => crypto.randomUUID().replaceAll("-", "");
  const done = () => items.filter((item) => item.answer !== null).length;

  const progress = () => {
    document.getElementById("progress").hidden = false;
    document.getElementById("bar").max = items.length;
    document.getElementById("bar").value = done();
    document.getElementById("count").textContent = `${done()} of ${items.length} answered`;
  };

  const tell = ({ waiting, refused }) => {
    saved.className = refused ? "refused" : waiting ? "waiting" : "";
    saved.textContent = refused ? `an answer was refused: ${refused}`
      : waiting ? `${count(waiting, "answer")} not saved yet, trying…` : "all saved";
  };

  const page = (...children) => {
    form = null;
    fill(main, el("div", { class: "page" }, children));
    main.focus();
  };

  const problem = (error, again) => page(el("h1", {}, "The server does not answer"),
    el("p", {}, `What you entered is kept. (${error.message})`),
    el("button", { class: "main", on: { click: again } }, "Try again"));

  const signIn = () => {
    const name = el("input", { type: "text", name: "annotator", maxlength: 60, required: true, autocomplete: "off" });
    const submit = (event) => { event.preventDefault(); if (name.value.trim()) start(name.value.trim()); };
    page(el("h1", {}, "Which one has the real user?"),
      el("p", {}, "You see sessions of a user with a coding agent. Some users are people, others are programs that ",
        "were told to act like them. Say which is which. There is no time limit, and you can stop and come back ",
        "at any time under the same name. You can change an answer by going back to it."),
      el("form", { on: { submit } }, el("label", {}, "Your name", name), el("button", { class: "main" }, "Begin")),
      el("dl", {}, [["1 2", "choose a session"], ["Enter", "save and go on"], ["j k", "next, previous"],
        ["n p", "next, previous message in both sessions"]].map(([keys, what]) =>
        [el("dt", {}, keys.split(" ").map((key) => [el("kbd", {}, key), " "])), el("dd", {}, what)])));
    name.focus();
  };

  const start = async (name) => {
    try {
      const agenda = await get(`/api/agenda?annotator=${encodeURIComponent(name)}`);
      annotator = agenda.annotator;
      items = agenda.items;
    } catch (error) {
      return problem(error, () => start(name));
    }
    try { sessionStorage.setItem("annotator", annotator); } catch { /* asked again after a reload */ }
    document.getElementById("who").textContent = annotator;
    answers = new Answers(annotator, tell);
    for (const waiting of answers.waiting) settle(waiting);
    progress();
    place = Math.max(0, items.findIndex((item) => item.answer === null));
    return done() === items.length ? finished() : open();
  };

  const settle = (answer) => {
    const item = items.find((one) => one.id === answer.item);
    if (item) item.answer = answer;
  };

  const finished = () => page(el("h1", {}, "That was all. Thank you!"),
    el("p", {}, `You have answered all ${items.length}. Close the page when it says that all is saved.`),
    el("button", { on: { click: () => { place = 0; open(); } } }, "Look through them again"));

  const open = async () => {
    const item = items[place];
    let body;
    try {
      body = await get(`/api/items/${item.id}`);
    } catch (error) {
      return problem(error, open);
    }
    if (items[place] !== item) return undefined;
    const save = el("button", { type: "button", class: "main", on: { click: keep } }, "Save and go on ",
      el("kbd", { "aria-hidden": "true" }, "Enter"));
    const made = forms[item.kind](body, item.answer, () => { if (form) save.disabled = form.value() === null; });
    form = made;
    save.disabled = form.value() === null;
    const move = (step, label, key) => el("button", { type: "button", disabled: !items[place + step],
      on: { click: () => go(step) } }, label, " ", el("kbd", { "aria-hidden": "true" }, key));
    form.bar.append(el("div", { class: "moves" }, move(-1, "Back", "k"), move(1, "Skip", "j"), save));
    const heading = el("h1", { tabindex: -1 }, form.title);
    fill(main, el("div", { class: "task" }, heading,
      el("span", { class: "soft" }, `${place + 1} of ${items.length}. ${form.hint}`), form.extra), form.element, form.bar);
    heading.focus({ preventScroll: true });
    opened = performance.now();
    return undefined;
  };

  const go = (step) => {
    if (!items?.[place + step]) return;
    place += step;
    open();
  };

  const keep = () => {
    const value = form?.value();
    if (!value) return;
    const answer = { id: identity(), item: items[place].id, annotator, seconds: (performance.now() - opened) / 1000, ...value };
    form = null;
    settle(answer);
    answers.enter(answer);
    progress();
    const after = items.findIndex((item, index) => index > place && item.answer === null);
    const next = after >= 0 ? after : items.findIndex((item) => item.answer === null);
    if (next < 0) finished();
    else { place = next; open(); }
  };

  const jump = (step) => {
    for (const side of main.querySelectorAll(".side")) {
      const turns = [...side.querySelectorAll(".turn")];
      const top = side.getBoundingClientRect().top;
      const now = turns.findLastIndex((turn) => turn.getBoundingClientRect().top <= top + 24);
      turns[Math.min(Math.max(now + step, 0), turns.length - 1)]?.scrollIntoView({ block: "start" });
    }
  };

  document.addEventListener("keydown", (event) => {
    if (!form || typing(event)) return;
    const onControl = event.target instanceof Element && event.target.closest("button, summary, a") !== null;
    if ((event.key === "1" || event.key === "2") && form.pick) form.pick(event.key);
    else if (event.key === "j") go(1);
    else if (event.key === "k") go(-1);
    else if (event.key === "n") jump(1);
    else if (event.key === "p") jump(-1);
    else if (event.key === "Enter" && !onControl) keep();
    else return;
    event.preventDefault();
  });

  let name = null;
  try { name = sessionStorage.getItem("annotator"); } catch { /* then we ask */ }
  if (name) start(name); else signIn();
}
