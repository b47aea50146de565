"use strict";
/* The three questions. Each form is {element, bar, value(): answer or null, pick?(key)}. */
{
  const { el, turn, diff } = together;
  const turns = (list) => list.map((one) =>
    turn(one, one.number > 1 ? `message ${one.number - 1}` : one.number ? "first message" : "before the first message"));

  const radios = (name, options, given, changed) => options.map(([value, label, key]) => el("label", { class: "pick" },
    el("input", { type: "radio", name, value, checked: value === given, on: { change: changed } }), label,
    key ? el("kbd", { "aria-hidden": "true" }, key) : null));
  const chosen = (root, name) => root.querySelector(`input[name="${name}"]:checked`)?.value ?? null;

  const pair = (item, given, changed) => {
    const column = (side, number) => el("section", { class: "side", "data-side": side, tabindex: 0,
      "aria-label": `session ${number}` }, el("h2", {}, `Session ${number}`), turns(item[side]));
    const sides = el("div", { class: "sides", "data-shown": "left" }, column("left", 1), column("right", 2));
    const show = (side) => {
      sides.dataset.shown = side;
      for (const button of toggle.children) button.setAttribute("aria-pressed", button.dataset.side === side);
    };
    const toggle = el("div", { class: "switch" }, [["left", 1], ["right", 2]].map(([side, number]) =>
      el("button", { type: "button", "data-side": side, on: { click: () => show(side) } }, `Session ${number}`)));
    show("left");
    const mark = () => {
      const choice = chosen(bar, "choice");
      for (const one of sides.children) one.classList.toggle("chosen", one.dataset.side === choice);
      changed();
    };
    const sure = el("fieldset", { class: "sure" }, el("legend", {}, "How sure?"),
      [1, 2, 3, 4, 5].map((n) => el("label", {}, el("input", { type: "radio", name: "confidence", value: n,
        checked: given?.confidence === n, "aria-label": `${n} of 5` }), n)));
    const bar = el("div", { class: "bar" },
      el("fieldset", {}, el("legend", {}, "Which one has the real user?"),
        radios("choice", [["left", "Session 1", "1"], ["right", "Session 2", "2"]], given?.choice, mark)), sure);
    mark();
    return {
      title: "Two sessions of one task", hint: "In one of them a person wrote the messages, in the other a program did. How sure you are is optional: 5 is certain.",
      element: sides, extra: toggle, bar,
      value: () => {
        const choice = chosen(bar, "choice");
        const confidence = chosen(bar, "confidence");
        return choice === null ? null : { choice, ...(confidence ? { confidence: Number(confidence) } : {}) };
      },
      pick: (key) => {
        const input = bar.querySelector(`input[value="${key === "1" ? "left" : "right"}"]`);
        input.checked = true;
        input.focus();
        mark();
      },
    };
  };

  const beside = (item, questions, more = []) => el("div", { class: "sides one" },
    el("section", { class: "side", tabindex: 0, "aria-label": "the session" }, turns(item.session), more),
    el("section", { class: "side", "aria-label": "questions" }, questions));

  const messages = (item, given, changed) => {
    const followups = item.session.filter((one) => one.number > 1);
    const boxes = new Map();
    const ask = (one) => {
      const saved = given?.tags?.[one.number] ?? [];
      const inputs = item.tags.map((tag) => el("input", { type: "checkbox", value: tag, checked: saved.includes(tag),
        on: { change: changed } }));
      boxes.set(one.number, inputs);
      return el("fieldset", { class: "ask" }, el("legend", {}, `message ${one.number - 1}`),
        el("p", { class: "said" }, one.message),
        el("div", { class: "options" }, inputs.map((input) => el("label", { class: "pick" }, input, input.value))));
    };
    return {
      title: "What does each message do?", hint: "Tick all that fit.",
      element: beside(item, followups.map(ask)), bar: el("div", { class: "bar" }),
      value: () => {
        const tags = Object.fromEntries([...boxes].map(([number, inputs]) =>
          [number, inputs.filter((input) => input.checked).map((input) => input.value)]));
        return Object.values(tags).some((list) => list.length === 0) ? null : { tags };
      },
    };
  };

  const goals = (item, given, changed) => {
    const words = { true: "met", false: "not met", null: "can't tell" };
    const questions = item.goals.map((goal) => el("fieldset", { class: "ask" },
      el("legend", {}, goal.id), el("p", {}, goal.text),
      el("div", { class: "options" }, radios(`goal ${goal.id}`, Object.entries(words),
        given ? String(given.goals?.[goal.id] ?? null) : undefined, changed))));
    const element = beside(item, questions, [el("h3", {}, "All that the agent changed"),
      item.diff === null ? el("p", { class: "soft" }, "is not recorded") : diff(item.diff)]);
    return {
      title: "Which goals were met?", hint: "Judge by what was changed and said, not by how it was done.",
      element, bar: el("div", { class: "bar" }),
      value: () => {
        const told = item.goals.map((goal) => [goal.id, chosen(element, `goal ${goal.id}`)]);
        if (told.some(([, value]) => value === null)) return null;
        return { goals: Object.fromEntries(told.map(([id, value]) => [id, JSON.parse(value)])) };
      },
    };
  };

  together.forms = { pair, messages, goals };
}
