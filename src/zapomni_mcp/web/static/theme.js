// Runs before the first paint, so that nobody who chose dark sees a white flash.
(() => {
  const chosen = localStorage.getItem("zapomni-theme");
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
})();
