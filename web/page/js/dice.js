// A die: the picture of a face from 1 to 6. The words beside it say the roll.
const SVG = "http://www.w3.org/2000/svg";
const LOW = 9;
const MIDDLE = 20;
const HIGH = 31;
const CORNERS = [[LOW, LOW], [HIGH, HIGH], [HIGH, LOW], [LOW, HIGH]];

// The middles of the pips of a face.
function pips(face) {
  const corners = CORNERS.slice(0, face - (face % 2));
  const sides = face === 6 ? [[LOW, MIDDLE], [HIGH, MIDDLE]] : [];
  return [...corners, ...sides, ...(face % 2 ? [[MIDDLE, MIDDLE]] : [])];
}

function shape(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// The picture of a face.
export function die(face) {
  const title = document.createElementNS(SVG, "title");
  title.textContent = `A die that shows ${face}`;
  const square = shape("rect", { x: 1, y: 1, width: 38, height: 38, rx: 8 });
  const dots = pips(face).map(([cx, cy]) => shape("circle", { cx, cy, r: 4 }));
  const look = { class: "die", viewBox: "0 0 40 40", role: "img", width: 40, height: 40 };
  return shape("svg", look, title, square, ...dots);
}
