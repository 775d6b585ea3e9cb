/* The margin of a support vector machine: C, gamma, the kernel and the points themselves can be moved. */

/* Sequential minimal optimisation: the pair of largest violation, solved in closed form, until none is above tol.
   min 1/2 a'Qa - sum a   with 0 <= a <= C, sum y a = 0, Q_ij = y_i y_j k(x_i, x_j). */
function solve(points, signs, C, kernel, gamma, tol = 1e-8, most = 200000) {
  const n = points.length;
  const k = kernel === "linear" ? (a, b) => a[0] * b[0] + a[1] * b[1]
    : (a, b) => Math.exp(-gamma * ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2));
  const K = points.map((a) => points.map((b) => k(a, b)));
  const alpha = new Float64Array(n), gradient = new Float64Array(n).fill(-1);
  let steps = 0, up, low;
  for (; steps < most; steps++) {
    let i = -1, j = -1, best = 0;
    up = -Infinity; low = Infinity;
    for (let t = 0; t < n; t++) {
      const value = -signs[t] * gradient[t];
      if ((signs[t] > 0 ? alpha[t] < C : alpha[t] > 0) && value > up) { up = value; i = t; }
      if ((signs[t] > 0 ? alpha[t] > 0 : alpha[t] < C) && value < low) low = value;
    }
    if (i < 0 || !(up - low > tol)) break;
    for (let t = 0; t < n; t++) {   // of those that violate with i, the one that lowers the objective most
      if (!(signs[t] > 0 ? alpha[t] > 0 : alpha[t] < C)) continue;
      const apart = up + signs[t] * gradient[t];
      if (apart <= 0) continue;
      const decrease = (apart * apart) / Math.max(K[i][i] + K[t][t] - 2 * K[i][t], 1e-12);
      if (decrease > best) { best = decrease; j = t; }
    }
    if (j < 0) break;
    const curvature = Math.max(K[i][i] + K[j][j] - 2 * K[i][j], 1e-12);
    let move = (up + signs[j] * gradient[j]) / curvature;   // a_i += y_i move, a_j -= y_j move
    move = Math.min(move, signs[i] > 0 ? C - alpha[i] : alpha[i], signs[j] > 0 ? alpha[j] : C - alpha[j]);
    alpha[i] += signs[i] * move;
    alpha[j] -= signs[j] * move;
    for (let t = 0; t < n; t++) gradient[t] += signs[t] * move * (K[i][t] - K[j][t]);
  }
  const free = [...alpha.keys()].filter((t) => alpha[t] > 1e-9 * C && alpha[t] < C * (1 - 1e-9));
  const b = free.length ? free.reduce((sum, t) => sum - signs[t] * gradient[t], 0) / free.length
    : Number.isFinite(up) && Number.isFinite(low) ? (up + low) / 2 : 0;
  const score = (p) => points.reduce((sum, q, t) => (alpha[t] ? sum + alpha[t] * signs[t] * k(p, q) : sum), b);
  const squared = alpha.reduce((sum, a, t) => sum + a * (gradient[t] + 1), 0);   // |w|^2
  const slack = points.map((p, t) => Math.max(0, 1 - signs[t] * score(p)));
  const dual = alpha.reduce((sum, a) => sum + a, 0) - squared / 2;
  const primal = squared / 2 + C * slack.reduce((sum, one) => sum + one, 0);
  return { alpha: [...alpha], b, score, slack, primal, dual, width: squared > 0 ? 2 / Math.sqrt(squared) : Infinity, steps };
}

