// Dragging a piece with a mouse, a pen or a finger. The style sheet keeps the page from scrolling under a finger on a
// piece.

const FAR = 6; // pixels after which a press is a drag

/** Follow a press on a piece: `begin` when it becomes a drag, `move` with a point of the picture, `end` with the spot
 * under the pointer, if any. */
export function drag(press, element, reach, { begin, move, end }) {
  if (press.button !== 0 || !press.isPrimary) return;
  const pointer = press.pointerId;
  let dragging = false;
  const point = (event) => {
    const box = element.getBoundingClientRect(); // it may scroll and change its size meanwhile
    return [
      ((event.clientX - box.left) / box.width - 0.5) * 2 * reach,
      ((event.clientY - box.top) / box.height - 0.5) * 2 * reach,
    ];
  };

  function moved(event) {
    if (event.pointerId !== pointer) return;
    if (!dragging && Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY) < FAR) return;
    if (!dragging) begin();
    dragging = true;
    move(point(event));
  }

  function released(event) {
    if (event.pointerId !== pointer) return;
    window.removeEventListener("pointermove", moved);
    window.removeEventListener("pointerup", released);
    window.removeEventListener("pointercancel", released);
    if (!dragging) return;
    const under =
      event.type === "pointerup" && document.elementFromPoint(event.clientX, event.clientY)?.closest(".spot");
    end(under && element.contains(under) ? Number(under.getAttribute("data-spot")) : null);
  }

  window.addEventListener("pointermove", moved);
  window.addEventListener("pointerup", released);
  window.addEventListener("pointercancel", released);
}
