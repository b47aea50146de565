"use strict";
/* Every task with every entry: mean reward of the trials that are looked at. */
{
  const { el, fill, board, filters, score, short } = together;

  const cells = (found) => {
    const rows = new Map();
    for (const trial of found) {
      if (trial.entry === null) continue;
      if (!rows.has(trial.task)) rows.set(trial.task, new Map());
      const row = rows.get(trial.task);
      if (!row.has(trial.entry)) row.set(trial.entry, []);
      row.get(trial.entry).push(trial);
    }
    return rows;
  };
  const mean = (trials) => {
    const rewards = trials.map((trial) => trial.reward).filter((reward) => reward !== null);
    return rewards.length ? rewards.reduce((sum, one) => sum + one, 0) / rewards.length : null;
  };

  const cell = (task, entry, trials) => {
    if (!trials) return el("td", { class: "heat none" });
    const value = mean(trials);
    const missing = trials.filter((trial) => trial.reward === null).length;
    const says = `${short(task)}, ${entry.short}: mean reward ${score(value)} of ${trials.length - missing}${missing ? `, ${missing} missing` : ""}`;
    const level = value === null ? "missing" : `h${Math.min(10, Math.floor(value * 10))}`;
    const open = () => {
      if (trials.length === 1 && trials[0].file) location.hash = `session-${trials[0].number}`;
      else { filters.only(task, entry.model); document.getElementById("trials").scrollIntoView(); document.querySelector("#trials a")?.focus({ preventScroll: true }); }
    };
    return el("td", { class: `heat ${level}` }, el("button", { type: "button", "aria-label": says, title: says, on: { click: open } },
      score(value), missing && value !== null ? el("sup", {}, "•") : null));
  };

  const draw = (found) => {
    const rows = cells(found);
    const used = board.entries.map((entry, place) => ({ entry, place })).filter(({ place }) => found.some((trial) => trial.entry === place));
    const order = board.tasks.map((row) => row.task);
    const tasks = [...rows.keys()].sort((a, b) => {
      const [one, other] = [a, b].map((task) => board.tasks[order.indexOf(task)]?.solved ?? -1);
      return other - one || a.localeCompare(b);
    });
    const head = el("tr", {}, el("th", { scope: "col" }, "task"), used.map(({ entry }) => el("th", { scope: "col", title: entry.label }, entry.short)));
    const body = tasks.map((task) => el("tr", {}, el("th", { scope: "row", title: task }, short(task)),
      used.map(({ entry, place }) => cell(task, entry, rows.get(task).get(place)))));
    fill(place, tasks.length ? el("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "tasks and models" },
      el("table", { class: "heatmap" }, el("caption", { class: "unseen" }, "Mean reward of each task and model; the tasks that most models solve first"),
        el("thead", {}, head), el("tbody", {}, body))) : el("p", { class: "soft" }, "No trial is looked at."));
  };

  const place = el("div");
  const legend = el("p", { class: "legend soft" }, "mean reward ", el("span", {}, "0"), Array.from({ length: 11 }, (_, level) =>
    el("i", { class: `h${level}`, "aria-hidden": "true" })), el("span", {}, "1"), el("i", { class: "missing", "aria-hidden": "true" }), "all missing",
    el("span", {}, " • some missing"));

  together.heatmap = () => {
    fill(document.getElementById("tasks"), el("h2", { id: "tasks-title" }, "Tasks"),
      el("p", { class: "soft" }, "The tasks that most models solve come first. A cell opens its sessions."), legend, place);
    filters.watch(draw);
  };
}