{
  const points = data.points.map((p) => [...p]), signs = data.labels.map((k) => (k ? 1 : -1));
  const map = plane(points, data.columns);
  const picture = make("div", { class: "picture" }), words = make("div", { class: "words" });
  const fine = 64;
  let picked = null;

  /* Lines where the score passes `level`, cell by cell of a grid. */
  function contour(grid, level) {
    const at = (a, b) => [map.inner.left + (a / fine) * map.inner.width, map.inner.top + (b / fine) * map.inner.height];
    let path = "";
    for (let a = 0; a < fine; a++) {
      for (let b = 0; b < fine; b++) {
        const corners = [[a, b], [a + 1, b], [a + 1, b + 1], [a, b + 1]], found = [];
        for (let c = 0; c < 4; c++) {
          const [p, q] = [corners[c], corners[(c + 1) % 4]], u = grid[p[0]][p[1]] - level, v = grid[q[0]][q[1]] - level;
          if (u < 0 === v < 0) continue;
          const s = u / (u - v), [x, y] = at(p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1]));
          found.push(`${x.toFixed(1)} ${y.toFixed(1)}`);
        }
        for (let c = 0; c + 1 < found.length; c += 2) path += `M${found[c]}L${found[c + 1]}`;
      }
    }
    return path;
  }

  function draw() {
    const C = 10 ** Number(controls.C.value), gamma = 10 ** Number(controls.gamma.value), kernel = controls.kernel.value;
    const found = solve(points, signs, C, kernel, gamma);
    controls.C_said.textContent = short(C, 3);
    controls.gamma_said.textContent = short(gamma, 3);
    controls.gamma.disabled = kernel === "linear";
    const grid = [];
    for (let a = 0; a <= fine; a++) {
      grid.push([]);
      for (let b = 0; b <= fine; b++) {
        grid[a].push(found.score(map.back(map.inner.left + (a / fine) * map.inner.width, map.inner.top + (b / fine) * map.inner.height)));
      }
    }
    const line = (level, dash, width) => make("path", { d: contour(grid, level), fill: "none", stroke: "var(--ink)", "stroke-width": width,
      "stroke-dasharray": dash });
    const svg = make("svg", { viewBox: `0 0 ${map.width} ${map.height}`, role: "img", "aria-label": "rows, boundary and margins" });
    const ground = make("g", {}), wide = map.inner.width / fine, high = map.inner.height / fine;
    for (let a = 0; a < fine; a += 2) {
      for (let b = 0; b < fine; b += 2) {
        const score = grid[a + 1][b + 1], one = make("rect", { x: map.inner.left + a * wide, y: map.inner.top + b * high,
          width: 2 * wide, height: 2 * high, "shape-rendering": "crispEdges" });
        one.style.fill = colour(score > 0 ? 1 : 0);
        one.style.opacity = Math.abs(score) >= 1 ? 0.2 : 0.07;
        ground.append(one);
      }
    }
    svg.append(ground, map.axes, line(0, null, 1.8), line(1, "5 4", 1.1), line(-1, "5 4", 1.1));
    points.forEach((p, i) => {
      const one = mark(map.x(p[0]), map.y(p[1]), data.labels[i], 6, { class: "drag", tabindex: 0, "data-row": i,
        "aria-label": `row ${data.rows[i]}`, onpointerdown: (event) => { picked = i; event.preventDefault(); },
        onkeydown: (event) => nudge(event, i) });
      one.append(make("title", {}, `row ${data.rows[i]}: alpha ${short(found.alpha[i], 3)}, slack ${short(found.slack[i], 3)}`));
      if (found.alpha[i] > 1e-8 * C) svg.append(make("circle", { class: "ring", cx: map.x(p[0]), cy: map.y(p[1]), r: 11,
        "stroke-dasharray": found.alpha[i] < C * (1 - 1e-8) ? null : "2 3" }));
      svg.append(one);
    });
    svg.addEventListener("pointermove", (event) => {
      if (picked === null) return;
      const box = svg.getBoundingClientRect();
      const p = map.back(((event.clientX - box.left) / box.width) * map.width, ((event.clientY - box.top) / box.height) * map.height);
      points[picked] = p.map((v, j) => Math.max(map.ends[j][0], Math.min(map.ends[j][1], v)));
      draw();
    });
    fill(picture, svg, legend(data.classes), make("p", { class: "hint" },
      "Ring: a support vector; dotted, one whose alpha is C. Dashed lines: the margins. Drag a point, or focus it and use the arrow keys."));
    const support = found.alpha.filter((a) => a > 1e-8 * C).length, wrong = found.slack.filter((one) => one > 1).length;
    fill(words, facts([["support vectors", `${support} of ${points.length}`], ["alpha at C", String(found.alpha.filter((a) => a >= C * (1 - 1e-8)).length)],
      ["misclassified (slack above 1)", String(wrong)], ["width of the margin, 2/|w|", short(found.width, 4)],
      ["primal", short(found.primal, 6)], ["dual", short(found.dual, 6)], ["steps of the solver", String(found.steps)]]),
    table(["row", "label", "alpha", "y f(x)", "slack"], points.map((p, i) => [String(data.rows[i]), data.classes[data.labels[i]], short(found.alpha[i], 3),
      short(signs[i] * found.score(p), 3), found.slack[i] < 1e-6 ? "0" : short(found.slack[i], 3)]).slice(0, 40)));
    page.dataset.state = JSON.stringify({ C, gamma, kernel, points, alpha: found.alpha, b: found.b, primal: found.primal, dual: found.dual,
      width: found.width, scores: points.map(found.score) });
  }

  function nudge(event, i) {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!by) return;
    event.preventDefault();
    points[i] = points[i].map((v, j) => v + (by[j] * (map.ends[j][1] - map.ends[j][0])) / 60);
    draw();
    page.querySelector(`[data-row="${i}"]`).focus();
  }

  const range = (name, low, high, value) => make("input", { type: "range", min: low, max: high, step: 0.05, value, "aria-label": name, oninput: draw });
  const controls = { kernel: make("select", { onchange: draw, "aria-label": "kernel" }, make("option", { value: "linear" }, "linear"),
    make("option", { value: "rbf" }, "radial (rbf)")), C: range("C", -3, 3, 0), gamma: range("gamma", -3, 2, data.gamma),
    C_said: make("output", {}), gamma_said: make("output", {}) };
  document.addEventListener("pointerup", () => { picked = null; });
  fill(page, make("div", { class: "controls" }, make("label", {}, "kernel", controls.kernel), make("label", {}, "C", controls.C, controls.C_said),
    make("label", {}, "gamma", controls.gamma, controls.gamma_said),
    make("button", { type: "button", onclick: () => { data.points.forEach((p, i) => { points[i] = [...p]; }); draw(); } }, "points back")),
  make("div", { class: "columns" }, picture, words));
  draw();
  page.dataset.ready = "true";
}
