"use strict";
/* What all pages share: the data, elements, scales, points, the buttons of a walk. */
const data = JSON.parse(document.getElementById("data").textContent);
const page = document.getElementById("page");
const SVG = "http://www.w3.org/2000/svg";
const colour = (k) => `var(--c${k % 8})`;

function make(name, attributes = {}, ...children) {
  const known = ["svg", "g", "path", "rect", "circle", "line", "text", "title", "image"];
  const one = known.includes(name) ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) one.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined) one.setAttribute(key, value);
  }
  one.append(...children.filter((child) => child !== null && child !== undefined));
  return one;
}

function fill(place, ...children) { place.replaceChildren(...children); }

/* The same for a tree that may be wider than the screen: it stays where it was scrolled to, the node of now in sight. */
function fillTree(place, ...children) {
  const before = place.querySelector(".scroll"), at = before ? before.scrollLeft : 0;
  fill(place, ...children);
  const box = place.querySelector(".scroll"), now = box.querySelector(".node.now");
  box.scrollLeft = at;
  if (!now) return;
  const node = now.getBoundingClientRect(), seen = box.getBoundingClientRect();
  if (node.left < seen.left || node.right > seen.right) box.scrollLeft += (node.left + node.right - seen.left - seen.right) / 2;
}

const short = (x, digits = 3) => (x === null || !Number.isFinite(x) ? "" : Math.abs(x) < 1e-12 ? "0" : Math.abs(x) >= 1000 ? x.toFixed(0)
  : String(Number(x.toPrecision(digits))));

function table(header, rows, chosen = -1) {
  const line = (cells, tag) => cells.map((cell) => make(cell === "" ? "td" : tag, {}, cell));
  const body = rows.map((row, k) => make("tr", k === chosen ? { class: "chosen" } : {}, ...line(row, "td")));
  return make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, ...line(header, "th"))),
    make("tbody", {}, ...body)));
}

function facts(pairs) {
  const list = make("dl", { class: "facts" });
  for (const [name, value] of pairs) list.append(make("dt", {}, name), make("dd", {}, value));
  return list;
}

/* A plane of two columns: from numbers to places and back, with axes. */
function plane(points, names, width = 560, height = 460) {
  const room = { left: 46, right: 12, top: 12, bottom: 38 };
  const ends = [0, 1].map((j) => {
    const all = points.map((p) => p[j]);
    const low = Math.min(...all), high = Math.max(...all), more = (high - low || 1) * 0.09;
    return [low - more, high + more];
  });
  const x = (v) => room.left + ((v - ends[0][0]) / (ends[0][1] - ends[0][0])) * (width - room.left - room.right);
  const y = (v) => height - room.bottom - ((v - ends[1][0]) / (ends[1][1] - ends[1][0])) * (height - room.top - room.bottom);
  const back = (px, py) => [
    ends[0][0] + ((px - room.left) / (width - room.left - room.right)) * (ends[0][1] - ends[0][0]),
    ends[1][0] + ((height - room.bottom - py) / (height - room.top - room.bottom)) * (ends[1][1] - ends[1][0]),
  ];
  const ticks = (j) => {
    const [low, high] = ends[j], step = 10 ** Math.floor(Math.log10((high - low) / 4));
    const wide = [1, 2, 5, 10].map((k) => k * step).find((s) => (high - low) / s <= 8);
    const found = [];
    for (let v = Math.ceil(low / wide) * wide; v <= high; v += wide) found.push(Math.abs(v) < wide / 1e6 ? 0 : v);
    return found;
  };
  const axes = make("g", {},
    make("line", { class: "axis", x1: room.left, x2: width - room.right, y1: height - room.bottom, y2: height - room.bottom }),
    make("line", { class: "axis", x1: room.left, x2: room.left, y1: room.top, y2: height - room.bottom }),
    ...ticks(0).map((v) => make("text", { class: "soft", x: x(v), y: height - room.bottom + 15, "text-anchor": "middle" }, short(v, 4))),
    ...ticks(1).map((v) => make("text", { class: "soft", x: room.left - 6, y: y(v) + 4, "text-anchor": "end" }, short(v, 4))),
    make("text", { x: (width + room.left) / 2, y: height - 6, "text-anchor": "middle" }, names[0]),
    make("text", { x: 12, y: height / 2, "text-anchor": "middle", transform: `rotate(-90 12 ${height / 2})` }, names[1]));
  const inner = { left: room.left, top: room.top, width: width - room.left - room.right, height: height - room.top - room.bottom };
  return { x, y, back, ends, axes, width, height, inner };
}

