/* The order of what search finds: a page or class of the very name that is asked for, common questions, guides and
   examples, the reference, records of the past. */
const RECORDS = /^(decisions|course|architecture|benchmarks|changelog|contributing)/;
const ASKED = new URLSearchParams(window.location.search).get("q")?.trim() ?? "";
const isNamed = (page, title) =>
  page.startsWith("reference/")
    ? title === ASKED || title === `hedgerow.${ASKED}`
    : title.toLowerCase() === ASKED.toLowerCase();
var Scorer = {
  score: ([page, title, anchor, about, score]) =>
    score +
    (isNamed(page, title) ? (page.includes(".dask.") ? 35 : 40) : 0) +
    (page === "questions" ? 30 : page.startsWith("reference/") ? 0 : RECORDS.test(page) ? -30 : 12),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
