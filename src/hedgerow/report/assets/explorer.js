"use strict";
/* The theme button, and the tree explorer. All texts go in as text nodes: nothing from the data is read as markup. */
(function theme() {
  const button = document.getElementById("theme");
  const root = document.documentElement;
  const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const tell = () => { button.textContent = dark() ? "Light" : "Dark"; button.setAttribute("aria-pressed", String(dark())); };
  button.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; tell(); });
  tell();
})();

(function explorer() {
  const source = document.getElementById("tree-data");
  if (!source) return;
  const tree = JSON.parse(source.textContent);
  const nodes = tree.nodes, steps = tree.steps;
  const view = document.getElementById("tree-view"), slider = document.getElementById("prune");
  const said = document.getElementById("tree-said");
  const NS = "http://www.w3.org/2000/svg";
  const WIDE = 184, HIGH = 68, GAP = 18, LEVEL = 122, TALLEST = 560, LEAST = 200, AT_FIRST = 112;
  const folded = new Set();
  let at_first = true;
  let step = tree.chosen, route = new Set(), here = 0;
  let move = { x: 0, y: 0, k: 1 };

  function make(name, attributes, text) {
    const element = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  }
  const percent = (share) => (100 * share).toFixed(share < 0.1 && share > 0 ? 1 : 0) + " %";
  const short = (text, most) => text.length > most ? text.slice(0, most - 1) + "…" : text;
  const number = (value, digits = 4) => {
    const size = Math.abs(value);
    if (size >= 1e12 || (value !== 0 && size < 1e-4)) return value.toExponential(2);
    return Number(value.toPrecision(digits)).toLocaleString("en", { maximumSignificantDigits: 15, useGrouping: size >= 1e4 });
  };
  const cell = (column, value) => {  // of a date: days since 1970
    const day = new Date(value * 86400000);
    if (!column.kind.startsWith("date") || Number.isNaN(day.getTime())) return number(value);
    return day.toISOString().slice(0, column.kind === "date" ? -14 : -8).replace("T", " ");
  };
  const isCut = (node) => nodes[node].alpha !== null && nodes[node].alpha <= steps[step].alpha * (1 + 1e-9);
  const isLeaf = (node) => nodes[node].children.length === 0 || isCut(node);
  const isOpen = (node) => !isLeaf(node) && !folded.has(node);
  const best = (node) => { const v = nodes[node].values; return v.indexOf(Math.max(...v)); };
  const answer = (node) => tree.classes.length ? tree.classes[best(node)] : number(nodes[node].values[0]);
  const middle = tree.error_title === "mean absolute error" ? "median" : "mean";
  const told = (node) => nodes[node].condition.replaceAll(" <= ", " ≤ ");
  const question = (node) => {
    const column = tree.columns[nodes[node].column];
    if (!column) return "";
    if (nodes[node].kind !== "threshold") return column.name + " ?";
    return Math.abs(nodes[node].threshold) > 1e300 ? column.name + " known ?" : told(nodes[node].children[0]).replace(/ or missing$/, "") + " ?";
  };
  const stable = (node) => tree.stability && !isLeaf(node) ? tree.stability.nodes[node] : null;
  const kept = (node) => {
    const one = stable(node), n = tree.stability && tree.stability.n_replicas;
    if (!one) return "";
    const between = one.interval ? `, threshold between ${one.interval.map((end) => cell(tree.columns[nodes[node].column], end)).join(" and ")}` : "";
    const instead = one.instead.length ? "; instead: " + one.instead.map(([name, many]) => `${name} in ${many}`).join(", ") : "";
    return `; ${one.same_column} of ${n} trees of other rows ask this column here${between}` + (one.rival ? `, ${one.rival} a rival` : "") + instead;
  };
  const aloud = (node) => {
    const one = nodes[node];
    const where = one.condition ? one.condition + ": " : "all rows: ";
    const what = tree.classes.length ? answer(node) + " " + percent(Math.max(...one.values)) : middle + " " + answer(node);
    return where + what + ", " + one.n_rows.toLocaleString() + " rows" + (isLeaf(node) ? ", leaf" : folded.has(node) ? ", folded" : "") + kept(node);
  };

  /* What prunings weigh at a split of classes: chi-square of its branches, bits as a leaf and as a split, alpha. */
  const counts = (node) => nodes[node].values.map((share) => share * nodes[node].n_rows);
  function bits_of_rows(own) {
    const n = own.reduce((a, b) => a + b, 0), k = own.length;
    let gamma = 0;  // log2 of Gamma(k / 2), from k = 1 or 2 up
    for (let m = k / 2 - 1; m > 0; m--) gamma += Math.log2(m);
    if (k % 2) gamma += Math.log2(Math.sqrt(Math.PI));
    const which = own.reduce((sum, one) => sum + (one > 0 ? one * Math.log2(n / one) : 0), 0);
    return n > 0 ? Math.max(0, which + ((k - 1) / 2) * Math.log2(n / 2) + (k / 2) * Math.log2(Math.PI) - gamma) : 0;
  }
  function bits_below(node) {
    const one = nodes[node];
    if (isLeaf(node)) return 1 + bits_of_rows(counts(node));
    const n = Math.max(3, one.n_rows), levels = Math.max(2, Math.min(n, one.levels.reduce((sum, some) => sum + some.length, 0)));
    const question = one.kind === "threshold" ? Math.log2(n - 1) : one.kind === "multiway" ? 0 : levels + Math.log2(1 - 2 ** (1 - levels));
    return 1 + Math.log2(Math.max(1, tree.columns.length)) + question + one.children.reduce((sum, child) => sum + bits_below(child), 0);
  }
  function costs(node) {
    if (!tree.classes.length || isLeaf(node)) return "";
    const branches = nodes[node].children.map(counts).filter((own) => own.some((n) => n > 0)), whole = counts(node);
    const n = whole.reduce((a, b) => a + b, 0), present = whole.filter((one) => one > 1e-9 * n).length;
    const statistic = branches.reduce((sum, own) => {
      const part = own.reduce((a, b) => a + b, 0) / n;
      return sum + own.reduce((inner, one, k) => whole[k] > 0 ? inner + (one - whole[k] * part) ** 2 / (whole[k] * part) : inner, 0);
    }, 0);
    const alpha = nodes[node].alpha === null ? "" : `, alpha ${number(nodes[node].alpha)}`;
    return `; chi-square ${number(statistic)} with ${(branches.length - 1) * (present - 1)} degrees of freedom, ` +
      `${number(1 + bits_of_rows(whole))} bits as a leaf, ${number(bits_below(node))} as it is${alpha}`;
  }

  function layout() {
    const place = new Map();
    let next = 0;
    const visit = (start) => {  // without recursion: children first, then the parent in their middle
      const stack = [[start, 0, false]];
      while (stack.length) {
        const [node, depth, done] = stack.pop();
        if (!isOpen(node)) { place.set(node, { x: next, y: depth * LEVEL }); next += WIDE + GAP; continue; }
        const children = nodes[node].children;
        if (!done) {
          stack.push([node, depth, true]);
          for (let k = children.length - 1; k >= 0; k--) stack.push([children[k], depth + 1, false]);
        } else {
          const first = place.get(children[0]).x, last = place.get(children[children.length - 1]).x;
          place.set(node, { x: (first + last) / 2, y: depth * LEVEL });
        }
      }
    };
    visit(0);
    return place;
  }

  const means = nodes.map((one) => one.values[0]), lowest = Math.min(...means), highest = Math.max(...means);
  const svg = make("svg", { "aria-hidden": "false" }), stage = make("g");
  svg.append(stage);
  view.append(svg);
  let place = layout();

  function draw() {
    place = layout();
    stage.replaceChildren();
    const labels = [];
    for (const [node, at] of place) {
      const parent = nodes[node].parent;
      if (parent < 0) continue;
      const from = place.get(parent);
      const x0 = from.x + WIDE / 2, y0 = from.y + HIGH, x1 = at.x + WIDE / 2, y1 = at.y;
      const on = route.has(node) ? " on" : "";
      const thick = (1.5 + 8 * Math.sqrt(nodes[node].share)).toFixed(1);
      stage.append(make("path", { class: "edge" + on, "stroke-width": thick, d: `M${x0},${y0}C${x0},${(y0 + y1) / 2} ${x1},${(y0 + y1) / 2} ${x1},${y1}` }));
      labels.push([node, x1, y1]);
    }
    for (const [node, x1, y1] of labels) {
      const words = short(told(node), 30), long = 6.1 * words.length + 10;
      stage.append(make("rect", { class: "behind", x: x1 - long / 2, y: y1 - 22, width: long, height: 17, rx: 4 }));
      const label = make("text", { x: x1, y: y1 - 9, "text-anchor": "middle", class: "dim" }, words);
      label.append(make("title", {}, nodes[node].condition));
      stage.append(label);
    }
    for (const node of [...place.keys()].sort((a, b) => a - b)) stage.append(box(node, place.get(node)));
    place_stage();
  }

  function box(node, at) {
    const one = nodes[node], leaf = isLeaf(node);
    const kind = "node " + (leaf ? "leaf" : "inner") + (route.has(node) ? " on" : "") + (node === here ? " here" : "");
    const group = make("g", { class: kind, transform: `translate(${at.x},${at.y})`, role: "treeitem", tabindex: node === here ? "0" : "-1", "aria-label": aloud(node), "data-node": node });
    if (!leaf) group.setAttribute("aria-expanded", String(!folded.has(node)));
    group.append(make("title", {}, aloud(node) + costs(node)), make("rect", { class: "box", width: WIDE, height: HIGH, rx: 7 }));
    group.append(make("text", { x: 10, y: 19, class: "strong" }, short(leaf ? answer(node) : question(node), folded.has(node) ? 21 : 24)));
    let x = 10;
    if (tree.classes.length) {
      one.values.forEach((share, k) => {
        group.append(make("rect", { class: "class-" + (k % 8), x, y: 28, width: Math.max(0, share * (WIDE - 20)), height: 9 }));
        x += share * (WIDE - 20);
      });
    } else {
      const at = highest > lowest ? (one.values[0] - lowest) / (highest - lowest) : 0.5;
      group.append(make("rect", { class: "rail", x, y: 30, width: WIDE - 20, height: 4, rx: 2 }), make("circle", { class: "class-0", cx: x + at * (WIDE - 20), cy: 32, r: 5 }));
    }
    const right = tree.classes.length ? answer(node) + ": " + percent(Math.max(...one.values)) : middle + " " + answer(node);
    group.append(make("text", { x: 10, y: 56, class: "dim" }, one.n_rows.toLocaleString() + " rows"));
    group.append(make("text", { x: WIDE - 10, y: 56, class: "dim", "text-anchor": "end" }, short(right, 16)));
    const steady = stable(node);
    if (steady) {
      const share = (steady.same_column + steady.rival) / tree.stability.n_replicas;
      group.append(make("rect", { class: "rail", x: 0, y: HIGH + 2, width: WIDE, height: 6, rx: 3 }));
      group.append(make("rect", { class: share < 0.5 ? "stable low" : "stable", x: 0, y: HIGH + 2, width: share * WIDE, height: 6, rx: 3 }));
    }
    if (folded.has(node) && !leaf) group.append(make("text", { x: WIDE - 10, y: 19, class: "strong", "text-anchor": "end" }, "+"));
    group.addEventListener("click", () => { if (!moved) { here = node; toggle(node); } });
    return group;
  }

  function toggle(node) {
    if (isLeaf(node)) { draw(); focus_here(); return; }
    if (folded.has(node)) folded.delete(node); else folded.add(node);
    draw();
    focus_here();
  }
  function focus_here() {
    const element = stage.querySelector(`[data-node="${here}"]`);
    if (element) element.focus({ preventScroll: true });
    said.textContent = aloud(here) + costs(here);
  }

  function place_stage() { stage.setAttribute("transform", `translate(${move.x},${move.y}) scale(${move.k})`); }
  function fit() {
    const xs = [...place.values()].map((p) => p.x), ys = [...place.values()].map((p) => p.y);
    const wide = Math.max(...xs) + WIDE, high = Math.max(...ys) + HIGH;
    const k = Math.min(1, Math.max(0.12, Math.min((view.clientWidth - 24) / wide, (TALLEST - 44) / high)));
    view.style.height = Math.max(LEAST, Math.min(TALLEST, k * high + 44)) + "px";
    const fits = wide * k <= view.clientWidth;
    move = { k, x: fits ? (view.clientWidth - wide * k) / 2 : view.clientWidth / 2 - (place.get(0).x + WIDE / 2) * k, y: 22 };
    place_stage();
  }
  function fold_for_a_start() {  // a large tree: its first questions, as many levels as can be read
    const most = Math.max(2, Math.floor(view.clientWidth / AT_FIRST));
    let level = [0], shown = 1;
    while (level.length) {
      const inner = level.filter((node) => !isLeaf(node)), next = inner.flatMap((node) => nodes[node].children);
      if (shown - inner.length + next.length > most) { inner.forEach((node) => folded.add(node)); break; }
      shown += next.length - inner.length;
      level = next;
    }
    if (folded.size) said.textContent = `Branches marked + are folded for a start (${folded.size} of them); a click opens one, Unfold all opens them all.`;
  }
  function zoom(by, x, y) {
    const room = view.getBoundingClientRect();
    const cx = x === undefined ? room.width / 2 : x - room.left, cy = y === undefined ? room.height / 2 : y - room.top;
    const k = Math.min(3, Math.max(0.08, move.k * by));
    move = { k, x: cx - (cx - move.x) * k / move.k, y: cy - (cy - move.y) * k / move.k };
    place_stage();
  }
  function show_here() {
    const at = place.get(here), room = view.getBoundingClientRect();
    const x = at.x * move.k + move.x, y = at.y * move.k + move.y;
    if (x < 0 || x + WIDE * move.k > room.width) move.x += room.width / 2 - x - WIDE * move.k / 2;
    if (y < 0 || y + HIGH * move.k > room.height) move.y += room.height / 2 - y - HIGH * move.k / 2;
    place_stage();
  }

  let drag = null, moved = false;
  view.addEventListener("pointerdown", (event) => { drag = { x: event.clientX - move.x, y: event.clientY - move.y, from: [event.clientX, event.clientY] }; moved = false; });
  addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (Math.hypot(event.clientX - drag.from[0], event.clientY - drag.from[1]) > 4) { moved = true; view.classList.add("dragging"); }
    if (moved) { move.x = event.clientX - drag.x; move.y = event.clientY - drag.y; place_stage(); }
  });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => { drag = null; view.classList.remove("dragging"); setTimeout(() => { moved = false; }, 0); });
  view.addEventListener("wheel", (event) => { if (!event.ctrlKey && !event.metaKey && !view.contains(document.activeElement)) return; event.preventDefault(); zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.clientX, event.clientY); }, { passive: false });
  view.addEventListener("keydown", (event) => {
    const one = nodes[here], sisters = one.parent < 0 ? [0] : nodes[one.parent].children, at = sisters.indexOf(here);
    const go = { ArrowDown: isOpen(here) ? one.children[0] : here, ArrowUp: one.parent < 0 ? here : one.parent,
      ArrowLeft: sisters[Math.max(0, at - 1)], ArrowRight: sisters[Math.min(sisters.length - 1, at + 1)], Home: 0 }[event.key];
    if (go !== undefined) { here = go; draw(); show_here(); focus_here(); event.preventDefault(); }
    else if (event.key === "Enter" || event.key === " ") { toggle(here); event.preventDefault(); }
    else if (event.key === "+" || event.key === "=") { zoom(1.2); event.preventDefault(); }
    else if (event.key === "-") { zoom(1 / 1.2); event.preventDefault(); }
  });
  document.getElementById("zoom-in").addEventListener("click", () => zoom(1.25));
  document.getElementById("zoom-out").addEventListener("click", () => zoom(1 / 1.25));
  document.getElementById("zoom-fit").addEventListener("click", fit);
  document.getElementById("unfold").addEventListener("click", () => { folded.clear(); draw(); fit(); });

  /* the pruning slider: step 0 is the whole tree, the last one the root alone */
  slider.max = String(steps.length - 1);
  slider.value = String(step);
  /* squared errors are told as their roots, in the units of the target */
  const error_title = tree.error_title.replace(/^mean squared/, "root mean squared");
  if (tree.error_title !== error_title) for (const one of steps) {
    one.error = Math.sqrt(one.error);
    if (one.cv_error !== null) { one.cv_error = Math.sqrt(one.cv_error); one.cv_std = one.cv_std / (2 * one.cv_error || 1); }
  }
  const percent_or = (value) => tree.error_title === "error rate" ? (100 * value).toFixed(1) + " %" : number(value, 3);
  function tell_step() {
    const one = steps[step];
    const checked = one.cv_error === null ? "" : `, ${percent_or(one.cv_error)} cross-validated (± ${percent_or(one.cv_std)})`;
    const words = `${one.n_leaves} ${one.n_leaves === 1 ? "leaf" : "leaves"}; ${error_title} ${percent_or(one.error)} on the training rows${checked}` + (step === tree.chosen ? " (chosen)" : "");
    document.getElementById("prune-words").textContent = words;
    document.getElementById("now-leaves").textContent = one.n_leaves.toLocaleString() + (step === tree.chosen ? " (chosen)" : "");
    document.getElementById("now-error").textContent = percent_or(one.error);
    document.getElementById("now-checked").textContent = one.cv_error === null ? "–" : `${percent_or(one.cv_error)} ± ${percent_or(one.cv_std)}`;
    slider.setAttribute("aria-valuetext", words);
    chart();
  }
  function chart() {
    const holder = document.getElementById("prune-chart");
    const wide = 420, high = 168, left = 52, bottom = 34, top = 12, right = 14;
    const xs = steps.map((one) => Math.log2(one.n_leaves)), most = Math.max(...xs) || 1;
    const ys = steps.flatMap((one) => one.cv_error === null ? [one.error] : [one.error, one.cv_error + one.cv_std]);
    const tall = Math.max(...ys) || 1;
    const X = (x) => wide - right - x / most * (wide - left - right), Y = (y) => high - bottom - y / tall * (high - bottom - top);
    const picture = make("svg", { class: "chart", viewBox: `0 0 ${wide} ${high}`, width: wide, height: high, role: "img" });
    picture.append(make("title", {}, "Error against the number of leaves: cross-validated, and dashed on the training rows; the line marks the tree shown"));
    const points = (of) => steps.map((one, k) => of(one) === null ? "" : `${X(xs[k])},${Y(of(one))}`).join(" ");
    const checked = steps.filter((one) => one.cv_error !== null);
    const edge = (sign) => checked.map((one) => `${X(Math.log2(one.n_leaves))},${Y(Math.max(0, one.cv_error + sign * one.cv_std))}`);
    if (checked.length > 1) picture.append(make("polygon", { class: "band", points: [...edge(1), ...edge(-1).reverse()].join(" ") }));
    const every = Math.max(1, Math.ceil(most / 7));
    for (let n = 0; n <= most; n += every) picture.append(make("text", { x: X(n), y: high - 18, "text-anchor": "middle" }, String(2 ** n)));
    picture.append(make("text", { x: (left + wide - right) / 2, y: high - 3, "text-anchor": "middle" }, "leaves"));
    for (const y of [0, tall / 2, tall]) {
      picture.append(make("line", { class: "grid", x1: left, x2: wide - right, y1: Y(y), y2: Y(y) }));
      picture.append(make("text", { x: left - 6, y: Y(y) + 4, "text-anchor": "end" }, y === 0 ? "0" : percent_or(y)));
    }
    picture.append(make("polyline", { class: "guide", points: points((one) => one.error) }));
    picture.append(make("polyline", { class: "curve", points: points((one) => one.cv_error === null ? one.error : one.cv_error) }));
    picture.append(make("line", { class: "base", x1: X(xs[step]), x2: X(xs[step]), y1: top, y2: high - bottom }));
    const now = steps[step];
    picture.append(make("circle", { class: "dot", cx: X(xs[step]), cy: Y(now.cv_error === null ? now.error : now.cv_error), r: 5 }));
    holder.replaceChildren(picture);
  }
  slider.addEventListener("input", () => {
    step = Number(slider.value);
    if (at_first) { folded.clear(); said.textContent = ""; at_first = false; }
    while (!place_exists(here)) here = nodes[here].parent;
    draw(); tell_step(); follow(); fit();
  });
  function place_exists(node) {
    for (let up = nodes[node].parent; up >= 0; up = nodes[up].parent) if (isLeaf(up)) return false;
    return true;
  }

  /* following a row */
  const form = document.getElementById("row-form"), row_said = document.getElementById("row-said");
  const used = [...new Set(nodes.map((one) => one.column).filter((column) => column >= 0))];
  const inputs = new Map();
  for (const column of used) {
    const label = document.createElement("label");
    label.append(document.createTextNode(tree.columns[column].name));
    const tests = nodes.filter((one) => one.column === column);
    let input;
    if (tests[0].kind === "threshold") {
      input = document.createElement("input");
      input.type = { date: "date", datetime: "datetime-local" }[tree.columns[column].kind] || "number";
      input.step = "any"; input.placeholder = "missing";
    } else {
      input = document.createElement("select");
      const levels = [...new Set(tests.flatMap((one) => one.levels.flat()))].sort();
      input.append(new Option("missing", ""));
      levels.forEach((level, k) => { const option = new Option(level, String(k)); input.append(option); });
      input.dataset.levels = JSON.stringify(levels);
    }
    input.addEventListener("input", follow);
    label.append(input);
    form.append(label);
    inputs.set(column, input);
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  function number_of(input) {
    if (input.type === "number") return Number(input.value);
    return Date.parse(input.value + (input.type === "date" ? "T00:00Z" : "Z")) / 86400000; /* days since 1970 */
  }
  function next_of(node) {
    const one = nodes[node], input = inputs.get(one.column), first = one.children[0];
    const lost = () => one.missing_child >= 0 ? one.missing_child : one.children.reduce((a, b) => nodes[b].n_rows > nodes[a].n_rows ? b : a);
    if (input.value === "") return lost();
    if (one.kind === "threshold") return number_of(input) <= one.threshold ? first : one.children[1];
    const level = JSON.parse(input.dataset.levels)[Number(input.value)];
    const k = one.levels.findIndex((some) => some.includes(level));
    return k < 0 ? lost() : one.children[k];
  }
  function follow() {
    const any = [...inputs.values()].some((input) => input.value !== "");
    route = new Set();
    if (!any) { row_said.textContent = "Give at least one value; what is left empty counts as missing."; draw(); return; }
    let node = 0;
    route.add(0);
    const way = [];
    while (!isLeaf(node)) { node = next_of(node); route.add(node); way.push(told(node)); }
    for (let up = node; up >= 0; up = nodes[up].parent) folded.delete(up);
    here = node;
    draw();
    show_here();
    const share = tree.classes.length ? ` (${percent(Math.max(...nodes[node].values))} of ${nodes[node].n_rows.toLocaleString()} training rows there)` : ` (mean of ${nodes[node].n_rows.toLocaleString()} training rows)`;
    row_said.textContent = (way.length ? way.join(", then ") + ": " : "") + tree.target + " = " + answer(node) + share;
  }

  fold_for_a_start();
  draw();
  fit();
  tell_step();
  let wide_before = view.clientWidth;
  addEventListener("resize", () => { if (view.clientWidth !== wide_before) { wide_before = view.clientWidth; fit(); } });
  addEventListener("beforeprint", () => {  // the paper's width is not known yet: the picture is scaled to it
    const xs = [...place.values()].map((p) => p.x), ys = [...place.values()].map((p) => p.y);
    svg.setAttribute("viewBox", `-12 -12 ${Math.max(...xs) + WIDE + 24} ${Math.max(...ys) + HIGH + 24}`);
    stage.removeAttribute("transform");
  });
  addEventListener("afterprint", () => { svg.removeAttribute("viewBox"); place_stage(); });
  document.querySelector(".explorer").dataset.ready = "true";
})();
