"use strict";
/* The list of trials that are looked at, a hundred at a time. */
{
  const { el, fill, filters, number, score, short, count } = together;
  const PAGE = 100;
  const COLUMNS = [
    ["task", "", (trial) => trial.file ? el("a", { href: `#session-${trial.number}` }, short(trial.task)) : short(trial.task)],
    ["model", "", (trial) => trial.model === null ? trial.agent : trial.model.slice(trial.model.lastIndexOf("/") + 1)],
    ["arm", "", (trial) => trial.arm ?? "–"],
    ["reward", "number", (trial) => trial.reward === null ? el("span", { class: "warn", title: trial.cause }, (trial.status ?? "?").replaceAll("_", " ")) : score(trial.reward)],
    ["tests", "number", (trial) => score(trial.tests)],
    ["judge", "number", (trial) => score(trial.judge_score)],
    ["messages", "number", (trial) => trial.messages ?? "–"],
    ["corrections", "number", (trial) => trial.corrections ?? "–"],
    ["cost, $", "number", (trial) => number(trial.cost_usd, "usd")],
    ["agent", "number", (trial) => number(trial.agent_seconds, "seconds")],
  ];

  let shown = PAGE;
  let found = [];
  const body = el("tbody");
  const more = el("button", { type: "button", on: { click: () => { const from = shown; shown += PAGE; draw(from); body.rows[from]?.querySelector("a")?.focus(); } } });

  const row = (trial) => el("tr", { "data-number": trial.number }, COLUMNS.map(([, kind, make], place) =>
    el(place ? "td" : "th", place ? { class: kind || null } : { scope: "row" }, make(trial))));

  const draw = (from = 0) => {
    if (from) together.add(body, found.slice(from, shown).map(row));
    else fill(body, found.slice(0, shown).map(row));
    more.hidden = found.length <= shown;
    more.textContent = `Show ${Math.min(PAGE, found.length - shown)} more of ${count(found.length - shown, "trial")}`;
  };

  const links = () => [...body.querySelectorAll("a")];

  together.list = () => {
    fill(document.getElementById("trials"), el("h2", { id: "trials-title" }, "Sessions"),
      el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "list of trials" }, el("table", { class: "trials" }, el("caption", { class: "unseen" }, "Trials that are looked at; each opens its session"),
        el("thead", {}, el("tr", {}, COLUMNS.map(([title, kind]) => el("th", { scope: "col", class: kind || null }, title)))), body)), more);
    filters.watch((trials) => { found = trials; shown = PAGE; draw(); });
  };

  /** Move the focus along the list by a step. */
  together.walk = (step) => {
    const all = links();
    const now = all.indexOf(document.activeElement);
    const next = all[Math.min(Math.max(now + step, 0), all.length - 1)];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };
}
