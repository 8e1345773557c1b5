// The start of a page without Python: the widget, in front of the kernel above.

const living = livingModel(JSON.parse(document.getElementById("data").textContent));
const page = document.getElementById("page");
render({ model: living, el: page });
page.querySelector("[tabindex]")?.focus({ preventScroll: true }); // its keys work at once

const scheme = matchMedia("(prefers-color-scheme: dark)");
const dim = () => document.body.classList.toggle("dark", scheme.matches);
scheme.addEventListener("change", dim);
dim();
