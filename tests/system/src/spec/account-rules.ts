import { locales } from "@palisade/contract/texts/render";
import { letters, missing, type FieldRule } from "./rules.ts";

/** Account specification, section 5, "Auth", "Profile (General)" and "Security". */

const required = { en: "Required", ru: "Обязательное поле" };
const emailFormat = { en: "Invalid email", ru: "Некорректный e-mail" };
const passwordMin = { en: "Min 9 chars", ru: "Не менее 9 символов" };
const passwordShort = { en: "Too short", ru: "Слишком коротко" };
const passwordsDiffer = { en: "Passwords must match", ru: "Пароли должны совпадать" };
const tooShort = { en: "Too short", ru: "Слишком коротко" };
const tooLong = { en: "Too long", ru: "Слишком длинно" };
const onlyLetters = { en: "Only letters allowed", ru: "Допускаются только буквы" };
const country = { en: "Select a valid country", ru: "Выберите страну из списка" };
const codeMin = {
  en: "Code must be at least 6 characters",
  ru: "Код должен содержать не менее 6 символов",
};
const codeMax = {
  en: "Code must be at most 8 characters",
  ru: "Код должен содержать не более 8 символов",
};

export const emailRules: readonly FieldRule[] = [
  { field: "email", value: missing, typed: "", ...required },
  { field: "email", value: "", typed: "", ...required },
  { field: "email", value: "nobody", typed: "nobody", ...emailFormat },
  { field: "email", value: "a@b", typed: "a@b", ...emailFormat },
];

/** Of calls that are limited by the address, wrong ones too: each language has its own. */
export const mailedEmailRules: readonly FieldRule[] = [
  { field: "email", value: missing, typed: "", ...required },
  ...locales.map((locale) => ({
    field: "email",
    value: `nobody-${locale}`,
    typed: null,
    only: locale,
    ...emailFormat,
  })),
];

export const newPasswordRules: readonly FieldRule[] = [
  { field: "password", value: missing, typed: "", ...required },
  { field: "password", value: "8letters", typed: "8letters", ...passwordMin },
  {
    field: "password_confirmation",
    value: "something else",
    typed: "something else",
    ...passwordsDiffer,
  },
];

export const termsRule: FieldRule = {
  field: "accept_privacy_policy",
  value: false,
  typed: null,
  en: "Accept terms",
  ru: "Примите условия",
};

export const loginRules: readonly FieldRule[] = [
  ...emailRules,
  { field: "password", value: missing, typed: "", ...required },
];

export const codeRules: readonly FieldRule[] = [
  { field: "code", value: missing, typed: "", ...required },
  { field: "code", value: "12345", typed: "12345", ...codeMin },
  { field: "code", value: "123456789", typed: "123456789", ...codeMax },
];

export const emailChangeRules: readonly FieldRule[] = [
  { field: "email", value: missing, typed: "", ...required },
  { field: "email", value: "nobody", typed: "nobody", ...emailFormat },
  {
    field: "email_confirmation",
    value: "other@example.com",
    typed: "other@example.com",
    en: "Emails must match",
    ru: "Адреса должны совпадать",
  },
];

export const passwordChangeRules: readonly FieldRule[] = [
  { field: "current_password", value: missing, typed: "", ...required },
  { field: "password", value: "8letters", typed: "8letters", ...passwordShort },
  {
    field: "password_confirmation",
    value: "something else",
    typed: "something else",
    ...passwordsDiffer,
  },
];

const nameRules = (field: string): readonly FieldRule[] => [
  { field, value: missing, typed: "", ...required },
  { field, value: "J", typed: "J", ...tooShort },
  { field, value: letters(51), typed: letters(51), ...tooLong },
  { field, value: "J0hn", typed: "J0hn", ...onlyLetters },
  { field, value: "Ann3", typed: "Ann3", ...onlyLetters },
];

export const profileRules: readonly FieldRule[] = [
  ...nameRules("first_name"),
  ...nameRules("last_name"),
  { field: "address_line_1", value: missing, typed: "", ...required },
  { field: "address_line_1", value: letters(51), typed: letters(51), ...tooLong },
  { field: "address_line_2", value: letters(51), typed: letters(51), ...tooLong },
  { field: "zip_code", value: missing, typed: "", ...required },
  {
    field: "zip_code",
    value: "1011",
    typed: "1011",
    en: "Enter a valid postcode of this country",
    ru: "Введите правильный индекс этой страны",
  },
  { field: "city", value: missing, typed: "", ...required },
  { field: "city", value: letters(31), typed: letters(31), ...tooLong },
  { field: "country", value: missing, typed: null, ...required },
  { field: "country", value: "Narnia", typed: null, ...country },
  { field: "country", value: "ZZ", typed: null, ...country },
  { field: "company_name", value: letters(51), typed: letters(51), ...tooLong },
  {
    field: "vat_id",
    value: "DE12",
    typed: "DE12",
    en: "Enter a valid VAT ID of this country",
    ru: "Введите правильный налоговый номер этой страны",
  },
];

/** What the same rules still let through (decision 17). */
export const profileBounds: readonly Pick<FieldRule, "field" | "value">[] = [
  { field: "first_name", value: "Anna-Lena" },
  { field: "first_name", value: "Д’Артаньян" },
  { field: "last_name", value: "van der Berg" },
  { field: "vat_id", value: "DE123456789" },
  { field: "vat_id", value: null },
];
