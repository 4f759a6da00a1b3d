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
  const root = document.documentElement;
  root.dataset.mantineColorScheme = stored("persist: theme").mode === "light" ? "light" : "dark";
  const known = (language) => language === "en" || language === "ru";
  const wanted = navigator.languages.map((language) => language.slice(0, 2).toLowerCase());
  root.lang = [stored("persist: locale").locale, ...wanted].find(known) ?? "en";
})();
