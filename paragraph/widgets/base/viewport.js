// What is seen of a plane on a canvas, and what a person does there by mouse, by touch or on a trackpad.

/** Pixels that a pointer moves before it drags: a finger is less steady. */
const farOf = ({ pointerType }) => (pointerType === "touch" ? 10 : 3);

/** Where a plane lies under a canvas: its point x, y is seen at `left + x · scale · stretch`,
 * `top + y · scale`. `moved()` hears of each `pan` and `zoom`. */
function cameraOf(canvas, moved) {
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
      moved();
    },
    /** Nearer or farther; what is seen at a spot stays there. */
    zoom(factor, { x, y } = { x: canvas.clientWidth / 2, y: canvas.clientHeight / 2 }) {
      const scale = Math.min(camera.most, Math.max(camera.least, camera.scale * factor));
      const by = scale / camera.scale;
      camera.scale = scale;
      camera.left = x - (x - camera.left) * by;
      camera.top = y - (y - camera.top) * by;
      moved();
    },
    /** A point of the plane in the middle, at a scale. */
    centre({ x, y }, scale) {
      camera.scale = scale;
      camera.left = canvas.clientWidth / 2 - x * scale * camera.stretch;
      camera.top = canvas.clientHeight / 2 - y * scale;
    }
  };
  return camera;
}

/** How large a canvas is shown: 2 where a style scales it twice, for a room. (A canvas knows its own width in
 * whole pixels alone.) */
const shownSize = (canvas) => Math.round(canvas.getBoundingClientRect().width / canvas.clientWidth) || 1;

/** A pen on an empty canvas (to set its size empties it), in pixels of the page. */
function penOn(canvas) {
  const ratio = (window.devicePixelRatio || 1) * shownSize(canvas);
  canvas.width = Math.round(canvas.clientWidth * ratio);
  canvas.height = Math.round(canvas.clientHeight * ratio);
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  return pen;
}

/** A path along some points. */
function pathAlong(points) {
  const path = new Path2D();
  for (const { x, y } of points) path.lineTo(x, y);
  return path;
}

function circleAt({ x, y }, radius) {
  const path = new Path2D();
  path.arc(x, y, radius, 0, 2 * Math.PI);
  return path;
}

function stroke(pen, path, color, width, dash = []) {
  pen.strokeStyle = color;
  pen.lineWidth = width;
  pen.setLineDash(dash);
  pen.stroke(path);
  pen.setLineDash([]);
}

/** Can a finger scroll the page, or a box of it, in which a canvas stands? */
function standsInScroll(canvas) {
  const root = document.documentElement;
  const isScrolling = (box) => box === root || /auto|scroll/.test(getComputedStyle(box).overflowY);
  let box = canvas;
  while (box && !(box.scrollHeight > box.clientHeight + 8 && isScrolling(box)))
    box = box.parentElement ?? box.getRootNode().host;
  return Boolean(box);
}

/** Hears what is done on a canvas: `on.hover(spot)`, null where the pointer left; `tap(spot, event, again)`,
 * again being the second of two; `drag({ start, spot, across, down, first }, event)` step by step;
 * `drop(event)` at its end, with null where it was broken off. Two fingers, or Ctrl and the wheel, move the
 * camera: the wheel alone scrolls the page, and so does a finger that goes up or down where
 * something can scroll, and `on.holds(spot)` finds nothing to drag. */
function listenToHands(canvas, camera, on) {
  const fingers = new Map();
  let start = null;
  let isFar = false;
  let tapped = null;
  const apart = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
  const spotOf = ({ clientX, clientY }) => {
    const { left, top } = canvas.getBoundingClientRect();
    const by = shownSize(canvas);
    return { x: (clientX - left) / by, y: (clientY - top) / by };
  };
  const middle = () => {
    const [a, b] = fingers.values();
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: apart(a, b) };
  };

  function lift(event) {
    if (!fingers.delete(event.pointerId) || !start) return;
    const spot = start;
    const isUp = event.type === "pointerup"; // else it was broken off
    const again = tapped !== null && event.timeStamp - tapped.at < 400 && apart(spot, tapped) < 10;
    start = null;
    if (isFar) on.drop(isUp ? event : null);
    else if (isUp) on.tap(spotOf(event), event, again);
    tapped = isFar || again ? null : { ...spot, at: event.timeStamp };
  }

  const calls = {
    touchstart(event) {
      const isHeld = event.touches.length > 1 || on.holds?.(spotOf(event.touches[0]));
      if (isHeld || !standsInScroll(canvas)) event.preventDefault();
    },
    pointerdown(event) {
      if (event.button) return;
      if (event.isTrusted) canvas.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, spotOf(event));
      if (fingers.size > 1 && isFar) on.drop(null);
      start = fingers.size > 1 ? null : spotOf(event);
      isFar = false;
    },
    pointermove(event) {
      const spot = spotOf(event);
      const before = fingers.get(event.pointerId);
      if (!before) return event.buttons || on.hover(spot);
      const old = fingers.size === 2 && middle();
      fingers.set(event.pointerId, spot);
      if (old) {
        const now = middle();
        camera.pan(now.x - old.x, now.y - old.y);
        return camera.zoom(now.apart / old.apart, now);
      }
      if (!start || (!isFar && apart(spot, start) <= farOf(event))) return;
      const from = isFar ? before : start;
      on.drag({ start, spot, across: spot.x - from.x, down: spot.y - from.y, first: !isFar }, event);
      isFar = true;
    },
    pointerup: lift,
    pointercancel: lift,
    pointerleave: () => on.hover(null),
    wheel(event) {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      camera.zoom(Math.exp(-event.deltaY / 400), spotOf(event));
    }
  };
  for (const [type, call] of Object.entries(calls)) canvas.addEventListener(type, call, { passive: false });
}

/** Zoom in, zoom out, or show all of a view, in the order of the keys. */
function zoomStep({ camera, fit }, place) {
  if (place === 2) fit();
  else camera.zoom(place ? 1 / 1.3 : 1.3);
}

/** Buttons that zoom in, out and show all, as the keys do. */
function zoomButtons(model, zoom) {
  const button = (text, place) => {
    const hint = hinted(model, "zoom", place);
    return html`<button title=${hint} aria-label=${hint} @click=${() => zoom(place)}>${text}</button>`;
  };
  return ["+", "−", "⤢"].map(button);
}

/** Put a tip beside a spot, inside a frame of some width and height. */
function placeTip(tip, { x, y }, width, height) {
  const left = Math.min(x + 14, width - tip.offsetWidth - 6);
  const isLow = y + 18 + tip.offsetHeight > height;
  const top = isLow ? y - tip.offsetHeight - 10 : y + 18;
  tip.style.left = `${Math.max(4, left)}px`;
  tip.style.top = `${Math.max(4, top)}px`;
}
