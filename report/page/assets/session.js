"use strict";
/* One session, from its file beside the page. */
{
  const { el, fill, fold, data, trials, filters, turn, diff, number, score, short, count } = together;
  const place = document.getElementById("session");
  const waiting = new Map();
  const policy = globalThis.trustedTypes?.createPolicy("side-files", { createScriptURL: (url) => {
    if (!/^sessions\/\d{5,}\.js$/.test(url)) throw new TypeError(url);
    return url;
  } });

  /** Side files call this. */
  together.deliver = (number_, key, session) => {
    const wait = waiting.get(number_);
    waiting.delete(number_);
    if (key === data.key) wait?.resolve(session);
    else wait?.reject(new Error("the file belongs to another report: copy the page and its folder together"));
  };

  const load = (number_) => new Promise((resolve, reject) => {
    const url = `sessions/${String(number_).padStart(5, "0")}.js`;
    waiting.set(number_, { resolve, reject });
    const script = document.createElement("script");
    script.src = policy ? policy.createScriptURL(url) : url;
    script.addEventListener("error", () => reject(new Error(`${url} is not there: it must stay beside the page`)));
    script.addEventListener("load", () => { script.remove(); reject(new Error(`${url} holds no session`)); });
    document.head.append(script);
  });

  const mark = (met) => el("span", { class: met === null || met === undefined ? "mark none" : met ? "mark good" : "mark bad" },
    met === null || met === undefined ? "undecided" : met ? "met" : "not met");
  const tags = (words) => words.length ? el("ul", { class: "tags" }, words.map((word) => el("li", {}, word))) : null;

  const decision = (made) => {
    const does = made.error ? "came to no decision" : made.says ? `says something${made.kind ? ` (${made.kind.replaceAll("_", " ")})` : ""}`
      : made.end ? `leaves (${made.end.replaceAll("_", " ")})` : "stays silent";
    const facts = made.facts.map((fact) => [fact.anchor, fact.field, fact.predicate, fact.value ? "true" : "false", fact.detail]);
    const call = made.call;
    return el("div", { class: "decision" },
      el("p", {}, el("b", {}, `The user ${does}. `), made.error || made.reason),
      tags([...made.anchors.map((anchor) => `anchor ${anchor}`), ...made.guards.map((guard) => `guard ${guard}`)]),
      made.settled.length ? el("ul", { class: "soft" }, made.settled.map((one) => el("li", {}, `${one.anchor}: ${one.how}, ${one.reason}`))) : null,
      call ? el("p", { class: "soft" }, `${call.model}, ${number(call.seconds, "seconds")}, ${call.cost === null ? "cost unknown" : `$${number(call.cost, "usd")}`}`,
        call.retries ? `, ${count(call.retries, "more request")}` : "") : null,
      call?.refused.length ? el("ul", { class: "soft" }, call.refused.map((why) => el("li", {}, `refused: ${why}`))) : null,
      facts.length ? fold({}, count(facts.length, "condition looked at", "conditions looked at"), () =>
        together.table("conditions", ["anchor", "field", "condition", "value", "found"], facts)) : null);
  };

  const changes = (seen) => {
    if (!seen.changes_total && !seen.diff) return null;
    const lines = seen.changes.map((one) => el("li", {}, el("code", {}, one.path), ` ${one.status.replaceAll("_", " ")} `,
      one.added === null ? "binary" : [el("span", { class: "plus" }, `+${one.added}`), " ", el("span", { class: "minus" }, `−${one.removed}`)]));
    return fold({ class: "changes" }, `${count(seen.changes_total, "file")} changed`, () => [el("ul", {}, lines),
      seen.diff ? diff(seen.diff) : null,
      seen.diff_left_out ? el("p", { class: "left-out" }, `${count(seen.diff_left_out, "more character")} of the diff not recorded`) : null]);
  };

  const conversation = (turns) => turns.map((one, at) => {
    const title = [one.number ? `turn ${one.number}` : "before the first message", one.seconds === undefined ? null : number(one.seconds, "seconds"),
      one.timed_out ? "timed out" : null, one.continuation && one.continuation !== "native" && at ? one.continuation : null].filter(Boolean).join(", ");
    return el("article", { class: "round", id: `turn-${one.number}` },
      turn(one, title, [one.seen ? changes(one.seen) : null]),
      one.kind || one.tags?.length ? tags([...(one.kind ? [one.kind.replaceAll("_", " ")] : []), ...(one.anchors ?? []).map((anchor) => `anchor ${anchor}`), ...(one.tags ?? [])]) : null,
      one.decision ? decision(one.decision) : null);
  });

  const goal = (one) => el("li", {}, el("div", { class: "goal" }, mark(one.met), el("div", {},
    el("b", {}, one.text || one.goal), el("small", {}, [one.text ? one.goal : null, one.gate ? "gate" : one.weight === undefined ? null : `weight ${one.weight}`, one.tier, one.basis && `by ${one.basis}`].filter(Boolean).join(", ")),
    one.reason ? el("p", { class: "soft" }, one.reason) : null,
    one.check?.output ? fold({}, "what its command printed", () => el("pre", { class: "text" }, one.check.output)) : null,
    one.votes?.length ? fold({}, count(one.votes.length, "vote"), () => el("ul", {}, one.votes.map((vote) =>
      el("li", {}, mark(vote.met), " ", vote.reason, el("ul", { class: "soft" }, vote.evidence.map((ref) => el("li", {}, ref))))))) : null)));

  const side = (session) => [
    session.goals?.length ? [el("h3", {}, "Goals"), el("ul", { class: "goals" }, session.goals.map(goal))] : null,
    session.cases?.total ? [el("h3", {}, `Tests: ${session.cases.passed} of ${session.cases.total} passed`),
      fold({ open: session.cases.passed < session.cases.total }, "cases, the failed ones first", () => el("ul", { class: "cases" }, session.cases.shown.map((one) =>
        el("li", {}, el("span", { class: one.passed ? "mark good" : "mark bad" }, one.passed ? "passed" : "failed"), " ", el("code", {}, one.id),
          el("small", {}, one.kind === "f2p" ? (one.turn ? `, asked in turn ${one.turn}` : ", asked at first") : ", must not break"), one.message ? el("pre", { class: "text" }, one.message) : null))))] : null,
    session.coverage?.intents.length ? [el("h3", {}, "Intents"), el("ul", { class: "cases" }, session.coverage.intents.map((one) => el("li", {},
      el("code", {}, one.intent), el("small", {}, ` ${score(one.confidence)}, by ${one.by}`))))] : null,
  ];

  const facts = (trial) => {
    const rows = [["model", trial.model], ["agent", [trial.agent, trial.agent_version].filter(Boolean).join(" ")], ["user", [trial.policy, trial.user_model].filter(Boolean).join(", ")],
      ["arm", trial.arm], ["reward", trial.reward === null ? (trial.status ?? "").replaceAll("_", " ") : score(trial.reward)], ["tests", score(trial.tests)],
      ["judge", trial.judge_score === null ? null : `${score(trial.judge_score)} by ${trial.judge_model ?? trial.judge}`],
      ["corrections", trial.corrections === null ? null : `${trial.corrections}, nudges ${trial.nudges ?? "–"}`], ["cost", trial.cost_usd === null ? null : `$${number(trial.cost_usd, "usd")}`],
      ["time", trial.agent_seconds === null ? null : `${number(trial.agent_seconds, "seconds")} of the agent`], ["job", trial.job], ["trial", trial.trial]];
    return el("dl", { class: "facts" }, rows.filter(([, value]) => value).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", { class: "number" }, value))));
  };

  const neighbour = (trial, step) => {
    const list = filters.found().filter((one) => one.file);
    const at = list.findIndex((one) => one.number === trial.number);
    return at < 0 ? null : list[at + step] ?? null;
  };
  const link = (trial, label, key) => trial ? el("a", { class: "button", href: `#session-${trial.number}` }, label, " ", el("kbd", { "aria-hidden": "true" }, key)) : null;

  let now = null;

  /** Show a session; `together.sessionStep` goes on from there. */
  together.openSession = async (number_) => {
    const trial = trials[number_];
    now = trial ?? null;
    if (!trial) return fill(place, el("p", {}, "There is no such session."), el("a", { href: "#trials" }, "Back"));
    const heading = el("h1", { tabindex: -1 }, short(trial.task));
    const body = el("div", { class: "columns" }, el("p", { class: "soft" }, "loading…"));
    fill(place, el("nav", { class: "moves", "aria-label": "sessions" }, el("a", { class: "button", href: "#trials" }, "Back ", el("kbd", { "aria-hidden": "true" }, "Escape")),
      link(neighbour(trial, -1), "Previous", "k"), link(neighbour(trial, 1), "Next", "j")), heading, facts(trial),
      trial.cause ? el("p", { class: "warn" }, trial.cause) : null, body);
    scrollTo(0, 0);
    heading.focus();
    try {
      const session = await load(number_);
      if (now !== trial) return undefined;
      const asides = side(session);
      fill(body, el("div", { class: "talk" }, session.notes.length ? el("ul", { class: "notes" }, session.notes.map((note) => el("li", {}, note))) : null,
        session.turns.length ? conversation(session.turns) : el("p", { class: "soft" }, "No conversation is recorded."),
        session.ended ? el("p", { class: "end" }, `The session ended: ${session.ended.how.replaceAll("_", " ")}, after ${number(session.ended.seconds, "seconds")}. `, session.ended.error) : null),
        el("aside", { "aria-label": "judgement" }, asides));
    } catch (error) {
      if (now === trial) fill(body, el("p", { class: "warn", role: "alert" }, error.message));
    }
    return undefined;
  };

  together.sessionStep = (step) => {
    const next = now && neighbour(now, step);
    if (next) location.hash = `session-${next.number}`;
  };
  together.closeSession = () => { const was = now; now = null; return was; };
}