/* The first class is a minus, the second a plus, others a cross: not by colour alone. */
function mark(px, py, k, size, attributes = {}) {
  const s = size;
  const path = k === 0 ? `M${-s} 0H${s}` : k === 1 ? `M${-s} 0H${s}M0 ${-s}V${s}` : `M${-s} ${-s}L${s} ${s}M${-s} ${s}L${s} ${-s}`;
  return make("g", { transform: `translate(${px} ${py})`, ...attributes },
    make("rect", { x: -12, y: -12, width: 24, height: 24, fill: "transparent" }),
    make("path", { class: "point", d: path, stroke: colour(k), style: `stroke-width:${Math.max(1.4, Math.min(3, s / 2.4))}` }));
}

function legend(classes) {
  const sign = ["−", "+", "×"];
  return make("p", { class: "legend hint" }, ...classes.map((name, k) => {
    const one = make("span", {}, `${sign[Math.min(k, 2)]} ${name}`);
    one.style.color = colour(k);
    return one;
  }));
}

/* Buttons, a slider and keys through steps 0 .. last; show(step) draws one. */
function walk(last, show, name) {
  let step = 0;
  const slider = make("input", { type: "range", min: 0, max: last, value: 0, "aria-label": name,
    oninput: () => go(Number(slider.value)) });
  const said = make("output", { "aria-live": "polite" });
  const before = make("button", { type: "button", onclick: () => go(step - 1) }, "◀ back");
  const after = make("button", { type: "button", onclick: () => go(step + 1) }, "next ▶");
  function go(to) {
    step = Math.max(0, Math.min(last, to));
    slider.value = step;
    before.disabled = step === 0;
    after.disabled = step === last;
    said.textContent = `${name} ${step} of ${last}`;
    page.dataset.step = step;
    show(step);
  }
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input, select")) return;
    if (event.key === "ArrowRight") go(step + 1);
    else if (event.key === "ArrowLeft") go(step - 1);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(last);
    else return;
    event.preventDefault();
  });
  return { controls: make("div", { class: "controls" }, before, slider, after, said), go };
}

/* Places of a tree's nodes: leaves side by side, parents above the middle of their children. */
function layout(nodes, open) {
  const places = new Map();
  let next = 0;
  const put = (k, depth) => {
    const children = open(k) ? nodes[k].children : [];
    children.forEach((child) => put(child, depth + 1));
    const x = children.length ? (places.get(children[0]).x + places.get(children.at(-1)).x) / 2 : next++;
    places.set(k, { x, depth });
  };
  put(0, 0);
  const depth = Math.max(...[...places.values()].map((p) => p.depth));
  return { places, wide: Math.max(next, 1), depth };
}

/* A tree as a picture. text(k): lines of a node; attributes(k): of its group. */
function drawTree(nodes, open, text, attributes) {
  const { places, wide, depth } = layout(nodes, open);
  const cell = 132, row = 96, box = { width: 122, height: 54 };
  const width = Math.max(wide * cell + 20, 420), height = (depth + 1) * row + 10;
  const shift = (width - wide * cell) / 2;
  const at = (k) => ({ x: shift + places.get(k).x * cell + cell / 2, y: places.get(k).depth * row + 12 });
  const svg = make("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "the tree" });
  for (const k of places.keys()) {
    if (!open(k)) continue;
    for (const child of nodes[k].children) {
      const a = at(k), b = at(child), middle = (a.y + box.height + b.y) / 2;
      svg.append(make("path", { class: "edge", d: `M${a.x} ${a.y + box.height}C${a.x} ${middle} ${b.x} ${middle} ${b.x} ${b.y}` }),
        make("text", { class: "soft", x: (a.x + b.x) / 2, y: middle + 4, "text-anchor": "middle" }, nodes[child].branch));
    }
  }
  for (const k of places.keys()) {
    const { x, y } = at(k), total = nodes[k].counts.reduce((a, b) => a + b, 0) || 1;
    const group = make("g", attributes(k), make("rect", { x: x - box.width / 2, y, width: box.width, height: box.height, rx: 6 }));
    let left = x - box.width / 2 + 6;
    nodes[k].counts.forEach((n, c) => {
      const part = (n / total) * (box.width - 12);
      const bar = make("rect", { x: left, y: y + box.height - 9, width: part, height: 5 });
      bar.style.fill = colour(c);
      bar.style.stroke = "none";
      group.append(bar);
      left += part;
    });
    text(k).forEach((line, n) => group.append(make("text", { x, y: y + 17 + 16 * n, "text-anchor": "middle" }, line)));
    group.append(make("title", {}, nodes[k].title));
    svg.append(group);
  }
  svg.style.minWidth = `${Math.min(width, 900)}px`;
  return make("div", { class: "scroll" }, svg);
}

const cutShort = (text, most = 19) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
