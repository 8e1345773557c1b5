// What is seen of a plane on a canvas, and what a person does there by mouse, by touch or on a trackpad.

const FAR = 3; // pixels that a pointer moves before it drags

/** Where a plane lies under a canvas: its point x, y is seen at `left + x · scale · stretch`, `top + y ·
 * scale`. */
function cameraOf(canvas) {
  const camera = {
    scale: 1,
    left: 0,
    top: 0,
    stretch: 1,
    least: 0.02,
    most: 6,
    toScreen: ({ x, y }) => ({
      x: camera.left + x * camera.scale * camera.stretch,
      y: camera.top + y * camera.scale
    }),
    toPlane: ({ x, y }) => ({
      x: (x - camera.left) / camera.scale / camera.stretch,
      y: (y - camera.top) / camera.scale
    }),
    pan(across, down) {
      camera.left += across;
      camera.top += down;
    },
    /** Nearer or farther; what is seen at a spot stays there. */
    zoom(factor, { x, y } = { x: canvas.clientWidth / 2, y: canvas.clientHeight / 2 }) {
      const scale = Math.min(camera.most, Math.max(camera.least, camera.scale * factor)),
        by = scale / camera.scale;
      Object.assign(camera, { scale, left: x - (x - camera.left) * by, top: y - (y - camera.top) * by });
    },
    /** A point of the plane in the middle, at a scale. */
    centre({ x, y }, scale) {
      Object.assign(camera, {
        scale,
        left: canvas.clientWidth / 2 - x * scale * camera.stretch,
        top: canvas.clientHeight / 2 - y * scale
      });
    }
  };
  return camera;
}

/** A pen on an empty canvas, in pixels of the page. */
function penOn(canvas) {
  const ratio = window.devicePixelRatio || 1,
    { clientWidth, clientHeight } = canvas,
    pen = canvas.getContext("2d");
  const [width, height] = [clientWidth, clientHeight].map((side) => Math.round(side * ratio));
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.globalAlpha = 1;
  pen.clearRect(0, 0, clientWidth, clientHeight);
  return pen;
}

/** Hears what is done on a canvas: `on.hover(spot)`, null where the pointer left; `tap(spot, event, again)`,
 * again being the second of two; `drag({ start, spot, across, down, first }, event)` step by step;
 * `drop(event)` at its end, with null where it was broken off; `zoom(factor, spot)` and `pan(across, down)`
 * of two fingers, or of Ctrl and the wheel: alone it scrolls the page. */
function listenToHands(canvas, on) {
  const fingers = new Map(),
    apart = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
  let start = null,
    far = false,
    tapped = null;
  const spotOf = ({ clientX, clientY }) => {
    const { left, top } = canvas.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const middle = () => {
    const [a, b] = fingers.values();
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: apart(a, b) };
  };

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    if (event.isTrusted) canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, spotOf(event));
    if (fingers.size > 1 && far) on.drop(null);
    [start, far] = [fingers.size > 1 ? null : spotOf(event), false];
  });
  canvas.addEventListener("pointermove", (event) => {
    const spot = spotOf(event),
      before = fingers.get(event.pointerId);
    if (!before) return event.buttons || on.hover(spot);
    const old = fingers.size === 2 && middle();
    fingers.set(event.pointerId, spot);
    if (old) {
      const now = middle();
      on.pan(now.x - old.x, now.y - old.y);
      return on.zoom(now.apart / old.apart, now);
    }
    if (!start || (!far && apart(spot, start) <= FAR)) return;
    const from = far ? before : start;
    on.drag({ start, spot, across: spot.x - from.x, down: spot.y - from.y, first: !far }, event);
    far = true;
  });
  for (const type of ["pointerup", "pointercancel"])
    canvas.addEventListener(type, (event) => {
      if (!fingers.delete(event.pointerId) || !start) return;
      const spot = start,
        again = tapped !== null && event.timeStamp - tapped.at < 400 && apart(spot, tapped) < 10;
      start = null;
      if (far) on.drop(type === "pointerup" ? event : null);
      else if (type === "pointerup") on.tap(spotOf(event), event, again);
      tapped = far || again ? null : { ...spot, at: event.timeStamp };
    });
  canvas.addEventListener("pointerleave", () => on.hover(null));
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      on.zoom(Math.exp(-event.deltaY / 400), spotOf(event));
    },
    { passive: false }
  );
}

/** Buttons that zoom in, out and show all, as the keys do. */
const zoomButtons = (model, zoomBy, fit) =>
  [
    ["+", "Zoom in", () => zoomBy(1.3)],
    ["−", "Zoom out", () => zoomBy(1 / 1.3)],
    ["⤢", "Show all", () => fit()]
  ].map(([text, does, click], place) =>
    make("button", { text, title: hinted(model, does, "zoom", place), "aria-label": does, on: { click } })
  );

/** Put a tip beside a spot, inside a frame of some width and height. */
function placeTip(tip, { x, y }, width, height) {
  tip.style.left = `${Math.max(4, Math.min(x + 14, width - tip.offsetWidth - 6))}px`;
  tip.style.top = `${Math.max(4, y + 18 + tip.offsetHeight > height ? y - tip.offsetHeight - 10 : y + 18)}px`;
}
