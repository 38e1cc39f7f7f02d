// A position and a move in words, for those who listen.

import { t } from "../texts.js";

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** "a, b and c". */
export function listed(words) {
  return words.length > 1
    ? t("word.and", { list: words.slice(0, -1).join(", "), last: words[words.length - 1] })
    : words.join("");
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
  const single = [...scene.pieces]
    .map((_, square) => square)
    .filter((square) => ownerOf(scene, square) === seat && !covered.has(square));
  return [...blocks, ...single.map((square) => [square])];
}

/** What a move did: "si to cs, takes c". */
export function moveWords(drawing, scene) {
  const { path = [], captured = [], lost = [] } = scene;
  const names = path.map((square) => drawing.names[square]);
  const taken = captured.length
    ? t("board.takes", { names: listed(captured.map((square) => drawing.names[square])) })
    : "";
  const gone = lost.length ? t("board.loses", { names: listed(lost.map((square) => drawing.names[square])) }) : "";
  return names.join(t("board.to")) + taken + gone;
}

/** Where everything stands, or what of it is in sight: `seen` is the set of squares that are, or null for all. */
export function positionWords(drawing, scene, seen = null) {
  if (drawing.columns.length) {
    const lines = drawing.columns
      .map((_, column) => columnWords(drawing, scene, column))
      .filter((_, column) => ownerOf(scene, drawing.columns[column][0]) !== null);
    return lines.length ? `${lines.join(". ")}.` : t("board.empty");
  }
  const sides = [0, 1].map((seat) => {
    const pieces = standing(scene, seat).filter((squares) => !seen || squares.some((square) => seen.has(square)));
    if (seen && !pieces.length) return t("board.unseen", { side: capital(drawing.side_names[seat]) });
    const names = pieces.map((squares) => listed(squares.map((square) => drawing.names[square])));
    return t("board.has", {
      side: capital(drawing.side_names[seat]),
      n: names.length,
      piece: drawing.piece,
      pieces: drawing.pieces,
      names: names.join(", "),
    });
  });
  return sides.join(" ");
}

function columnWords(drawing, scene, column) {
  const owners = drawing.columns[column].map((square) => ownerOf(scene, square)).filter((owner) => owner !== null);
  const sides = owners.map((owner) => drawing.side_names[owner]);
  return t("board.fromBelow", {
    place: capital(drawing.place),
    name: drawing.column_names[column],
    sides: sides.join(", "),
  });
}

const GROUND = {
  "#": () => t("board.wall"),
  T: () => t("board.trap"),
  P: () => t("board.bonus"),
  0: (drawing) => t("board.home", { side: drawing.side_names[0] }),
  1: (drawing) => t("board.home", { side: drawing.side_names[1] }),
};

/** What is there to be clicked: "si, green bead". */
export function spotWords(drawing, scene, spot) {
  if (drawing.columns.length) {
    const cells = drawing.columns[spot];
    const owners = cells.map((square) => ownerOf(scene, square)).filter((owner) => owner !== null);
    const { place, piece, pieces } = drawing;
    const name = drawing.column_names[spot];
    if (!owners.length) return t("board.columnEmpty", { place, name });
    return t(owners.length === cells.length ? "board.columnFull" : "board.column", {
      place,
      name,
      n: owners.length,
      piece,
      pieces,
      side: drawing.side_names[owners[owners.length - 1]],
    });
  }
  const owner = ownerOf(scene, spot);
  const lies = GROUND[scene.ground?.[spot]];
  const empty = lies ? lies(drawing) : t("board.emptySquare");
  return t("board.square", {
    name: drawing.names[spot],
    what: owner === null ? empty : t("board.piece", { side: drawing.side_names[owner], piece: drawing.piece }),
  });
}
