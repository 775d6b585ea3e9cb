/* What the theme and Sphinx leave out for screen readers. */
document.addEventListener("DOMContentLoaded", () => {
  // Arrows of the menu have no name.
  for (const arrow of document.querySelectorAll("details > summary:has(.toctree-toggle)")) {
    const link = arrow.closest("li")?.querySelector("a");
    arrow.setAttribute("aria-label", `Pages below ${link?.textContent.trim() ?? "this"}`);
  }
  // The name of the search button is the text that is seen; on a phone none is.
  for (const button of document.querySelectorAll(".search-button-field")) {
    button.setAttribute("aria-label", button.innerText.trim().replace(/\s+/g, " ") || "Search");
  }
  // An empty corner of a table is no header.
  for (const head of document.querySelectorAll("th")) {
    if (head.textContent.trim()) continue;
    const cell = document.createElement("td");
    cell.className = head.className;
    head.replaceWith(cell);
  }
  // Roles of references that are deprecated, or that their children contradict.
  for (const list of document.querySelectorAll(".citation-list[role], .citation[role]")) list.removeAttribute("role");
});
