// Sequential halving as a table: how often a root move must have been visited to be visited next.

/** How many root moves a player begins with: as many as each gets simulations, in powers of two, 2 to 16. */
export function suitedCandidates(simulations) {
  return Math.min(16, Math.max(2, 1 << ((31 - Math.clz32(simulations)) >> 1)));
}

/** For each simulation, the visit count of the candidates among which it chooses; two are never halved further. */
export function visitSequence(candidates, simulations) {
  if (candidates <= 1) return Int32Array.from({ length: simulations }, (_, k) => k);
  const phases = Math.ceil(Math.log2(candidates));
  const visits = new Array(candidates).fill(0);
  const sequence = [];
  let left = candidates;
  while (sequence.length < simulations) {
    for (let turn = Math.max(1, Math.floor(simulations / (phases * left))); turn > 0; turn -= 1) {
      sequence.push(...visits.slice(0, left));
      for (let i = 0; i < left; i += 1) visits[i] += 1;
    }
    left = Math.max(2, left >> 1);
  }
  return Int32Array.from(sequence.slice(0, simulations));
}
