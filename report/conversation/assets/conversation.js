"use strict";
/* A session as a conversation. Turns are {number, message, steps: [{text, thinking?, calls}], left_out, left_out_after}. */
{
  const { el, fold, count } = together;

  const call = ({ name, arguments: given, output }) => {
    const first = given.split("\n").find((line) => line.trim()) ?? "";
    const head = [el("b", {}, name || "output"), first ? `  ${first}` : ""];
    if (!output && given === first) return el("div", { class: "call" }, el("div", { class: "head" }, head));
    return fold({ class: "call" }, head, () => [
      given === first ? null : [el("p", { class: "label" }, "given"), el("pre", { class: "text", tabindex: 0 }, given)],
      output === null ? el("p", { class: "label" }, "what came back is not recorded") :
        [el("p", { class: "label" }, "came back"), el("pre", { class: "text", tabindex: 0 }, output || "(nothing)")],
    ]);
  };

  const step = (one) => el("li", {},
    one.thinking ? el("div", { class: "said thinking" }, one.thinking) : null,
    one.text ? el("div", { class: "said" }, one.text) : null,
    one.calls.map(call));

  const work = (turn, steps) => {
    const calls = steps.reduce((sum, one) => sum + one.calls.length, 0);
    const all = steps.length + turn.left_out;
    const says = `${count(all, "step")}, ${count(calls, "action")}${turn.left_out ? " shown" : ""}`;
    return fold({ class: "work" }, `what the agent did: ${says}`, () => {
      const items = steps.map(step);
      if (turn.left_out) {
        const note = el("li", { class: "left-out" }, `… ${count(turn.left_out, "step")} left out …`);
        items.splice(Math.min(turn.left_out_after, items.length), 0, note);
      }
      return el("ol", { class: "steps" }, items);
    });
  };

  /** One turn. `more`: elements that go below the reply. */
  together.turn = (turn, title, more = []) => {
    const last = turn.steps.at(-1);
    // The last words are the reply, unless the agent went on working after them.
    const replied = last !== undefined && last.text !== "" && last.calls.length === 0;
    const before = replied ? turn.steps.slice(0, -1) : turn.steps;
    return el("section", { class: "turn" },
      title ? el("h4", {}, title) : null,
      turn.number ? el("div", { class: "user" }, el("span", { class: "speaker" }, "User"),
        el("div", { class: "said" }, turn.message)) : null,
      before.length ? work(turn, before) : null,
      el("div", { class: "reply" }, el("span", { class: "speaker" }, "Agent"),
        replied ? el("div", { class: "said" }, last.text) : el("div", { class: "soft" }, "ends without a word")),
      more);
  };

  /** A unified diff, line by line, coloured and with its own signs. */
  together.diff = (text) => el("pre", { class: "text diff", tabindex: 0 }, text.split("\n").map((line) => {
    const kind = line.startsWith("diff --git") ? "file" : line.startsWith("@@") ? "place"
      : /^\+(?!\+\+ )/.test(line) ? "plus" : /^-(?!-- )/.test(line) ? "minus" : "";
    return el("span", kind ? { class: kind } : {}, line);
  }));
}
