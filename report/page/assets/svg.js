"use strict";
/* Drawing: scales, axes, points with a tip. Every chart has the same data as a table below it. */
{
  const { el, fold } = together;
  const NAMESPACE = "http://www.w3.org/2000/svg";

  const svg = (name, facts = {}, ...children) => {
    const element = document.createElementNS(NAMESPACE, name);
    for (const [key, value] of Object.entries(facts)) if (value !== null) element.setAttribute(key, String(value));
    return together.add(element, children);
  };

  const scale = (from, to, start, end) => (value) => start + (value - from) / (to - from) * (end - start);

  /** Round steps that cover a range: at most `most` of them. */
  const ticks = (low, high, most = 6) => {
    const rough = (high - low) / most || 1;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((one) => one >= rough);
    const found = [];
    for (let value = Math.ceil(low / step - 1e-9) * step; value <= high + step * 1e-9; value += step) {
      found.push(Math.abs(value) < step * 1e-9 ? 0 : value);
    }
    return found;
  };

  /** The range of values, with air around them; `floor` and `ceiling` are never passed. */
  const range = (values, floor = -Infinity, ceiling = Infinity) => {
    const low = Math.min(...values), high = Math.max(...values);
    const air = (high - low || Math.abs(high) || 1) * 0.1;
    return [Math.max(floor, low - air), Math.min(ceiling, high + air)];
  };

  /** An empty plot: {root, x, y, inside}. `x` and `y` are {range, label, write}. */
  const plot = ({ x, y, right = 20 }) => {
    const width = together.draw.width(), height = width < 480 ? 300 : 360;
    const box = { left: 52, top: 30, right: width - right, bottom: height - 46 };
    const sx = scale(...x.range, box.left, box.right), sy = scale(...y.range, box.bottom, box.top);
    const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "plot", role: "img" });
    for (const value of ticks(...y.range, 5)) {
      root.append(svg("line", { class: "grid", x1: box.left, x2: box.right, y1: sy(value), y2: sy(value) }),
        svg("text", { class: "tick", x: box.left - 8, y: sy(value) + 4, "text-anchor": "end" }, y.write(value)));
    }
    for (const value of ticks(...x.range, width < 480 ? 4 : 6)) {
      root.append(svg("line", { class: "mark", x1: sx(value), x2: sx(value), y1: box.bottom, y2: box.bottom + 4 }),
        svg("text", { class: "tick", x: sx(value), y: box.bottom + 18, "text-anchor": "middle" }, x.write(value)));
    }
    root.append(svg("line", { class: "axis", x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom }),
      svg("text", { class: "label", x: (box.left + box.right) / 2, y: height - 8, "text-anchor": "middle" }, x.label),
      svg("text", { class: "label", x: 8, y: 12 }, y.label));
    return { root, sx, sy, box };
  };

  /** Labels beside points, moved up or down until none lies on another. `points`: [{x, y, text, end?}]. */
  const labels = (points, box, gap = 14) => {
    const placed = [];
    const width = (text) => text.length * 6.6 + 6;
    return [...points].sort((a, b) => a.y - b.y).map((point) => {
      const flip = !point.end && point.x + 8 + width(point.text) > box.right;
      const left = flip ? point.x - 8 - width(point.text) : point.x + 8;
      let y = point.y;
      const clash = () => placed.find((other) => Math.abs(other.y - y) < gap && left < other.right && other.left < left + width(point.text));
      for (let tries = 0; tries < 60 && clash(); tries += 1) y = clash().y + gap;
      placed.push({ left, right: left + width(point.text), y });
      return svg("text", { class: "point-label", x: flip ? point.x - 8 : point.x + 8, y: y + 4,
        "text-anchor": flip ? "end" : "start" }, point.text);
    });
  };

  /** A figure with title, drawing, words on it, and the same as a table. */
  const figure = (title, drawing, words, columns, rows) => {
    drawing.setAttribute("aria-label", `${title}. ${words} The table below has the same numbers.`);
    return el("figure", {}, el("figcaption", {}, el("h3", {}, title), el("p", { class: "soft" }, words)), drawing,
      fold({ class: "as-table" }, "as a table", () => together.table(title, columns, rows)));
  };

  /** A table: columns are names, or [name, "number"]; cells are texts or elements. */
  together.table = (caption, columns, rows, facts = {}) => {
    const kind = columns.map((column) => Array.isArray(column) ? column[1] : "");
    const head = columns.map((column, place) => el("th", { scope: "col", class: kind[place] || null },
      Array.isArray(column) ? column[0] : column));
    return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption }, el("table", facts,
      el("caption", { class: "unseen" }, caption), el("thead", {}, el("tr", {}, head)),
      el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell, place) => place === 0
        ? el("th", { scope: "row" }, cell) : el("td", { class: kind[place] || null }, cell)))))));
  };

  /** How wide a chart is drawn, so that its letters are as large as all others. */
  const width = () => Math.max(320, Math.min(560, document.getElementById("charts").clientWidth));

  together.draw = { svg, scale, ticks, range, plot, labels, figure, width };
}
