// What a move will look like before the server has told it: the piece is where it goes. What else happens is not known
// here.

const replace = (pieces, square, sign) => pieces.slice(0, square) + sign + pieces.slice(square + 1);
const LONG_STEP = 1.8; // beyond it a piece jumps, where pieces jump

/** The scene after the clicks of a move by a seat; it has `predicted` until the true one comes. */
export function predict(drawing, scene, spots, seat) {
  const { captured, lost, lit, outcome, text, toll, ...rest } = scene;
  const made = (pieces, path, how, more = {}) => ({
    ...rest,
    ...more,
    pieces,
    path,
    how,
    seat,
    text: "",
    predicted: true,
  });
  if (drawing.columns.length) {
    const square = drawing.columns[spots[0]].find((one) => scene.pieces[one] === ".");
    return square === undefined ? null : made(replace(scene.pieces, square, seat), [square], drawing.how);
  }
  if (drawing.surface === "maze") {
    // a side has one piece there, and a click says where it goes
    const from = scene.pieces.indexOf(String(seat));
    const to = spots[spots.length - 1];
    if (from < 0 || scene.pieces[to] !== ".") return null;
    return made(replace(replace(scene.pieces, from, "."), to, seat), [from, to], drawing.how);
  }
  const own = scene.pieces[spots[0]] === String(seat);
  if (own && spots.length > 1) {
    if ((scene.blocks ?? []).flat().includes(spots[0])) return null; // how a large piece moves its game alone knows
    const moved = replace(replace(scene.pieces, spots[0], "."), spots[spots.length - 1], seat);
    return made(moved, spots, jumps(drawing, spots) ? "jump" : "slide");
  }
  if (own) return null;
  const put = spots.reduce((pieces, square) => replace(pieces, square, seat), scene.pieces);
  return made(
    put,
    spots.slice(0, 1),
    drawing.how,
    spots.length > 1 ? { blocks: [...(scene.blocks ?? []), spots] } : {},
  );
}

function jumps(drawing, spots) {
  if (drawing.how !== "jump") return false;
  const [[ax, ay], [bx, by]] = spots.slice(0, 2).map((square) => drawing.points[square]);
  return spots.length > 2 || Math.hypot(bx - ax, by - ay) > LONG_STEP;
}

/** Whether a true scene is what was predicted: the same piece has arrived at the same place. */
export function cameTrue(predicted, scene) {
  const end = (one) => one.path?.[one.path.length - 1];
  return (
    Boolean(predicted?.predicted) &&
    scene.seat === predicted.seat &&
    end(scene) === end(predicted) &&
    scene.path[0] === predicted.path[0]
  );
}
