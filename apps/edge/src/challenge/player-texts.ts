/** Texts that players read in the limbo, in the language of their game. */
export type PlayerLanguage = "en" | "ru";

const progress: Readonly<Record<PlayerLanguage, string>> = {
  en: "Checking your connection… {n} of {m}",
  ru: "Проверяем соединение… {n} из {m}",
};

/** @param n the check that begins, from 1 on; `m`: how many there are */
export function progressText(language: PlayerLanguage, n: number, m: number): string {
  return progress[language].replace("{n}", String(n)).replace("{m}", String(m));
}

const clicks: Readonly<Record<PlayerLanguage, string>> = {
  en: "Click with the left mouse button. Clicks left: {n}",
  ru: "Нажимайте левую кнопку мыши. Осталось нажатий: {n}",
};

/** @param n clicks that are still missing */
export function clickText(language: PlayerLanguage, n: number): string {
  return clicks[language].replace("{n}", String(n));
}
