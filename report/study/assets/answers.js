"use strict";
/* Answers on their way to the server. One stays here, and in the browser's store, until the server says it has it. */
together.Answers = class {
  #key; #waiting; #busy = false; #tries = 0; #tell;

  /** `tell({waiting, refused, saved})` is called whenever something changes. */
  constructor(annotator, tell) {
    this.#key = `study answers of ${annotator}`;
    this.#tell = tell;
    this.#waiting = this.#stored();
    addEventListener("beforeunload", (event) => { if (this.#waiting.length) event.preventDefault(); });
    addEventListener("online", () => this.#send());
    this.#send();
  }

  get waiting() { return [...this.#waiting]; }

  enter(answer) {
    this.#waiting.push(answer);
    this.#store();
    this.#send();
  }

  async #send() {
    if (this.#busy) return;
    this.#busy = true;
    while (this.#waiting.length) {
      this.#tell({ waiting: this.#waiting.length });
      const [answer] = this.#waiting;
      const outcome = await this.#post(answer);
      if (outcome === "again") {
        this.#tries += 1;
        await new Promise((resume) => setTimeout(resume, Math.min(500 * 2 ** (this.#tries - 1), 8000)));
        continue;
      }
      this.#tries = 0;
      this.#waiting.shift();
      this.#store();
      this.#tell({ waiting: this.#waiting.length, ...(outcome === "saved" ? { saved: answer } : { refused: outcome }) });
    }
    this.#busy = false;
  }

  /** "saved", "again" where it may still succeed, or why the server will never take it. */
  async #post(answer) {
    try {
      const response = await fetch("/api/answers", {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(answer),
        signal: AbortSignal.timeout(10000),
      });
      if (response.ok) return "saved";
      if (response.status === 422) return (await response.json()).error;
      return "again";
    } catch {
      return "again";
    }
  }

  #stored() {
    try {
      const value = JSON.parse(localStorage.getItem(this.#key) ?? "[]");
      return Array.isArray(value) ? value : [];
    } catch {
      return [];
    }
  }

  #store() {
    try {
      if (this.#waiting.length) localStorage.setItem(this.#key, JSON.stringify(this.#waiting));
      else localStorage.removeItem(this.#key);
    } catch { /* a browser that stores nothing: the answers are still in this page */ }
  }
};
