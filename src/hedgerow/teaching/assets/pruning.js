/* Pruning by hand: click a split to make it a leaf; errors, C_alpha, description length and chi-square follow. */
{
  const nodes = data.nodes, inner = nodes.map((_, k) => k).filter((k) => nodes[k].children.length);
  const cut = new Set();
  let alpha = 0, seen = 0;
  const strip = make("p", { class: "strip", "aria-live": "polite" });
  const picture = make("div", { class: "picture" }), words = make("div", { class: "words" });
  const open = (k) => nodes[k].children.length > 0 && !cut.has(k);
  const shown = () => { const found = [], go = (k) => { found.push(k); if (open(k)) nodes[k].children.forEach(go); }; go(0); return found; };
  const sum = (ks, of) => ks.reduce((total, k) => total + of(nodes[k]), 0);
  const below = (k) => { const found = [], go = (j) => { if (open(j)) nodes[j].children.forEach(go); else found.push(j); }; go(k); return found; };

  function measure() {
    const all = shown(), leaves = all.filter((k) => !open(k)), splits = all.filter(open);
    const error = sum(leaves, (node) => node.error);
    return { leaves: leaves.length, error, cost: error + alpha * leaves.length, unseen: sum(leaves, (node) => node.unseen_error),
      bits: sum(leaves, (node) => node.bits_leaf) + sum(splits, (node) => node.bits_split) };
  }

  const link = (k) => { const leaves = below(k); return (nodes[k].error - sum(leaves, (node) => node.error)) / (leaves.length - 1); };

  function draw() {
    const now = measure(), k = seen, node = nodes[k];
    page.dataset.state = JSON.stringify(now);
    fillTree(picture, drawTree(nodes, open, (j) => [open(j) ? cutShort(nodes[j].question) : cutShort(nodes[j].decision),
      `${short(nodes[j].error, 5)} of ${short(nodes[j].rows, 5)} wrong`],
    (j) => ({ class: `node${j === seen ? " now" : ""}${nodes[j].children.length ? "" : " fixed"}`, tabindex: 0, role: "button", "data-node": j,
      "aria-pressed": String(cut.has(j)), onclick: () => toggle(j), onfocus: () => { if (seen !== j) { seen = j; tell(); } },
      onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); toggle(j, true); } } })), legend(data.classes));
    tell();
  }

  function tell() {
    const now = measure(), node = nodes[seen], lines = [["leaves |T|", String(now.leaves)],
      [`errors of ${data.n_rows} training rows`, short(now.error, 5)], [`C_alpha = errors + ${short(alpha)} |T|`, short(now.cost, 5)],
      ["description length, bits", short(now.bits, 5)]];
    if (data.n_unseen) lines.splice(2, 0, [`errors of ${data.n_unseen} rows not seen`, short(now.unseen, 5)]);
    fill(strip, ...lines.flatMap(([name, value]) => [`${name} `, make("strong", {}, value), "   "]));
    const own = [["rows here", short(node.rows, 5)], ["errors as a leaf", short(node.error, 5)]];
    if (open(seen)) {
      const leaves = below(seen);
      own.push(["errors of its leaves", short(sum(leaves, (one) => one.error), 5)], ["alpha that cuts it", short(link(seen), 3)]);
    }
    if (node.children.length) own.push(["chi-square", `${short(node.chi_square, 3)} (critical ${short(node.critical, 3)}, ${node.freedom} d.f.)`],
      ["p", short(node.p, 2)], ["bits as a leaf", short(node.bits_leaf, 4)]);
    fill(words, make("p", {}, make("strong", {}, node.title.split("\n")[0])), facts(own),
      table(["split", "chi-square", "p", "alpha"], shown().filter(open).map((k) => [cutShort(nodes[k].question, 30), short(nodes[k].chi_square, 3),
        short(nodes[k].p, 2), short(link(k), 3)])));
  }

  function toggle(k, keep = false) {
    seen = k;
    if (nodes[k].children.length) { if (cut.has(k)) cut.delete(k); else cut.add(k); }
    draw();
    if (keep) page.querySelector(`[data-node="${k}"]`)?.focus();
  }

  /* From the leaves up, while something below alpha is left; ties go together. */
  function cutTo(limit) {
    for (;;) {
      const links = shown().filter(open).map((k) => [link(k), k]).filter(([value]) => value <= limit + 1e-9);
      if (!links.length) return;
      cut.add(links.sort((a, b) => a[0] - b[0])[0][1]);
    }
  }
  function weakest() { const links = shown().filter(open).map(link); if (links.length) { cutTo(Math.min(...links)); draw(); } }
  function insignificant() {
    for (;;) {
      const ends = shown().filter((k) => open(k) && nodes[k].children.every((child) => !open(child)) && nodes[k].p >= data.significance);
      if (!ends.length) break;
      ends.forEach((k) => cut.add(k));
    }
    draw();
  }
  const button = (text, act) => make("button", { type: "button", onclick: act }, text);
  const said = make("output", {}, "0"), largest = Math.max(1, ...inner.map((k) => data.largest_alpha));
  const slider = make("input", { type: "range", min: 0, max: largest, step: largest / 200, value: 0, "aria-label": "alpha",
    oninput: () => { alpha = Number(slider.value); said.textContent = short(alpha, 3); draw(); } });
  document.addEventListener("keydown", (event) => {
    if (event.key === "w") weakest();
    else if (event.key === "c") insignificant();
    else if (event.key === "r") { cut.clear(); draw(); }
  });
  fill(page, make("div", { class: "controls" }, button("weakest link", weakest), button("chi-square", insignificant),
    button("C_alpha at its least", () => { cut.clear(); cutTo(alpha); draw(); }), button("grow back", () => { cut.clear(); draw(); }),
    make("label", {}, "alpha", slider, said)), strip, make("div", { class: "columns wide" }, picture, words));
  draw();
  page.dataset.ready = "true";
}
