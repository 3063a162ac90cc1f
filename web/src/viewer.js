// Deep zoom on the evidence page. The page shows picture and frames without this, too.
import OpenSeadragon from "openseadragon";

function button(text, label, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.setAttribute("aria-label", label);
  made.title = label;
  made.addEventListener("click", act);
  return made;
}

function boxOf(rect, width) {
  const [x, y, w, h] = ["x", "y", "width", "height"].map((n) => Number(rect.getAttribute(n)) / width);
  return new OpenSeadragon.Rect(x, y, w, h);
}

function overlay(viewer, rect, width) {
  const drawn = document.createElement("div");
  drawn.className = `overlay ${rect.getAttribute("class")}`;
  viewer.addOverlay({ element: drawn, location: boxOf(rect, width) });
}

function open(scan) {
  const width = Number(scan.dataset.width);
  const still = scan.querySelector("svg");
  const canvas = document.createElement("div");
  canvas.className = "canvas";
  scan.append(canvas);
  const viewer = OpenSeadragon({
    element: canvas,
    tileSources: { type: "image", url: scan.dataset.picture, buildPyramid: false },
    drawer: "canvas",
    showNavigationControl: false,
    gestureSettingsMouse: { scrollToZoom: false },
    maxZoomPixelRatio: 3,
    visibilityRatio: 0.6,
  });
  const rects = [...still.querySelectorAll("rect")];
  viewer.addHandler("open", () => {
    rects.forEach((rect) => overlay(viewer, rect, width));
    still.setAttribute("aria-hidden", "true");
  });
  viewer.addHandler("open-failed", () => canvas.remove());
  const zoom = (factor) => () => viewer.viewport.zoomBy(factor).applyConstraints();
  const tools = document.createElement("div");
  tools.className = "tools";
  tools.append(
    button("+", scan.dataset.in, zoom(1.5)),
    button("−", scan.dataset.out, zoom(1 / 1.5)),
    button("⌂", scan.dataset.whole, () => viewer.viewport.goHome()),
  );
  const frame = rects.find((rect) => rect.getAttribute("class") === "frame");
  if (frame) {
    const around = boxOf(frame, width);
    const wide = new OpenSeadragon.Rect(0, Math.max(0, around.y - 0.02), 1, around.height + 0.04);
    tools.append(button("▣", scan.dataset.passage, () => viewer.viewport.fitBounds(wide)));
  }
  scan.before(tools);
}

// OpenSeadragon adds a style element, which the policy of the page forbids, unless it finds one
// with its mark: an element of that name that is no HTML keeps it from trying.
const placeholder = document.createElementNS(null, "style");
placeholder.setAttribute("data-openseadragon-mobile-css", "true");
document.head.append(placeholder);
document.querySelectorAll("[data-viewer]").forEach(open);
