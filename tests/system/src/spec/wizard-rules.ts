import { letters, missing, type FieldRule } from "./rules.ts";

/** The validation rules of the wizard. */

const domainMax = {
  en: "Domain must not exceed 255 characters",
  ru: "Домен не должен превышать 255 символов",
};
const domainFormat = {
  en: "The domain field format is invalid.",
  ru: "Недопустимый формат домена.",
};
const domainRequired = { en: "Domain is required", ru: "Введите домен" };
const ipFormat = {
  en: "The real ip field must be a valid IP address.",
  ru: "Поле реального IP должно содержать корректный адрес.",
};
const ipRequired = { en: "Real IP is required", ru: "Введите реальный IP" };
const portRange = {
  en: "Port must be between 1 and 65535",
  ru: "Порт должен быть от 1 до 65535",
};
const portInteger = { en: "Port must be an integer", ru: "Порт должен быть целым числом" };
const portRequired = { en: "Real port is required", ru: "Введите порт сервера" };
const nameCharacters = {
  en: "Server name can only contain letters, numbers, spaces, hyphens and underscores",
  ru: "Название сервера может содержать только буквы, цифры, пробелы, дефисы и подчёркивания",
};

export const addressRules: readonly FieldRule[] = [
  { field: "real_ip", value: missing, typed: "", ...ipRequired },
  { field: "real_ip", value: "", typed: "", ...ipRequired },
  { field: "real_ip", value: "256.1.1.1", typed: "256.1.1.1", ...ipFormat },
  { field: "real_ip", value: "1.2.3", typed: "1.2.3", ...ipFormat },
  { field: "real_ip", value: "1.2.3.4.5", typed: "1.2.3.4.5", ...ipFormat },
  { field: "real_port", value: missing, typed: "", ...portRequired },
  { field: "real_port", value: 1.5, typed: null, ...portInteger },
  { field: "real_port", value: "25565", typed: null, ...portInteger },
  { field: "real_port", value: 0, typed: "0", ...portRange },
  { field: "real_port", value: 65_536, typed: "65536", ...portRange },
];

export const domainRules: readonly FieldRule[] = [
  { field: "domain", value: missing, typed: "", ...domainRequired },
  { field: "domain", value: "", typed: "", ...domainRequired },
  {
    field: "domain",
    value: `${letters(252)}.com`,
    typed: `${letters(252)}.com`,
    ...domainMax,
  },
  { field: "domain", value: "example", typed: "example", ...domainFormat },
  { field: "domain", value: "-a.example.com", typed: "-a.example.com", ...domainFormat },
  { field: "domain", value: "a-.example.com", typed: "a-.example.com", ...domainFormat },
  { field: "domain", value: "play.example.c", typed: "play.example.c", ...domainFormat },
  { field: "domain", value: "play.example.123", typed: "play.example.123", ...domainFormat },
  {
    field: "domain",
    value: `${letters(64)}.example.com`,
    typed: `${letters(64)}.example.com`,
    ...domainFormat,
  },
];

export const cnameRules: readonly FieldRule[] = [
  {
    field: "cname_record",
    value: missing,
    typed: null,
    en: "The cname record field is required.",
    ru: "Запись CNAME обязательна.",
  },
  {
    field: "cname_record",
    value: letters(256),
    typed: null,
    en: "CNAME record must not exceed 255 characters",
    ru: "Запись CNAME не должна превышать 255 символов",
  },
];

export const nameRules: readonly FieldRule[] = [
  {
    field: "server_name",
    value: missing,
    typed: "",
    en: "Server name is required",
    ru: "Введите название сервера",
  },
  {
    field: "server_name",
    value: "   ",
    typed: "   ",
    en: "Server name is required",
    ru: "Введите название сервера",
  },
  {
    field: "server_name",
    value: letters(256),
    typed: letters(256),
    en: "Server name must not exceed 255 characters",
    ru: "Название сервера не должно превышать 255 символов",
  },
  { field: "server_name", value: "Sky!", typed: "Sky!", ...nameCharacters },
  { field: "server_name", value: "a/b", typed: "a/b", ...nameCharacters },
  { field: "server_name", value: "<b>", typed: "<b>", ...nameCharacters },
];

const choiceRules: readonly FieldRule[] = [
  {
    field: "pricing_plan_id",
    value: missing,
    typed: null,
    en: "Pricing plan ID is required",
    ru: "Выберите тариф",
  },
  {
    field: "pricing_plan_id",
    value: "7",
    typed: null,
    en: "Pricing plan ID must be valid",
    ru: "Недопустимый идентификатор тарифа",
  },
  {
    field: "location",
    value: missing,
    typed: null,
    en: "Location is required",
    ru: "Выберите локацию",
  },
];

export const wizardRules: readonly FieldRule[] = [
  ...choiceRules,
  ...nameRules,
  ...addressRules,
  ...domainRules,
  ...cnameRules,
];

/** Values at the limits, which the same rules accept. */
export const wizardBounds: readonly Pick<FieldRule, "field" | "value">[] = [
  { field: "server_name", value: letters(255) },
  { field: "server_name", value: "Мой сервер_1-2" },
  { field: "real_port", value: 1_024 },
  { field: "real_port", value: 65_535 },
  { field: "domain", value: `${letters(63)}.example.com` },
  { field: "domain", value: "play.пример.рф" },
];
