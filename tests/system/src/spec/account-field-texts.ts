import type { Texts } from "./rules.ts";

/** The texts beside the fields of the account area. */
export const fieldTexts = {
  required: { en: "Required", ru: "Обязательное поле" },
  email: { en: "Invalid email", ru: "Некорректный e-mail" },
  passwordMin: { en: "Min 9 chars", ru: "Не менее 9 символов" },
  passwordsDiffer: { en: "Passwords must match", ru: "Пароли должны совпадать" },
  terms: { en: "Accept terms", ru: "Примите условия" },
  codeMin: {
    en: "Code must be at least 6 characters",
    ru: "Код должен содержать не менее 6 символов",
  },
  codeMax: {
    en: "Code must be at most 8 characters",
    ru: "Код должен содержать не более 8 символов",
  },
  short: { en: "Too short", ru: "Слишком коротко" },
  long: { en: "Too long", ru: "Слишком длинно" },
  letters: { en: "Only letters allowed", ru: "Допускаются только буквы" },
  country: { en: "Select a valid country", ru: "Выберите страну из списка" },
  emailsDiffer: { en: "Emails must match", ru: "Адреса должны совпадать" },
  // Checked by country, instead of by length alone.
  postcode: {
    en: "Enter a valid postcode of this country",
    ru: "Введите правильный индекс этой страны",
  },
  vatId: {
    en: "Enter a valid VAT ID of this country",
    ru: "Введите правильный налоговый номер этой страны",
  },
} as const satisfies Record<string, Texts>;
