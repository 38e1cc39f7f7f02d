// Who knows the truth, by game; each is made when it is asked for.

const SOLVERS = {
  connect_four: async () => new (await import("./connect_four.js")).ConnectFourSolver(),
  dame: async () => new (await import("./dame.js")).DameSolver(),
  labyrinth: async () => new (await import("./labyrinth.js")).LabyrinthSolver(),
};
const made = new Map();

export function solverOf(name) {
  if (!made.has(name)) made.set(name, SOLVERS[name]());
  return made.get(name);
}

/** Exact values of all moves of a position, the best first: who wins does so soon, who loses does so late. */
export async function solved(position) {
  const solver = await solverOf(position.game.rules.name);
  const worth = ({ value, distance, margin = 0 }) => [value, margin, value > 0 ? -distance : distance];
  return solver.solve(position).sort((a, b) => {
    const [one, other] = [worth(a), worth(b)];
    const at = one.findIndex((number, k) => number !== other[k]);
    return at < 0 ? 0 : other[at] - one[at];
  });
}
