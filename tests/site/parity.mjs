// Hold the engine to what Python wrote (`fixtures.py`). `read(name)` gives a file as an ArrayBuffer, or null where
// there is none; the answer says what was compared and how much of it differs. It runs in Node and in a browser alike.

const [BASIS, PRIME, NONE] = [2166136261, 16777619, -1];

function rowsOf(buffer, columns) {
  const all = new Int32Array(buffer);
  return Array.from({ length: all.length / columns }, (_, k) => all.slice(k * columns, (k + 1) * columns));
}

const json = (buffer) => JSON.parse(new TextDecoder().decode(buffer));
const same = (a, b) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value && typeof value === "object")
    return Object.fromEntries(
      Object.keys(value)
        .sort()
        .map((key) => [key, sorted(value[key])]),
    );
  return value;
}

/** Positions: results, legal moves, what they lead to, encodings. */
function positions(rules, states, wanted) {
  const words = new Float32Array(rules.inputs);
  const bits = new Int32Array(words.buffer);
  const moves = new Int16Array(rules.maxMoves);
  const after = new Int32Array(rules.stateSize);
  let different = 0;
  states.forEach((state, number) => {
    let digest = BASIS;
    const add = (word) => (digest = Math.imul(digest ^ word, PRIME));
    const status = rules.status(state);
    const count = status === 2 ? rules.listMoves(state, moves) : 0;
    add(status);
    add(count);
    for (let k = 0; k < rules.maxMoves; k += 1) {
      if (k >= count) {
        for (let word = 0; word < rules.stateSize + 2; word += 1) add(NONE);
        continue;
      }
      rules.play(state, moves[k], after);
      add(moves[k]);
      add(rules.status(after));
      for (const word of after) add(word);
    }
    rules.encode(state, words);
    for (const word of bits) add(word);
    if (digest >>> 0 !== wanted[number]) different += 1;
  });
  return { count: states.length, different };
}

/** Whole games: texts, what can be clicked, scenes, results; and mazes by their seeds. */
function games(game, { Position }, { games: played, starts }) {
  const faults = [];
  const expect = (what, found, wanted) =>
    same(found, wanted) || faults.push(`${what}: ${JSON.stringify(found)} is not ${JSON.stringify(wanted)}`);
  let plies = 0;
  for (const one of played) {
    const start = Position.parse(game, one.start);
    let position = start;
    expect("first scene", position.firstScene(), one.scenes[0]);
    one.moves.forEach((text, ply) => {
      expect("position", String(position), one.positions[ply]);
      expect("legal", position.legal, one.legal[ply]);
      expect("read again", String(Position.parse(game, String(position))), one.positions[ply]);
      const action = position.action(text);
      const next = position.play(action);
      expect("scene", position.sceneOf(action, next, start), one.scenes[ply + 1]);
      position = next;
      plies += 1;
    });
    expect("end", [position.over, position.reason.ending, position.winner], [true, one.ending, one.winner]);
  }
  for (const [seed, text] of starts) expect("start", String(Position.start(game, seed)), text);
  return { count: plies, starts: starts.length, different: faults.length, faults: faults.slice(0, 5) };
}

/** The evaluator of `fixtures.RowEvaluator`. */
function rowEvaluator(rules) {
  return (state) => {
    let digest = BASIS;
    for (const word of state) digest = Math.imul(digest ^ word, PRIME);
    const policy = Float32Array.from(
      { length: rules.actions },
      (_, action) => (((Math.imul(digest ^ (action + 1), PRIME) >>> 12) & 255) + 1) / 256,
    );
    const [win, draw] = [((digest >>> 8) & 511) / 1024, ((digest >>> 17) & 511) / 1024];
    return { policy, wdl: Float32Array.of(win, draw, 1 - win - draw) };
  };
}

function searches(game, { Position, Search, playerParams }, wanted) {
  const faults = [];
  for (const one of wanted) {
    let position = Position.parse(game, one.start);
    for (const text of one.moves) position = position.play(position.action(text));
    const params = playerParams(game.rules, one.simulations, { gumbel: one.method === "gumbel" });
    const search = new Search(game.rules, params, rowEvaluator(game.rules), one.simulations + 2);
    search.setRoot(position.state, position.keys);
    search.run(one.simulations);
    const { tree } = search;
    const edges = one.actions.length;
    const found = {
      actions: Array.from(tree.action.subarray(0, edges)),
      visits: Array.from(tree.edgeVisits.subarray(0, edges)),
      result: tree.result[0],
      choice: search.choice,
    };
    const expected = { actions: one.actions, visits: one.visits, result: one.result, choice: one.choice };
    if (!same(found, expected))
      faults.push(
        `${one.method} ${one.simulations} at ${position}: ${JSON.stringify(found)} is not ${JSON.stringify(expected)}`,
      );
  }
  return { count: wanted.length, different: faults.length, faults: faults.slice(0, 5) };
}

