/* A tree grows node by node: what every column offers there, and what is taken. */
{
  const nodes = data.nodes, order = nodes.map((_, k) => k).filter((k) => nodes[k].children.length);
  const picture = make("div", { class: "picture" }), words = make("div", { class: "words" });

  function show(step) {
    const done = new Set(order.slice(0, step));
    const now = step < order.length ? order[step] : null;
    const seen = chosen !== null && reached(chosen, done) ? chosen : now;
    fillTree(picture, drawTree(nodes, (k) => done.has(k), (k) => [
      done.has(k) ? cutShort(nodes[k].question) : k === now ? "?" : cutShort(nodes[k].children.length ? "to be split" : nodes[k].decision),
      `${short(nodes[k].counts.reduce((a, b) => a + b, 0), 5)} rows`,
    ], (k) => ({ class: `node${k === seen ? " now" : ""}`, tabindex: 0, role: "button", "data-node": k,
      onclick: () => look(k), onkeydown: (event) => { if (event.key === "Enter") look(k); } })), legend(data.classes));
    const k = seen === null ? 0 : seen, node = nodes[k];
    const most = Math.max(1e-12, ...node.offers.map((one) => one.gain));
    const bar = (value) => { const one = make("span", { class: "bar" }); one.style.width = `${(60 * Math.max(0, value)) / most}px`; return one; };
    fill(words, make("p", {}, make("strong", {}, node.title.split("\n")[0])),
      facts([[data.measure, short(node.impurity, 4)], ...data.classes.map((name, c) => [name, short(node.counts[c], 5)])]),
      node.offers.length ? table(["question", "gain", "remains", ""], node.offers.map((one) => [one.question, short(one.gain, 3),
        short(Math.max(0, node.impurity - one.gain), 3), bar(one.gain)]), done.has(k) ? node.offers.findIndex((one) => one.chosen) : -1)
        : make("p", {}, `A leaf: it decides ${node.decision}.`),
      make("p", { class: "hint" }, done.has(k) ? "The shaded question was asked." : node.offers.length ? "The question of the largest gain is asked next." : ""));
  }

  function reached(k, done) { return k === 0 || done.has(nodes[k].parent); }
  let chosen = null;
  function look(k) { chosen = k; steps.go(Number(page.dataset.step)); }
  const steps = walk(order.length, (step) => show(step), "split");
  const plain = steps.go;
  steps.controls.querySelectorAll("button, input").forEach((one) => one.addEventListener("pointerdown", () => { chosen = null; }));
  document.addEventListener("keydown", (event) => { if (event.key.startsWith("Arrow")) chosen = null; }, true);
  fill(page, steps.controls, make("div", { class: nodes.length > 15 ? "columns wide" : "columns" }, picture, words));
  plain(0);
  page.dataset.ready = "true";
}
