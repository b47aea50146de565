"use strict";
/* Success beside User Correction, cost and time; success by threshold. Models alone: references have no price. */
{
  const { el, fill, board, number, interval } = together;
  const { svg, range, plot, labels, figure } = together.draw;
  const percent = (value) => `${Math.round(100 * value)}`;
  const known = (entry, ...names) => names.every((name) => entry.figures[name]?.value !== null && entry.figures[name] !== undefined);
  const ends = (figure) => [figure.value, figure.low ?? figure.value, figure.high ?? figure.value];

  const whisker = (x1, x2, y1, y2) => svg("line", { class: "whisker", x1, x2, y1, y2 });

  const scatter = (title, words, name, label, frontier) => {
    const entries = together.models().filter((entry) => known(entry, name, "pass_at_1"));
    if (!entries.length) return null;
    const { unit } = together.metric(name);
    const x = entries.map((entry) => entry.figures[name]), y = entries.map((entry) => entry.figures.pass_at_1);
    const { root, sx, sy, box } = plot({
      x: { range: range(x.flatMap(ends), 0), label, write: (value) => number(value, unit) },
      y: { range: range(y.flatMap(ends), 0, 1), label: "pass@1, %", write: percent },
    });
    const points = entries.map((entry, place) => ({ entry, x: sx(x[place].value), y: sy(y[place].value), text: entry.short }));
    if (frontier) root.append(edge(points, box));
    points.forEach((point, place) => {
      if (x[place].low !== null && !frontier) root.append(whisker(sx(x[place].low), sx(x[place].high), point.y, point.y));
      if (y[place].low !== null) root.append(whisker(point.x, point.x, sy(y[place].low), sy(y[place].high)));
    });
    root.append(...labels(points, box));
    for (const point of points) root.append(svg("circle", { class: "dot", cx: point.x, cy: point.y, r: 5 }));
    const rows = entries.map((entry, place) => [entry.label, number(x[place].value, unit), interval(x[place], unit),
      number(y[place].value, "share"), interval(y[place], "share")]);
    const interval95 = `${Math.round(100 * board.level)} % interval`;
    return figure(title, root, words, ["model", [label, "number"], [interval95, "number"], ["pass@1, %", "number"],
      [interval95, "number"]], rows);
  };

  /** The line of those that no other beats in both: nobody succeeds more for less. */
  const edge = (points, box) => {
    let best = Infinity;
    const on = [...points].sort((a, b) => a.x - b.x || a.y - b.y).filter((point) => point.y < best && ((best = point.y), true));
    const path = on.map((point, place) => place ? `H${point.x}V${point.y}` : `M${point.x},${point.y}`).join("");
    return svg("path", { class: "frontier", d: `${path}H${box.right}` });
  };

  const curve = () => {
    const entries = together.models().filter((entry) => entry.thresholds.some((point) => point.figure.value !== null));
    if (!entries.length) return null;
    const thresholds = entries[0].thresholds.map((point) => point.threshold);
    const { root, sx, sy, box } = plot({
      x: { range: [thresholds[0], thresholds.at(-1)], label: "threshold of the reward from which a trial passes", write: (value) => value.toFixed(2) },
      y: { range: [0, 1], label: "pass@1, %", write: percent }, right: 140,
    });
    root.append(svg("line", { class: "threshold", x1: sx(board.threshold), x2: sx(board.threshold), y1: box.top, y2: box.bottom }),
      svg("text", { class: "tick", x: sx(board.threshold) - 5, y: box.top - 6, "text-anchor": "middle" }, `here ${board.threshold}`));
    const last = entries.map((entry, place) => {
      const points = entry.thresholds.filter((point) => point.figure.value !== null);
      const d = points.map((point, index) => `${index ? "L" : "M"}${sx(point.threshold)},${sy(point.figure.value)}`).join("");
      const line = svg("path", { class: `curve c${place % 8}${place >= 8 ? " dashed" : ""}`, d });
      root.append(line);
      // Curves meet at the end: their names stand in the order that they have at the threshold.
      const here = points.find((point) => point.threshold >= board.threshold) ?? points.at(-1);
      return { x: box.right, y: sy(here.figure.value), text: entry.short, end: true, place };
    });
    const words = labels(last, { right: Infinity });
    // Labels come back from top to bottom; their lines' colours go with them.
    const order = [...last].sort((a, b) => a.y - b.y);
    words.forEach((label, index) => label.classList.add(`t${order[index].place % 8}`));
    root.append(...words);
    const rows = entries.map((entry) => [entry.label, ...entry.thresholds.map((point) => number(point.figure.value, "share"))]);
    return figure("Success by threshold", root, `Where a trial counts as passed is a choice; here it is ${board.threshold}.`,
      ["model", ...thresholds.map((value) => [value.toFixed(2), "number"])], rows);
  };

  const words = () => {
    const found = board.correlation;
    if (found === null || found.r === null) return "Fewer corrections and more success is up and to the left.";
    const within = found.low === null ? "" : ` (${Math.round(100 * found.level)} % interval ${found.low.toFixed(2)} to ${found.high.toFixed(2)})`;
    return `Over ${found.n} models the rank correlation is ${found.r.toFixed(2)}${within}. ${found.warning ?? ""}`.trim();
  };

  together.charts = () => {
    const figures = [
      scatter("Success and User Correction", words(), "user_correction", "User Correction in a session", false),
      curve(),
      scatter("Success and cost", "The line joins the models that no other beats in both.", "cost_usd", "cost of the agent in a trial, $", true),
      scatter("Success and time", "The line joins the models that no other beats in both.", "agent_seconds", "wall time of the agent in a trial", true),
    ].filter((one) => one !== null);
    fill(document.getElementById("charts"), el("h2", { id: "charts-title" }, "Charts"),
      figures.length ? el("div", { class: "figures" }, figures) : el("p", { class: "soft" }, "No model has a scored trial yet."));
  };
}
