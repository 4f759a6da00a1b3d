// Puts the stored theme and language on <html> before any style is applied. A file of its own,
// because the content policy forbids inline scripts.
(() => {
  // zod would try out whether it may build functions from text, which the content policy forbids: every
  // page would report a violation.
  globalThis.__zod_globalConfig = { jitless: true };
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
  // Public pages are rendered in the language of `data-rendered`; a link may ask for either one.
  const { rendered } = root.dataset;
  const asked = rendered && new URLSearchParams(location.search).get("lang");
  root.lang = [asked, stored("persist: locale").locale, ...wanted].find(known) ?? "en";
  // Public pages are rendered for signed-out visitors. For others they stay hidden until the script ran.
  if (rendered && (rendered !== root.lang || hasToken())) root.dataset.pending = "";
  // If the script fails to load, the rendered page is shown after all.
  const reveal = ({ target }) => target.tagName !== "IMG" && delete root.dataset.pending;
  addEventListener("error", reveal, true);
})();
