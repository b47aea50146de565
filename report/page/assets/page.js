"use strict";
/* Puts the parts together: what the address says is shown, and keys go where they belong. */
{
  const { typing } = together;
  const report = document.getElementById("report");
  const session = document.getElementById("session");
  let scrolled = 0;

  let drawn = 0;
  const charts = () => {
    if (report.hidden || drawn === together.draw.width()) return;
    drawn = together.draw.width();
    together.charts();
  };

  const route = () => {
    const number = /^#session-(\d+)$/.exec(location.hash)?.[1];
    if (number !== undefined) {
      if (session.hidden) scrolled = scrollY;
      report.hidden = true;
      session.hidden = false;
      together.openSession(Number(number));
      return;
    }
    const was = together.closeSession();
    session.hidden = true;
    report.hidden = false;
    charts();
    if (!was) return;
    scrollTo(0, scrolled);
    document.querySelector(`#trials tr[data-number="${was.number}"] a`)?.focus();
  };

  document.addEventListener("keydown", (event) => {
    const inside = !session.hidden;
    if (event.key === "Escape") {
      if (inside) location.hash = "trials";
      else if (document.activeElement?.id === "search") document.activeElement.blur();
      else return;
    } else if (typing(event)) return;
    else if (event.key === "/" && !inside) {
      const search = document.getElementById("search");
      search.focus();
      search.scrollIntoView({ block: "center" });
    } else if (event.key === "j" || event.key === "k") {
      const step = event.key === "j" ? 1 : -1;
      if (inside) together.sessionStep(step);
      else together.walk(step);
    } else return;
    event.preventDefault();
  });

  together.leaderboard();
  charts();
  together.filters.show();
  together.heatmap();
  together.list();
  addEventListener("hashchange", route);
  addEventListener("resize", charts);
  route();
}
