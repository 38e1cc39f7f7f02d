// A worker that hears {base, name, network, simulations, rounds} and answers with how many milliseconds each search
// took.

self.onmessage = async ({ data: { base, name, network, simulations, rounds } }) => {
  const paths = ["games/index.js", "position.js", "network/evaluator.js", "network/file.js", "search/search.js"];
  const modules = await Promise.all(paths.map((path) => import(`${base}js/engine/${path}`)));
  const { load, Position, Evaluator, fetchNetwork, Search, playerParams } = Object.assign({}, ...modules);
  const game = await load(name);
  const buffer = await fetchNetwork(base + network);
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const evaluator = new Evaluator(game.rules, buffer);
    let position = Position.start(game, 1);
    for (let ply = 0; ply < 3; ply += 1)
      position = position.play(position.actions[(ply + round) % position.actions.length]);
    const search = new Search(
      game.rules,
      playerParams(game.rules, simulations),
      (state) => evaluator.evaluate(state),
      simulations + 2,
    );
    const before = performance.now();
    search.setRoot(position.state, position.keys);
    search.run(simulations);
    times.push(performance.now() - before);
  }
  self.postMessage(times);
};
