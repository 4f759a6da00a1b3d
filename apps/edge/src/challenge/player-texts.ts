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
