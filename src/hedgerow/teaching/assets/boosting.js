/* AdaBoost round by round: weights as sizes, the round's question, and the sum so far. */
{
  const map = plane(data.points, data.columns);
  const picture = make("div", { class: "picture" }), words = make("div", { class: "words" });
  const scoreAt = (x, y, rounds) => rounds.reduce((sum, one) => {
    const side = one.threshold === null || (one.column === 0 ? x : y) <= one.threshold ? one.below : one.above;
    return sum + side * (side > 0 ? one.alpha : one.alpha_no);
  }, 0);
  const n = data.points.length, usual = Math.max(3.2, Math.min(11, 60 / Math.sqrt(n))), most = Math.max(9, 2.4 * usual);

  function ground(rounds) {
    const cuts = [0, 1].map((j) => [map.ends[j][0], ...rounds.filter((one) => one.column === j && one.threshold !== null)
      .map((one) => one.threshold).sort((a, b) => a - b), map.ends[j][1]]);
    const group = make("g", {});
    const most = rounds.reduce((sum, one) => sum + Math.max(Math.abs(one.alpha), Math.abs(one.alpha_no)), 0) || 1;
    for (let a = 1; a < cuts[0].length; a++) {
      for (let b = 1; b < cuts[1].length; b++) {
        const [x0, x1, y0, y1] = [cuts[0][a - 1], cuts[0][a], cuts[1][b - 1], cuts[1][b]];
        const score = scoreAt((x0 + x1) / 2, (y0 + y1) / 2, rounds);
        const one = make("rect", { x: map.x(x0), y: map.y(y1), width: Math.max(0, map.x(x1) - map.x(x0)),
          height: Math.max(0, map.y(y0) - map.y(y1)), "data-score": short(score, 6) });
        one.style.fill = score === 0 ? "transparent" : colour(score > 0 ? 1 : 0);
        one.style.opacity = 0.1 + 0.25 * (Math.abs(score) / most);
        group.append(one);
      }
    }
    return group;
  }

  function show(step) {
    const round = step > 0 && step <= data.rounds.length ? data.rounds[step - 1] : null;
    const weights = data.weights[Math.max(0, step - 1)];
    const sum = together.checked;
    const used = sum ? data.rounds.slice(0, step) : round ? [{ ...round, alpha: Math.sign(round.alpha) || 1, alpha_no: Math.sign(round.alpha_no) || 1 }] : [];
    const svg = make("svg", { viewBox: `0 0 ${map.width} ${map.height}`, role: "img", "aria-label": "the rows" }, ground(used), map.axes);
    data.points.forEach((p, i) => {
      const size = Math.max(1.5, usual * Math.sqrt(weights[i] * n));
      const score = scoreAt(p[0], p[1], used), wrong = used.length && score * (data.labels[i] ? 1 : -1) < 0;
      const one = mark(map.x(p[0]), map.y(p[1]), data.labels[i], Math.min(size, most), { class: wrong ? "wrong" : "right" });
      one.append(make("title", {}, `row ${data.rows[i]}: weight ${short(weights[i], 4)}`));
      svg.append(one);
      if (wrong) svg.append(make("circle", { class: "ring", cx: map.x(p[0]), cy: map.y(p[1]), r: Math.min(size, most) + (n > 60 ? 2 : 6) }));
    });
    fill(picture, svg, legend(data.classes), make("p", { class: "hint" },
      "A sign is as large as its row's weight before the round; a ring is a mistake of what is shown."));
    const after = step ? data.rounds[step - 1] : null;
    fill(words, facts([
      ["rounds", String(step)],
      ["epsilon", after ? short(after.epsilon, 3) : ""],
      ["alpha", after ? short(after.alpha, 3) : ""],
      ["training error after", after ? short(after.error, 3) : ""],
      ["bound of it", after ? short(after.bound, 3) : ""],
    ]), make("p", {}, after ? after.rule : "Before the first round all rows weigh the same."),
    table(["round", "epsilon", "alpha", "error", "bound"], data.rounds.map((one, k) => [`${k + 1}. ${one.rule}`, short(one.epsilon),
      short(one.alpha), short(one.error), short(one.bound)]), step - 1),
    table(["row", "label", "weight before", "after"], data.points.map((_, i) => [String(data.rows[i]), data.classes[data.labels[i]],
      short(weights[i], 4), short(data.weights[step][i], 4)]).slice(0, 30)));
  }

  const together = make("input", { type: "checkbox", id: "sum", onchange: () => steps.go(Number(page.dataset.step)) });
  const steps = walk(data.rounds.length, show, "round");
  steps.controls.append(make("label", { for: "sum" }, together, "all rounds so far together"));
  document.addEventListener("keydown", (event) => { if (event.key === "s") together.click(); });
  fill(page, steps.controls, make("div", { class: "columns" }, picture, words));
  steps.go(0);
  page.dataset.ready = "true";
}
