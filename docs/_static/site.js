/* Names for the arrows of the menu, which the theme leaves without: a screen reader says what they open. */
document.addEventListener("DOMContentLoaded", () => {
  for (const arrow of document.querySelectorAll("details > summary:has(.toctree-toggle)")) {
    const link = arrow.closest("li")?.querySelector("a");
    arrow.setAttribute("aria-label", `Pages below ${link?.textContent.trim() ?? "this"}`);
  }
});
