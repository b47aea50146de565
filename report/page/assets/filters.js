"use strict";
/* Which trials are looked at. Whoever shows trials asks here, and is told when the choice changes. */
{
  const { el, fill, trials, count, score } = together;
  const FIELDS = [["model", "model"], ["language", "language"], ["status", "status"], ["arm", "arm"], ["policy", "policy"]];
  const chosen = {};
  const listeners = [];
  let words = "";
  let found = trials;

  const values = (field) => [...new Set(trials.map((trial) => trial[field]))].filter((value) => value !== null)
    .sort((a, b) => a.localeCompare(b));
  const text = (trial) => [trial.task, trial.model, trial.agent, trial.repository, trial.trial, trial.status].join(" ").toLowerCase();
  const texts = trials.map(text);

  const apply = () => {
    const parts = words.toLowerCase().split(/\s+/).filter(Boolean);
    found = trials.filter((trial) => FIELDS.every(([field]) => !chosen[field] || trial[field] === chosen[field]) &&
      parts.every((part) => texts[trial.number].includes(part)));
    const rewards = found.map((trial) => trial.reward).filter((reward) => reward !== null);
    const mean = rewards.length ? rewards.reduce((sum, one) => sum + one, 0) / rewards.length : null;
    summary.textContent = `${count(found.length, "trial")}; mean reward ${score(mean)} over ${rewards.length.toLocaleString("en")}` +
      `${found.length > rewards.length ? `, ${(found.length - rewards.length).toLocaleString("en")} without one` : ""}`;
    clear.hidden = found.length === trials.length;
    for (const tell of listeners) tell(found);
  };

  const summary = el("p", { class: "soft number", role: "status" });
  const search = el("input", { type: "search", id: "search", placeholder: "task, model, repository…", "aria-label": "search trials",
    on: { input: () => { words = search.value; apply(); } } });
  const clear = el("button", { type: "button", hidden: true, on: { click: () => { reset(); search.focus(); } } }, "Show all");
  const selects = new Map();

  const reset = () => {
    words = search.value = "";
    for (const [field, select] of selects) select.value = chosen[field] = "";
    apply();
  };

  const select = ([field, label]) => {
    const options = values(field);
    if (options.length < 2) return null;
    const element = el("select", { on: { change: () => { chosen[field] = element.value; apply(); } } },
      el("option", { value: "" }, "all"), options.map((value) => el("option", { value }, value.replaceAll("_", " "))));
    selects.set(field, element);
    return el("label", {}, el("span", {}, label), element);
  };

  together.filters = {
    found: () => found,
    watch: (tell) => { listeners.push(tell); tell(found); },
    /** Look at one task, or one model's trials of it. */
    only: (task, model) => {
      reset();
      words = search.value = task;
      if (model && selects.has("model")) selects.get("model").value = chosen.model = model;
      apply();
    },
    show: () => {
      fill(document.getElementById("filters"), el("div", { class: "filters" },
        el("label", { class: "wide" }, el("span", {}, "search ", el("kbd", { "aria-hidden": "true" }, "/")), search), FIELDS.map(select), clear), summary);
      apply();
    },
  };
}
