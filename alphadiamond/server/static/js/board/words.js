// A position and a move in words, for those who listen.

const PLURAL = (drawing, count) => `${count} ${count === 1 ? drawing.piece : drawing.pieces}`;
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** "a, b and c". */
export function listed(words) {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}` : words.join("");
}

/** Whose piece stands on a square: 0, 1 or null. */
export function ownerOf(scene, square) {
  const sign = scene.pieces[square];
  return sign === "." ? null : Number(sign);
}

export function countOf(scene, seat) {
  return standing(scene, seat).length;
}

/** The squares under each piece of a seat. */
function standing(scene, seat) {
  const blocks = (scene.blocks ?? []).filter((squares) => ownerOf(scene, squares[0]) === seat);
  const covered = new Set(blocks.flat());
  const single = [...scene.pieces].map((_, square) => square).filter((square) => ownerOf(scene, square) === seat && !covered.has(square));
  return [...blocks, ...single.map((square) => [square])];
}

/** What a move did: "si to cs, takes c". */
export function moveWords(drawing, scene) {
  const { path = [], captured = [], lost = [] } = scene;
  const names = path.map((square) => drawing.names[square]);
  const taken = captured.length ? `, takes ${listed(captured.map((square) => drawing.names[square]))}` : "";
  const gone = lost.length ? `, loses ${listed(lost.map((square) => drawing.names[square]))}` : "";
  return names.join(" to ") + taken + gone;
}

/** Where everything stands. */
export function positionWords(drawing, scene) {
  if (drawing.columns.length) {
    const lines = drawing.columns.map((_, column) => columnWords(drawing, scene, column)).filter((_, column) => ownerOf(scene, drawing.columns[column][0]) !== null);
    return lines.length ? `${lines.join(". ")}.` : "The board is empty.";
  }
  const sides = [0, 1].map((seat) => {
    const names = standing(scene, seat).map((squares) => squares.map((square) => drawing.names[square]).join(" and "));
    return `${capital(drawing.side_names[seat])} has ${PLURAL(drawing, names.length)}${names.length ? `: ${names.join(", ")}` : ""}.`;
  });
  return sides.join(" ");
}

function columnWords(drawing, scene, column) {
  const owners = drawing.columns[column].map((square) => ownerOf(scene, square)).filter((owner) => owner !== null);
  const sides = owners.map((owner) => drawing.side_names[owner]);
  return `${capital(drawing.place)} ${drawing.column_names[column]} from below: ${sides.join(", ")}`;
}

const GROUND = {
  "#": () => "wall",
  T: () => "trap",
  P: () => "power-up",
  0: (drawing) => `home of ${drawing.side_names[0]}`,
  1: (drawing) => `home of ${drawing.side_names[1]}`,
};

/** What is there to be clicked: "si, green bead". */
export function spotWords(drawing, scene, spot) {
  if (drawing.columns.length) {
    const cells = drawing.columns[spot];
    const owners = cells.map((square) => ownerOf(scene, square)).filter((owner) => owner !== null);
    const name = `${drawing.place} ${drawing.column_names[spot]}`;
    if (!owners.length) return `${name}, empty`;
    const full = owners.length === cells.length ? ", full" : "";
    return `${name}, ${PLURAL(drawing, owners.length)}, top ${drawing.side_names[owners[owners.length - 1]]}${full}`;
  }
  const owner = ownerOf(scene, spot);
  const lies = GROUND[scene.ground?.[spot]];
  const empty = lies ? lies(drawing) : "empty";
  return `${drawing.names[spot]}, ${owner === null ? empty : `${drawing.side_names[owner]} ${drawing.piece}`}`;
}
