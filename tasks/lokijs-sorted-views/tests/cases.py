"""Cases of lokijs-sorted-views: documents go into a collection, the order of a view and the work it took come out."""

from typing import Any

from harness import Runner, case, equal

# A board is a collection with a sorted view. It counts comparisons and reads of what is sorted by, and hands back the
# names of the documents in their order.
BOARD = """
const Loki = require(tree);
const work = { calls: 0, reads: 0 };
class Player {
  constructor(name, points, team = 'none') { Object.assign(this, { name, team, on: true, hidden: points }); }
  get points() { work.reads++; return this.hidden; }
  set points(value) { this.hidden = value; }
}
// bound, so that its text tells nobody what it does
const byPoints = ((a, b) => { work.calls++; return a.hidden - b.hidden; }).bind(null);
function spent(act) { work.calls = work.reads = 0; act(); return work; }
function board(size, arrange, collection = {}, view = {}) {
  const coll = new Loki('memory').addCollection('players', collection);
  const players = Array.from({ length: size }, (_, i) => new Player('p' + i, (i * 7919) % size));
  const dv = coll.addDynamicView('board', view);
  arrange(dv);
  coll.insert(players);
  dv.data();
  const names = () => dv.data().map((doc) => doc.name);
  const rising = () => dv.data().every((doc, i, all) => !i || all[i - 1].hidden <= doc.hidden);
  return { coll, dv, players, names, rising };
}
function follow(dv) {
  const list = [];
  return () => {
    const found = dv.changes();
    for (const { doc, from, to } of found) {
      if (from >= 0) list.splice(from, 1);
      if (to >= 0) list.splice(to, 0, doc.name);
    }
    return { list: [...list], found: found.map(({ doc, from, to }) => [doc.name, from, to]) };
  };
}
"""
FEW = 80  # "a few dozen"; a binary search in the largest board here takes 13


def play(run: Runner, code: str, data: object = None) -> Any:
    return run.node(BOARD + code, data=data)


def few(spent: list[int], most: int = FEW) -> None:
    assert max(spent) <= most, f"wanted at most {most} each, found {spent}"


# --- 0: one document, a few calls ------------------------------------------------------------------------------------


@case(turn=0)
def one_update_takes_a_few_calls(run: Runner) -> None:
    code = """
    const { coll, dv, players, rising } = board(5000, (dv) => dv.applyFind({ on: true }).applySort(byPoints));
    emit([10, 2500, 4990, 0, 777].map((at, i) => {
      const player = players[at];
      player.points = [4999.5, 0.5, 2500.5, 2500.5, -1][i];
      coll.update(player);
      const { calls } = spent(() => dv.data());
      return [calls, rising()];
    }));
    """
    found = play(run, code)
    equal([right for _, right in found], [True] * 5, "order")
    few([calls for calls, _ in found])


@case(turn=0)
def one_new_document_takes_a_few_calls(run: Runner) -> None:
    code = """
    const { coll, dv, players, rising } = board(5000, (dv) => dv.applyWhere((doc) => doc.on).applySort(byPoints));
    const steps = [
      () => coll.insert(new Player('new', 2222.5)),
      () => coll.insert(new Player('first', -5)),
      () => { players[40].on = false; coll.update(players[40]); },
      () => { players[40].on = true; players[40].points = 17.5; coll.update(players[40]); },
      () => coll.insert([new Player('x', 10.5), new Player('y', 4000.5)]),
    ];
    emit(steps.map((step) => [spent(() => { step(); dv.data(); }).calls, rising(), dv.count()]));
    """
    found = play(run, code)
    equal([rest for _, *rest in found], [[True, n] for n in (5001, 5002, 5001, 5002, 5004)], "order, count")
    few([calls for calls, *_ in found])


