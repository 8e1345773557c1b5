/** Show the widget of a page without a front end, light or dark as the system is. */
function showPage(model) {
  const page = document.getElementById("page");
  render({ model, el: page });
  /** @type {HTMLElement | null} */
  const bench = page.querySelector("[tabindex]");
  if (parent === window) bench?.focus({ preventScroll: true }); // its keys work at once

  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const dim = () => document.body.classList.toggle("dark", scheme.matches);
  scheme.addEventListener("change", dim);
  dim();
}
