// Runs before the first paint, as a file of its own because the content policy forbids inline
// scripts: the stored theme and language must be on <html> before any style is applied.
(() => {
  const stored = (key) => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? "null")?.state ?? {};
    } catch {
      return {};
    }
  };
  const hasToken = () => {
    try {
      return localStorage.getItem("access_token") !== null;
    } catch {
      return false;
    }
  };
  const root = document.documentElement;
  root.dataset.mantineColorScheme = stored("persist: theme").mode === "light" ? "light" : "dark";
  const known = (language) => language === "en" || language === "ru";
  const wanted = navigator.languages.map((language) => language.slice(0, 2).toLowerCase());
  // Public pages come rendered, in the language of `data-rendered`, and can be linked to in either.
  const { rendered } = root.dataset;
  const asked = rendered && new URLSearchParams(location.search).get("lang");
  root.lang = [asked, stored("persist: locale").locale, ...wanted].find(known) ?? "en";
  // Rendered for a stranger: what does not fit this visitor stays hidden until the script has run.
  if (rendered && (rendered !== root.lang || hasToken())) root.dataset.pending = "";
  // If the script does not come, or fails, what was rendered is better than nothing.
  const reveal = ({ target }) => target.tagName !== "IMG" && delete root.dataset.pending;
  addEventListener("error", reveal, true);
})();