@case(turn=0)
def removed_documents_take_no_call(run: Runner) -> None:
    code = """
    const { coll, dv, players, rising } = board(3000, (dv) => dv.applyFind({ on: true }).applySort(byPoints));
    const steps = [
      () => coll.remove(players[7]),
      () => coll.remove([players[3], players[2000], players[2999]]),
      () => coll.findAndRemove({ hidden: { $between: [1500, 1509] } }),
      () => { players[9].on = false; coll.update(players[9]); },
    ];
    const spentOn = steps.map((step) => [spent(() => { step(); dv.data(); }).calls, rising(), dv.count()]);
    players[50].points = 5000;
    coll.update(players[50]);
    emit([spentOn, spent(() => dv.data()).calls, rising(), dv.data().pop().name]);
    """
    found, later, right, last = play(run, code)
    equal(found, [[0, True, n] for n in (2999, 2996, 2986, 2985)], "calls, order, count")
    equal([right, last], [True, "p50"], "an update afterwards")
    few([later])


@case(turn=0)
def any_mix_ends_in_the_right_order(run: Runner) -> None:
    code = """
    const { coll, dv, players, names } = board(800, (dv) => dv.applyFind({ on: true }).applySort(byPoints));
    let seed = 11, calls = 0, fresh = 0;
    const random = (n) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
    const wrong = [];
    for (let step = 0; step < 150; step++) {
      for (let more = random(3); more >= 0; more--) {
        const all = coll.data, player = all[random(all.length)], what = random(5);
        if (what < 2) { player.points = 1000 + random(9000) + step / 256; coll.update(player); }
        else if (what === 2) { player.on = !player.on; coll.update(player); }
        else if (what === 3) coll.insert(new Player('n' + fresh++, random(800) + 0.5 + step / 512 + more / 4096));
        else coll.remove(player);
      }
      calls += spent(() => dv.data()).calls;
      const wanted = coll.find({ on: true }).sort((a, b) => a.hidden - b.hidden || a.$loki - b.$loki);
      const found = dv.data();
      if (wanted.length !== found.length || wanted.some((doc, i) => doc.hidden !== found[i].hidden)) wrong.push(step);
    }
    emit([wrong, calls]);
    """
    wrong, calls = play(run, code)
    equal(wrong, [], "steps that end in another order")
    few([calls], 150 * 3 * FEW // 2)


@case(turn=0)
def every_kind_of_view_is_cheap(run: Runner) -> None:
    code = """
    const kinds = [
      [{}, { persistent: true }, (dv) => dv.applyFind({ on: true })],
      [{}, {}, (dv) => dv],
      [{ clone: true }, {}, (dv) => dv.applyFind({ on: true })],
      [{ disableFreeze: false }, {}, (dv) => dv.applyFind({ on: true })],
      [{}, { sortPriority: 'active' }, (dv) => dv.applyFind({ on: true })],
    ];
    const found = [];
    for (const [collection, view, filter] of kinds) {
      const { coll, dv, rising } = board(2000, (dv) => filter(dv).applySort(byPoints), collection, view);
      await new Promise((done) => setTimeout(done, 20));
      const { calls } = spent(() => {
        coll.update(Object.assign({}, coll.get(1200), { hidden: 5.5 }));
        dv.data();
      });
      const place = dv.data().findIndex((doc) => doc.$loki === 1200);
      coll.insert({ name: 'new', hidden: 1000.5, on: true });
      const more = spent(() => dv.data()).calls;
      found.push([calls, more, rising(), place, dv.count()]);
    }
    emit(found);
    """
    found = play(run, code)
    equal([rest for _, _, *rest in found], [[True, 6, 2001]] * 5, "order, place, count")
    few([n for calls, more, *_ in found for n in (calls, more)])


# --- 1: sorted by properties -----------------------------------------------------------------------------------------


@case(turn=1)
def simple_sorts_read_a_few_documents(run: Runner) -> None:
    code = """
    const kinds = [undefined, true, { desc: true }, { desc: false, disableIndexIntersect: true },
      { useJavascriptSorting: true }];
    emit(kinds.map((options) => {
      const { coll, dv, players } =
        board(4000, (dv) => dv.applyFind({ on: true }).applySimpleSort('points', options));
      players[12].points = 1999.5;
      coll.update(players[12]);
      coll.remove(players[1]);
      const { reads } = spent(() => dv.data());
      const values = dv.data().map((doc) => doc.hidden);
      const sign = options === true || options && options.desc ? -1 : 1;
      return [reads, values.length, values.every((v, i) => !i || sign * (v - values[i - 1]) > 0)];
    }));
    """
    found = play(run, code)
    equal([rest for _, *rest in found], [[3999, True]] * 5, "count, order")
    few([reads for reads, *_ in found], 4 * FEW)


@case(turn=1)
def sort_criteria_read_a_few_documents(run: Runner) -> None:
    code = """
    const kinds = [['team', 'points'], [['team', true], ['points', true]], [['points', true]], ['points']];
    const value = { a: 0, b: 1, c: 2 };
    emit(kinds.map((criteria) => {
      const { coll, dv, players } = board(4000, (dv) => dv.applyFind({ on: true }).applySortCriteria(criteria));
      players.forEach((player, i) => { player.team = 'abc'[i % 3]; });
      coll.update(players);
      dv.data();
      players[12].points = 1999.5;
      players[12].team = 'c';
      coll.update(players[12]);
      coll.insert(new Player('new', 12.5, 'b'));
      const { reads } = spent(() => dv.data());
      const compare = (a, b) => {
        for (const one of criteria) {
          const [name, down] = [].concat(one);
          const less = name === 'team' ? value[a.team] - value[b.team] : a.hidden - b.hidden;
          if (less) return down ? -less : less;
        }
        return 0;
      };
      const found = dv.data();
      return [reads, found.length, found.every((doc, i) => !i || compare(found[i - 1], doc) < 0)];
    }));
    """
    found = play(run, code)
    equal([rest for _, *rest in found], [[4001, True]] * 4, "count, order")
    few([reads for reads, *_ in found], 8 * FEW)


# --- 3: what is different --------------------------------------------------------------------------------------------


@case(turn=3)
def at_first_all_is_new(run: Runner) -> None:
    code = """
    const { dv, names } = board(40, (dv) => dv.applyFind({ hidden: { $lt: 30 } }).applySort(byPoints));
    const tell = follow(dv), { list, found } = tell();
    emit([list, found.map(([name, from]) => from), names(), tell().found]);
    """
    listed, origins, names, nothing = play(run, code)
    equal(listed, names, "list")
    equal([len(names), origins, nothing], [30, [-1] * 30, []], "count, where they come from, a second call")


@case(turn=3)
def changes_lead_from_one_list_to_the_next(run: Runner) -> None:
    code = """
    const wrong = [];
    for (const view of [{}, { persistent: true }]) {
      const { coll, dv, names } = board(60, (dv) => dv.applyFind({ on: true }).applySort(byPoints), {}, view);
      const tell = follow(dv);
      let seed = 5, fresh = 0;
      const random = (n) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
      for (let step = 0; step < 120; step++) {
        for (let more = random(6); more > 0; more--) {
          const player = coll.data[random(coll.data.length)], what = random(6);
          if (what < 3) { player.points = random(60) + step / 256 + more / 4096; coll.update(player); }
          else if (what === 3) { player.on = !player.on; coll.update(player); }
          else if (what === 4) coll.insert(new Player('n' + fresh++, random(60) + 0.5 + step / 512));
          else coll.remove(player);
          if (!random(4)) dv.data();
        }
        if (step === 50) dv.applySort((a, b) => b.hidden - a.hidden);
        if (step === 80) dv.applyFind({ hidden: { $gt: 20 } }, 'high');
        if (step === 100) dv.removeFilter('high');
        const { list } = tell();
        if (JSON.stringify(list) !== JSON.stringify(names())) wrong.push(step);
      }
    }
    emit(wrong);
    """
    equal(play(run, code), [], "steps whose changes lead somewhere else")


@case(turn=3)
def rows_that_come_and_go(run: Runner) -> None:
    code = """
    const { coll, dv, players, names } = board(10, (dv) => dv.applyFind({ on: true }).applySort(byPoints));
    const tell = follow(dv), found = [], before = tell().list;
    const step = (act) => { act(); found.push(tell().found); };
    const at = (place) => players.find((player) => player.name === before[place]);
    step(() => { at(2).on = false; coll.update(at(2)); });
    step(() => { at(2).on = true; coll.update(at(2)); });
    step(() => coll.remove(at(9)));
    step(() => coll.remove(coll.insert(new Player('short', 3.5))));
    step(() => { at(0).on = false; coll.update(at(0)); at(0).on = true; at(0).points = 6.5; coll.update(at(0)); });
    emit([found, before, names()]);
    """
    found, before, after = play(run, code)
    wanted = [[[before[2], 2, -1]], [[before[2], -1, 2]], [[before[9], 9, -1]], [], [[before[0], 0, 6]]]
    equal(found, wanted, "changes")
    equal(after, [*before[1:7], before[0], *before[7:9]], "rows")


@case(turn=3)
def changes_know_sorts_by_properties(run: Runner) -> None:
    code = """
    const { coll, dv, players, names } = board(9, (dv) => dv.applySimpleSort('points', true));
    const tell = follow(dv), first = tell().list;
    players[0].points = 20;
    coll.update(players[0]);
    const second = tell(), settled = names();
    dv.applySortCriteria(['team', 'points']);
    emit([first, second.list, settled, tell().list, names(), dv.changes()]);
    """
    first, second, settled, turned, names, nothing = play(run, code)
    equal([first[-1], second[0]], ["p0", "p0"], "where it was and is")
    equal([second, turned, nothing], [settled, names, []], "lists")


@case(turn=3)
def changes_take_a_few_calls(run: Runner) -> None:
    code = """
    const { coll, dv, players } = board(4000, (dv) => dv.applyFind({ on: true }).applySort(byPoints));
    dv.changes();
    players[100].points = 3000.5;
    coll.update(players[100]);
    let found;
    const { calls } = spent(() => { found = dv.changes(); });
    const rest = spent(() => dv.data()).calls;
    emit([calls + rest, found.some(({ doc }) => doc.name === 'p100')]);
    """
    calls, told = play(run, code)
    equal(told, True, "whether the row is told")
    few([calls])


@case(turn=3)
def updated_rows_are_told_where_they_stay(run: Runner) -> None:
    code = """
    const { coll, dv, players, names } = board(50, (dv) => dv.applyFind({ on: true }).applySort(byPoints));
    const tell = follow(dv), found = [], before = tell().list;
    const step = (act) => { act(); found.push(tell().found); };
    const at = (place) => players.find((player) => player.name === before[place]);
    step(() => { at(20).team = 'other'; coll.update(at(20)); });
    step(() => { at(49).points += 0.25; coll.update(at(49)); at(49).points += 0.25; coll.update(at(49)); });
    step(() => { at(5).points += 0.25; coll.update(at(5)); dv.data(); at(5).points -= 0.25; coll.update(at(5)); });
    emit([found, before]);
    """
    found, before = play(run, code)
    equal(found, [[[before[n], n, n]] for n in (20, 49, 5)], "changes")


@case(turn=3)
def untouched_rows_are_not_told(run: Runner) -> None:
    code = """
    const { coll, dv, players, names } = board(50, (dv) => dv.applyFind({ on: true }).applySort(byPoints));
    const tell = follow(dv), found = [], before = tell().list;
    const step = (act) => { act(); found.push(tell().found); };
    const at = (place) => players.find((player) => player.name === before[place]);
    step(() => { at(3).points = 40.5; coll.update(at(3)); });
    step(() => { coll.insert(new Player('new', 10.5)); });
    step(() => { coll.remove(at(0)); });
    step(() => { at(45).points = 1.5; coll.update(at(45)); });
    emit(found);
    """
    found = play(run, code)
    equal([[[from_, to] for _, from_, to in told] for told in found], [[[3, 40]], [[-1, 10]], [[0, -1]], [[45, 1]]])


@case(turn=3)
def each_touched_row_is_told_once(run: Runner) -> None:
    code = """
    const { coll, dv, names } = board(80, (dv) => dv.applyFind({ on: true }).applySort(byPoints));
    const tell = follow(dv), wrong = [];
    tell();
    let seed = 23, fresh = 0;
    const random = (n) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
    for (let step = 0; step < 80; step++) {
      const touched = new Set(), before = new Set(names());
      for (let more = random(5); more > 0; more--) {
        const what = random(6);
        const player = what < 4 ? coll.data[random(coll.data.length)] : new Player('n' + fresh++, random(80) + 0.5);
        touched.add(player.name);
        if (what < 2) { player.points = random(80) + step / 256 + more / 4096; coll.update(player); }
        else if (what === 2) { player.team = 'other'; coll.update(player); }
        else if (what === 3) coll.remove(player);
        else coll.insert(player);
      }
      const told = tell().found.map(([name]) => name);
      const missing = names().filter((name) => touched.has(name) && !told.includes(name));
      if (missing.length) wrong.push([step, 'missing', missing]);
      if (new Set(told).size !== told.length) wrong.push([step, 'twice', told]);
      const others = told.filter((name) => !touched.has(name));
      if (others.length) wrong.push([step, 'untouched', others]);
    }
    emit(wrong.slice(0, 5));
    """
    equal(play(run, code), [], "steps that tell something else")


@case(turn=3)
def told_documents_are_those_of_data(run: Runner) -> None:
    code = """
    emit([false, true].map((clone) => {
      const { coll, dv } = board(20, (dv) => dv.applyFind({ on: true }).applySort(byPoints), { clone });
      const first = dv.changes()[4].doc;
      first.name = 'mine';
      const name = coll.get(first.$loki).name;
      coll.update(Object.assign(coll.get(first.$loki), { name: 'yours', team: 'new', hidden: 15.5 }));
      const { doc } = dv.changes().find((change) => change.doc.name === 'yours');
      return [name === 'mine', doc.name, doc.team, doc.$loki === first.$loki, 'created' in doc.meta];
    }));
    """
    equal(play(run, code), [[True, "yours", "new", True, True], [False, "yours", "new", True, True]])


# --- 4: many updates at once, looked at in between -------------------------------------------------------------------


@case(turn=4)
def lists_of_updates_end_in_the_right_order(run: Runner) -> None:
    code = """
    const found = [];
    for (let round = 1; round <= 6; round++) {
      const { coll, dv, players, rising } = board(1200, (dv) => dv.applyFind({ on: true }).applySort(byPoints));
      let renders = 0;
      coll.on('update', () => { dv.data(); renders++; });
      const changed = [...new Set(Array.from({ length: 40 }, (_, i) => players[(i * 29 * round + i * i) % 1200]))];
      changed.forEach((player, i) => { player.points = (i * 487 + 131 * round) % 1200 + 0.5; });
      const { calls } = spent(() => coll.update(changed));
      found.push([calls, rising(), renders === changed.length]);
    }
    emit(found);
    """
    found = play(run, code)
    equal([rest for _, *rest in found], [[True, True]] * 6, "order, number of renders")
    few([calls for calls, *_ in found], 12000)  # sorting all of them each time takes 45,000


@case(turn=4)
def lists_of_updates_through_several_views(run: Runner) -> None:
    code = """
    const found = [];
    for (let round = 1; round <= 6; round++) {
      const { coll, dv, players, rising } =
        board(600, (dv) => dv.applyFind({ on: true }).applySort(byPoints), {}, { persistent: true });
      const top = coll.addDynamicView('top').applyFind({ hidden: { $gte: 300 } }).applySimpleSort('hidden', true);
      top.data();
      coll.on('update', () => { dv.data(); top.data(); });
      const changed = [...new Set(Array.from({ length: 30 }, (_, i) => players[(i * 17 * round + i * i) % 600]))];
      changed.forEach((player, i) => { player.points = (i * 487 + 97 * round) % 600 + 0.5; });
      const { calls } = spent(() => coll.update(changed));
      const values = top.data().map((doc) => doc.hidden);
      found.push([calls, rising(), values.length === coll.find({ hidden: { $gte: 300 } }).length,
        values.every((value, i) => !i || values[i - 1] >= value)]);
    }
    emit(found);
    """
    found = play(run, code)
    equal([rest for _, *rest in found], [[True] * 3] * 6, "order, the other view")
    few([calls for calls, *_ in found], 6000)  # sorting all of them each time takes 17,000


# --- 5: the oldest first among equals --------------------------------------------------------------------------------


@case(turn=5)
def equal_ones_stand_in_order_of_insertion(run: Runner) -> None:
    code = """
    const { coll, dv, players, names } = board(0, (dv) => dv.applyFind({ on: true }).applySort(byPoints));
    const all = [5, 7, 1, 5, 7, 1].map((points, i) => coll.insert(new Player('abcdef'[i], points)));
    const set = (at, points) => { all[at].points = points; coll.update(all[at]); return names().join(''); };
    const found = [names().join(''), set(2, 5), set(4, 5), set(0, 7), set(0, 5), set(5, 7), set(5, 5)];
    coll.remove(all[3]);
    coll.insert(all[3]);
    emit([found, names().join('')]);
    """
    found, last = play(run, code)
    equal(found, ["cfadbe", "facdbe", "facdeb", "fcdeab", "facdeb", "acdebf", "acdefb"], "orders")
    equal(last, "acefdb", "one that was removed and inserted again")


@case(turn=5)
def equal_ones_by_properties(run: Runner) -> None:
    code = """
    emit([[], ['hidden']].map((indices) => {
      const found = [];
      for (const options of [undefined, true, { desc: true }, { useJavascriptSorting: true }]) {
        const { coll, dv, players, names } =
          board(0, (dv) => dv.applyFind({ on: true }).applySimpleSort('hidden', options), { indices });
        const all = [3, 1, 3, 1, 2, 3].map((points, i) => coll.insert(new Player('abcdef'[i], points)));
        const before = names().join('');
        all[1].points = 3; coll.update(all[1]);
        all[5].points = 2; coll.update(all[5]);
        found.push([before, names().join('')]);
      }
      return found;
    }));
    """
    up, down = ["bdeacf", "defabc"], ["acfebd", "abcefd"]
    equal(play(run, code), [[up, down, down, up]] * 2, "orders without and with an index")


@case(turn=5)
def equal_ones_by_several_properties(run: Runner) -> None:
    code = """
    emit([['team', 'hidden'], ['team', ['hidden', true]], [['team', true]], ['hidden']].map((criteria) => {
      const { coll, dv, names } = board(0, (dv) => dv.applyFind({ on: true }).applySortCriteria(criteria));
      const all = [2, 1, 1, 2, 1, 2].map((points, i) => coll.insert(new Player('abcdef'[i], points, 'xyyxxy'[i])));
      const before = names().join('');
      all[5].team = 'x'; all[5].points = 1; coll.update(all[5]);
      names();
      all[5].points = 2; coll.update(all[5]);
      all[0].team = 'y'; coll.update(all[0]);
      names();
      all[0].team = 'x'; coll.update(all[0]);
      return [before, names().join('')];
    }));
    """
    wanted = [["eadbcf", "eadfbc"], ["adefbc", "adfebc"], ["bcfade", "bcadef"], ["bceadf", "bceadf"]]
    equal(play(run, code), wanted, "orders")


@case(turn=5)
def equal_ones_after_filters(run: Runner) -> None:
    code = """
    emit([{}, { persistent: true }].map((view) => {
      const { coll, dv, names } = board(0, (dv) => dv.applySort(byPoints), {}, view);
      coll.insert([1, 0, 1, 0, 1, 1].map((points, i) => new Player('abcdef'[i], points)));
      const found = [names().join('')];
      dv.applyWhere((doc) => doc.on, 'on');
      found.push(names().join(''));
      dv.applyFind({ hidden: 1 }, 'one');
      found.push(names().join(''));
      coll.update(Object.assign(coll.findOne({ name: 'd' }), { hidden: 1 }));
      found.push(names().join(''));
      dv.removeFilter('one');
      found.push(names().join(''));
      return found;
    }));
    """
    equal(play(run, code), [["bdacef", "bdacef", "acef", "acdef", "bacdef"]] * 2, "orders")


# --- what was there before -------------------------------------------------------------------------------------------


@case(turn=0, kind="p2p")
def a_sort_applied_again_sorts_everything(run: Runner) -> None:
    code = """
    let way = 1;
    const turning = (a, b) => way * (a.hidden - b.hidden);
    const { coll, dv, players, names } = board(50, (dv) => dv.applyFind({ on: true }).applySort(turning));
    const up = names();
    way = -1;
    dv.applySort(turning);
    const down = names();
    players.forEach((player) => { player.hidden = (player.hidden * 7 + 3) % 50; });
    dv.applySort(turning);
    const again = names();
    emit([up, down, again, [...players].sort((a, b) => b.hidden - a.hidden).map((player) => player.name)]);
    """
    up, down, again, wanted = play(run, code)
    equal(down, up[::-1], "the other way round")
    equal(again, wanted, "after changes in place")


@case(turn=0, kind="p2p")
def sorts_take_turns(run: Runner) -> None:
    code = """
    const { coll, dv, players, names } = board(12, (dv) => dv.applyFind({ on: true }).applySort(byPoints));
    const first = names();
    dv.applySimpleSort('name', true);
    const second = names();
    players[3].points = -1;
    coll.update(players[3]);
    dv.applySort(byPoints);
    const third = names();
    dv.removeFilters();
    const bare = names();
    dv.applyWhere((doc) => doc.hidden > 8);
    dv.applySortCriteria([['points', true]]);
    emit([first, second, third, bare.sort(), names(), dv.getSort()]);
    """
    first, second, third, bare, last, sort = play(run, code)
    equal(second, sorted(first, reverse=True), "by name")
    equal(third, ["p3", *[name for name in first if name != "p3"]], "by points again")
    equal([bare, last, sort], [sorted(first), first[:9:-1], [["points", True]]], "without filters, with another one")


@case(turn=0, kind="p2p")
def result_sets_keep_their_order_among_equals(run: Runner) -> None:
    code = """
    const { coll, players } = board(0, (dv) => dv);
    coll.insert([2, 1, 2, 1, 3].map((points, i) => new Player('abcde'[i], points, 'yzxyx'[i])));
    const tell = (set) => set.data().map((doc) => doc.name).join('');
    emit([
      tell(coll.chain().simplesort('team').simplesort('points')),
      tell(coll.chain().simplesort('name', true).sort(byPoints)),
      tell(coll.chain().simplesort('name', true).simplesort('points', { desc: true })),
      tell(coll.chain().find({ points: { $lt: 3 } }).simplesort('name', true).compoundsort(['points'])),
      tell(coll.chain().simplesort('name', true).compoundsort(['points', 'on'])),
      tell(coll.chain().compoundsort(['team', ['points', true]])),
    ]);
    """
    equal(play(run, code), ["dbcae", "dbcae", "ecadb", "dbca", "dbcae", "ecadb"], "orders")


@case(turn=0, kind="p2p")
def views_tell_that_they_changed(run: Runner) -> None:
    code = """
    const seen = [], wait = () => new Promise((done) => setTimeout(done, 30));
    for (const sortPriority of ['passive', 'active']) {
      const { coll, dv, players, names } =
        board(6, (dv) => dv.applyFind({ on: true }).applySort(byPoints), {}, { sortPriority, persistent: true });
      await wait();
      dv.on('rebuild', (view) => seen.push([sortPriority, view === dv]));
      dv.on('sort', () => seen.push('sort'));
      dv.on('filter', () => seen.push('filter'));
      players[1].points = 9; coll.update(players[1]);
      players[2].points = 8; coll.update(players[2]);
      await wait();
      names();
      coll.remove(players[3]);
      await wait();
      names();
      dv.applySort((a, b) => b.hidden - a.hidden);
      dv.applyFind({ hidden: { $gt: 0 } });
      await wait();
      seen.push(names(), dv.branchResultset().offset(1).limit(2).data().map((doc) => doc.name));
    }
    emit(seen);
    """
    seen = play(run, code)
    rows = [["p1", "p2", "p4", "p5"], ["p2", "p4"]]
    wanted: list[object] = []
    for priority in ("passive", "active"):
        wanted += [[priority, True], [priority, True], "sort", "filter", [priority, True], *rows]
    equal(seen, wanted, "events, rows")


@case(turn=0, kind="p2p")
def failed_changes_leave_the_order(run: Runner) -> None:
    code = """
    const { coll, dv, names } =
      board(9, (dv) => dv.applyFind({ on: true }).applySort(byPoints), { transactional: true });
    coll.lokiConsoleWrapper = { log() {}, warn() {}, error() {} };
    let failing = false;
    coll.addDynamicView('strict').applyWhere(() => { if (failing) throw new Error('no'); return true; });
    const before = names(), thrown = [];
    const attempt = (act) => {
      failing = true;
      try { act(); } catch (error) { thrown.push(error.message); }
      failing = false;
    };
    const copy = (id, hidden) => Object.assign({}, coll.get(id), { hidden });
    attempt(() => coll.insert({ name: 'new', hidden: 3.5, on: true }));
    attempt(() => coll.update(copy(2, 3.5)));
    const after = names();
    coll.update(copy(5, 100));
    emit([before, after, thrown, names()]);
    """
    before, after, thrown, last = play(run, code)
    equal([after, thrown], [before, ["no", "no"]], "after failures")
    equal(last, [*[name for name in before if name != "p4"], "p4"], "an update afterwards")


@case(turn=0, kind="p2p")
def views_are_saved_and_loaded(run: Runner) -> None:
    code = """
    const db = new Loki('memory'), coll = db.addCollection('c', { indices: ['n'] });
    const views = [
      coll.addDynamicView('simple').applyFind({ n: { $gt: 1 } }).applySimpleSort('n', true),
      coll.addDynamicView('both', { persistent: true }).applySortCriteria(['k', ['n', true]]),
    ];
    coll.insert([4, 1, 3, 5, 2].map((n) => ({ n, k: n % 2 })));
    views.forEach((view) => view.data());
    coll.update(Object.assign(coll.findOne({ n: 3 }), { n: 6, k: 0 }));
    const other = new Loki('memory');
    other.loadJSON(db.serialize());
    const loaded = other.getCollection('c');
    const found = () => ['simple', 'both'].map((name) => loaded.getDynamicView(name).data().map((doc) => doc.n));
    const first = found();
    loaded.insert({ n: 5.5, k: 1 });
    loaded.update(Object.assign(loaded.findOne({ n: 6 }), { n: 2.5 }));
    loaded.remove(loaded.findOne({ n: 4 }));
    emit([first, found(), views.map((view) => view.data().map((doc) => doc.n))]);
    """
    first, then, original = play(run, code)
    equal(first, [[6, 5, 4, 2], [6, 4, 2, 5, 1]], "loaded")
    equal(then, [[5.5, 5, 2.5, 2], [2.5, 2, 5.5, 5, 1]], "changed afterwards")
    equal(original, first, "the first database")