/** A player that keeps its tree while games go on. */
function followed(game, { Position, PlayerSearch, playerParams }, { simulations, said }) {
  const faults = [];
  const search = new PlayerSearch(
    game.rules,
    playerParams(game.rules, simulations, { gumbel: false }),
    rowEvaluator(game.rules),
    simulations,
  );
  let kept = 0;
  for (const { start, moves, ...wanted } of said) {
    let position = Position.parse(game, start);
    for (const text of moves) position = position.play(position.action(text));
    search.follow(position);
    if (search.tree.visits[0] > 1) kept += 1;
    while (search.runPart(16, simulations));
    const { moves: lines, best, simulations: made } = search.analysis();
    const found = {
      visits: Object.fromEntries(lines.map(({ action, visits }) => [action, visits])),
      best,
      simulations: made,
    };
    if (!same(found, wanted)) faults.push(`${position}: ${JSON.stringify(found)} is not ${JSON.stringify(wanted)}`);
  }
  return { count: said.length, kept, different: faults.length, faults: faults.slice(0, 5) };
}

/** Who knows the truth: of every move its value, the plies to the end, and the margin where there is one. */
async function exact(game, { Position, think }, wanted) {
  const faults = [];
  for (const { position, moves } of wanted) {
    const analysis = await think(Position.parse(game, position), { exact: true });
    const found = Object.fromEntries(
      analysis.moves.map(({ action, value, distance = null, margin = null }) => [action, [value, distance, margin]]),
    );
    if (!same(found, moves)) faults.push(`${position}: ${JSON.stringify(found)} is not ${JSON.stringify(moves)}`);
  }
  return { count: wanted.length, different: faults.length, faults: faults.slice(0, 5) };
}

/** The exam: how far logits are off at the most, and how many bare choices differ. */
function exam(rules, { Evaluator }, states, file, policyWanted, valueWanted, count, plain = false) {
  const evaluator = new Evaluator(rules, file, { keep: false, plain });
  const moves = new Int16Array(rules.maxMoves);
  let [worst, different] = [0, 0];
  const choices = [];
  for (let b = 0; b < count; b += 1) {
    const { policy, value } = evaluator.logits(states[b]);
    const first = b * rules.actions;
    for (let action = 0; action < rules.actions; action += 1)
      worst = Math.max(worst, Math.abs(policy[action] - policyWanted[first + action]));
    for (let k = 0; k < 3; k += 1) worst = Math.max(worst, Math.abs(value[k] - valueWanted[3 * b + k]));
    const legal = Array.from(moves.subarray(0, rules.listMoves(states[b], moves)));
    const best = (logit) => legal.reduce((one, other) => (logit(other) > logit(one) ? other : one));
    const chosen = best((action) => policy[action]);
    choices.push(chosen);
    if (chosen !== best((action) => policyWanted[first + action])) different += 1;
  }
  return { count, different, worst, vectors: evaluator.network.products.vectors, choices };
}

/** `modules` are the engine's: games/index.js, position.js, player.js, search/search.js, network/evaluator.js. */
export async function compare(name, modules, read) {
  const game = await modules.load(name);
  const { rules } = game;
  const found = {};
  const states = await read("states.i32");
  if (states)
    found.positions = positions(rules, rowsOf(states, rules.stateSize), new Uint32Array(await read("digests.u32")));
  const played = await read("games.json");
  if (played) found.games = games(game, modules, json(played));
  const searched = await read("searches.json");
  if (searched) found.searches = searches(game, modules, json(searched));
  const going = await read("followed.json");
  if (going) found.followed = followed(game, modules, json(going));
  const solved = await read("exact.json");
  if (solved) found.exact = await exact(game, modules, json(solved));
  const asked = await read("exam.json");
  if (asked) {
    const rows = rowsOf(await read("exam.i32"), rules.stateSize);
    const [policy, value] = [new Float32Array(await read("policy.f32")), new Float32Array(await read("value.f32"))];
    found.exam = {};
    for (const [precision, count] of Object.entries(json(asked))) {
      found.exam[precision] = exam(
        rules,
        modules,
        rows,
        await read(`network.${precision}`),
        policy,
        value,
        Math.min(count, rows.length),
      );
    }
    found.exam.plain = exam(rules, modules, rows, await read("network.f32"), policy, value, 20, true);
  }
  return found;
}
