/* The order of what search finds: common questions, guides and examples, the reference, records of the past. */
const RECORDS = /^(decisions|course|architecture|benchmarks|changelog|contributing)/;
var Scorer = {
  score: ([page, title, anchor, about, score]) =>
    score + (page === "questions" ? 30 : page.startsWith("reference/") ? 0 : RECORDS.test(page) ? -30 : 12),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
