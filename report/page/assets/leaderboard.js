"use strict";
/* The headline: every entry with intervals, what is missing and why, and who can't be told from whom. */
{
  const { el, fill, fold, data, board, number, interval, count } = together;
  const { svg, scale } = together.draw;
  const COLUMNS = ["stable", "judge_score", "user_correction", "coverage_overall", "messages", "output_tokens", "cost_usd", "agent_seconds"];

  /** Short names for charts: the model, or the agent where that alone tells. */
  const name = () => {
    const models = board.entries.map((entry) => entry.model === null ? entry.agent : entry.model.slice(entry.model.lastIndexOf("/") + 1));
    board.entries.forEach((entry, place) => {
      const alone = models.filter((model) => model === models[place]).length === 1;
      const short = alone ? models[place] : entry.label;
      entry.short = short.length > 24 ? `${short.slice(0, 23)}…` : short;
    });
  };

  const x = scale(0, 1, 12, 146);
  const axis = () => svg("svg", { viewBox: "0 0 160 14", class: "bar", role: "img", "aria-label": "from 0 to 100 %" },
    [0, 0.5, 1].map((at) => svg("text", { x: x(at), y: 11, "text-anchor": "middle" }, 100 * at)));

  const bar = (figure) => {
    const root = svg("svg", { viewBox: "0 0 160 20", class: "bar", "aria-hidden": "true" },
      [0, 0.25, 0.5, 0.75, 1].map((at) => svg("line", { class: "grid", x1: x(at), x2: x(at), y1: 2, y2: 18 })));
    if (figure.low !== null) root.append(svg("line", { class: "whisker", x1: x(figure.low), x2: x(figure.high), y1: 10, y2: 10 }));
    if (figure.value !== null) root.append(svg("circle", { class: "dot", cx: x(figure.value), cy: 10, r: 4.5 }));
    return root;
  };

  const cell = (figure, unit) => {
    if (figure === undefined) return el("td", { class: "number" }, "–");
    const within = interval(figure, unit);
    return el("td", { class: "number", title: figure.warning || null }, number(figure.value, unit),
      figure.warning ? el("sup", {}, "!") : null, within ? el("small", {}, within) : null);
  };

  const row = (entry) => {
    const first = entry.figures.pass_at_1;
    const band = entry.best_rank === null ? "" : entry.best_rank === entry.worst_rank ? entry.best_rank : `${entry.best_rank} to ${entry.worst_rank}`;
    const hat = entry.pass_hat.at(-1);
    const missing = entry.planned - entry.scored;
    return el("tr", { class: entry.kind },
      el("td", { class: "rank number" }, String(band)),
      el("th", { scope: "row", title: entry.label }, entry.model === null ? entry.agent : entry.model.slice(entry.model.lastIndexOf("/") + 1),
        el("small", {}, entry.model === null ? entry.kind : entry.agent,
          entry.arm !== null && entry.arm !== "interactive" ? `, ${entry.arm}` : "")),
      cell(first, "share"), el("td", {}, bar(first)),
      el("td", { class: "number" }, hat ? number(hat.figure.value, "share") : "–", el("small", {}, hat ? `k = ${hat.k}` : "")),
      COLUMNS.map((column) => cell(entry.figures[column], together.metric(column).unit)),
      el("td", { class: "number" }, `${entry.scored} of ${entry.planned}`, el("small", { class: missing ? "warn" : null },
        missing ? `${missing} missing` : "")));
  };

  const heading = (metric) => el("th", { scope: "col", class: "number", title: metric.meaning },
    metric.unit === "seconds" ? metric.title.replace(/, s$/, " time") : metric.title, metric.unit === "share" ? ", %" : "");

  const table = () => el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "leaderboard" },
    el("table", { class: "board" },
      el("caption", { class: "unseen" }, "Leaderboard: each agent and model, its success with interval, and what it took"),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "rank"), el("th", { scope: "col" }, "model"),
        heading(together.metric("pass_at_1")), el("th", { scope: "col" }, axis()),
        el("th", { scope: "col", class: "number", title: "chance that k trials of a task all pass" }, "pass^k, %"),
        COLUMNS.map((column) => heading(together.metric(column))), el("th", { scope: "col", class: "number" }, "scored"))),
      el("tbody", {}, board.entries.map(row))));

  const missing = () => {
    const lost = Object.entries(board.statuses).filter(([status, number]) => status !== "ok" && number);
    return lost.length ? el("ul", { class: "tags" }, lost.map(([status, number]) =>
      el("li", { title: data.statuses[status] ?? "" }, `${status.replaceAll("_", " ")}: ${number.toLocaleString("en")}`))) : null;
  };

  const lead = () => {
    const models = together.models().length;
    const scored = board.statuses.ok ?? 0;
    return el("p", { class: "lead" }, `${count(board.planned, "trial")} of ${count(board.tasks.length, "task")}, ${count(models, "model")}. `,
      `${scored.toLocaleString("en")} have a valid reward${board.basis === null ? "" : ` (by ${board.basis})`}`,
      scored === board.planned ? "." : "; a missing one is never counted as zero:");
  };

  const pairs = () => board.band === null || !board.band.pairs.length ? null
    : fold({}, "Who can be told from whom: every pair, Holm's correction", () => together.table("every pair of models",
      ["first", "second", ["difference, points", "number"], [`${Math.round(100 * board.level)} % interval`, "number"], ["p", "number"], "told apart"],
      board.band.pairs.map((pair) => [pair.first, pair.second, number(pair.mean, "share"), interval(pair, "share"),
        pair.p === null ? "–" : pair.p < 0.001 ? "< 0.001" : pair.p.toFixed(3), pair.separated ? "yes" : "no"])));

  const group = ({ by, value, tasks, rows }) => {
    const shown = Object.keys(rows[0]?.figures ?? {}).map(together.metric);
    const columns = ["model", ["scored", "number"], ...shown.map((metric) => [metric.title, "number"])];
    return [el("h3", { class: "group" }, value, el("small", {}, count(tasks, "task"))), together.table(`${by} ${value}`, columns,
      rows.map((one) => [one.label, `${one.scored} of ${one.planned}`, ...shown.map((metric) => {
        const figure = one.figures[metric.name];
        return [number(figure.value, metric.unit), " ", el("small", {}, interval(figure, metric.unit))];
      })]))];
  };

  const groups = () => {
    const all = [...board.groups, ...board.splits, ...board.subsets];
    return [...new Set(all.map(({ by }) => by))].map((by) => {
      const parts = all.filter((one) => one.by === by);
      return fold({}, `By ${by.replaceAll("_", " ")}: ${parts.map(({ value }) => value).slice(0, 6).join(", ")}${parts.length > 6 ? ", …" : ""}`, () => [
        by === "subset" ? el("p", { class: "soft" }, board.subset_rule) : null, parts.map(group)]);
    });
  };

  const caveats = () => {
    const flagged = board.entries.filter((entry) => entry.flags.length);
    const all = [...board.notes.map((note) => [null, note]), ...flagged.flatMap((entry) => entry.flags.map((flag) => [entry.label, flag]))];
    return all.length ? el("details", { open: all.length <= 6 }, el("summary", {}, `Before you believe it: ${count(all.length, "note")}`),
      el("ul", {}, all.map(([label, text]) => el("li", {}, label === null ? null : el("b", {}, `${label}: `), text)))) : null;
  };

  const seen = () => {
    const found = board.detection;
    return found === null || found.difference === null ? null : el("p", { class: "soft" },
      `With ${count(found.tasks, "task")} and ${count(found.replicates, "trial")} of each, differences in pass@1 below about `,
      `${(100 * found.difference).toFixed(0)} points are missed more often than one time in five.`);
  };

  together.leaderboard = () => {
    name();
    const about = Object.entries(board.about).filter(([, values]) => values.length);
    fill(document.getElementById("leaderboard"), el("h1", { id: "leaderboard-title" }, "Leaderboard"), lead(), missing(), table(),
      el("p", { class: "soft" }, "A rank of “2 to 4” can't be told better than that. Small numbers are ",
        `${Math.round(100 * board.level)} % intervals over tasks, clustered by repository. ! stands where one is not to be leaned on.`),
      seen(), caveats(), pairs(), groups(),
      fold({}, "What was compared", () => el("dl", { class: "facts" }, about.map(([what, values]) =>
        [el("dt", {}, what), el("dd", {}, values.join("; "))]), el("dt", {}, "swe-together"), el("dd", {}, data.version))));
  };
}
