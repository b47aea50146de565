"use strict";
/* The data in the page, unpacked, and how its numbers are written. */
{
  const data = JSON.parse(document.getElementById("data").textContent);

  const unpack = (column) => Array.isArray(column) ? column
    : column.rows.map((place) => place === null ? null : column.levels[place]);

  const columns = Object.fromEntries(Object.entries(data.trials.columns).map(([name, column]) => [name, unpack(column)]));
  const withFile = new Set(data.sessions);
  const trials = Array.from({ length: data.trials.count }, (_, number) => {
    const trial = { number, file: withFile.has(number) };
    for (const name of Object.keys(columns)) trial[name] = columns[name][number];
    return trial;
  });

  const DASH = "–";
  const STEPS = [[10, 1, 1, "s"], [120, 1, 0, "s"], [7200, 60, 0, "min"], [Infinity, 3600, 1, "h"]];
  const step = (value) => STEPS.find(([below]) => Math.abs(value) < below);
  const seconds = (value, [, size, digits, unit] = step(value), last = true) =>
    `${(value / size).toFixed(digits)}${last ? ` ${unit}` : ""}`;
  const tokens = (value) => value >= 1e6 ? `${(value / 1e6).toFixed(1)}M` : value >= 1e3 ? `${(value / 1e3).toFixed(1)}k`
    : String(Math.round(value));
  const write = {
    share: (value) => (100 * value).toFixed(1),
    count: (value) => value.toFixed(2),
    tokens,
    usd: (value) => value >= 100 ? value.toFixed(0) : value.toFixed(value >= 0.1 || value === 0 ? 2 : 3),
    seconds: (value) => seconds(value),
  };

  /** Both ends of an interval; times in one unit. */
  const ends = ({ low, high }, unit) => unit === "seconds" ? [seconds(low, step(high), false), seconds(high)]
    : [write[unit](low), write[unit](high)];

  /** A number as a reader sees it, by its unit; a dash for what is unknown. */
  together.number = (value, unit) => value === null || value === undefined ? DASH : write[unit](value);
  together.interval = (figure, unit) => figure.low === null || figure.low === undefined ? ""
    : ends(figure, unit).join(figure.low < 0 ? " to " : DASH);
  together.score = (value) => value === null || value === undefined ? DASH : value.toFixed(2);
  /** The task without the name of its dataset. */
  together.short = (task) => task === null ? "?" : task.slice(task.lastIndexOf("/") + 1);
  together.data = data;
  together.board = data.board;
  together.trials = trials;
  together.metric = (name) => data.metrics.find((metric) => metric.name === name);
  together.models = () => data.board.entries.filter((entry) => entry.kind === "model");
}
