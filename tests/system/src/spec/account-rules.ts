import { fieldTexts as texts } from "./account-field-texts.ts";
import { letters, missing, type FieldRule, type Texts } from "./rules.ts";

/** The validation rules of the auth pages and of the profile. */

/** The rules of a field that must not be left out or empty. */
const needed = (field: string, empty: Texts = texts.required): readonly FieldRule[] => [
  { field, value: missing, typed: null, ...texts.required },
  { field, value: "", typed: "", ...empty },
];

/** The value that is typed is the value that is sent. */
const wrong = (field: string, value: string, said: Texts): FieldRule => ({
  field,
  value,
  typed: value,
  ...said,
});

const confirmationRules: readonly FieldRule[] = [
  ...needed("password_confirmation"),
  wrong("password_confirmation", "something else", texts.passwordsDiffer),
];

export const emailRules: readonly FieldRule[] = [
  ...needed("email"),
  wrong("email", "anna", texts.email),
  wrong("email", "a@b", texts.email),
];

export const newPasswordRules: readonly FieldRule[] = [
  ...needed("password", texts.passwordMin),
  wrong("password", "8letters", texts.passwordMin),
  ...confirmationRules,
];

export const termsRules: readonly FieldRule[] = [
  { field: "accept_privacy_policy", value: missing, typed: null, ...texts.terms },
  { field: "accept_privacy_policy", value: false, typed: false, ...texts.terms },
];

export const loginRules: readonly FieldRule[] = [...emailRules, ...needed("password")];

export const codeRules: readonly FieldRule[] = [
  ...needed("code", texts.codeMin),
  wrong("code", "12345", texts.codeMin),
  wrong("code", "123456789", texts.codeMax),
];

/** The code of an authenticator or a backup code, which a login may leave out. */
export const loginCodeRules: readonly FieldRule[] = codeRules
  .filter(({ value }) => value !== missing)
  .map((rule) => ({ ...rule, field: "two_factor_code" }));

export const emailChangeRules: readonly FieldRule[] = [
  ...emailRules,
  ...needed("email_confirmation"),
  wrong("email_confirmation", "other@example.com", texts.emailsDiffer),
];

export const passwordChangeRules: readonly FieldRule[] = [
  ...needed("current_password"),
  ...needed("password", texts.short),
  wrong("password", "8letters", texts.short),
  ...confirmationRules,
];

const nameRules = (field: string): readonly FieldRule[] => [
  ...needed(field),
  wrong(field, "J", texts.short),
  wrong(field, letters(51), texts.long),
  wrong(field, "J0hn", texts.letters),
  wrong(field, "Ann3", texts.letters),
];

export const profileRules: readonly FieldRule[] = [
  ...nameRules("first_name"),
  ...nameRules("last_name"),
  ...needed("address_line_1"),
  wrong("address_line_1", letters(51), texts.long),
  wrong("address_line_2", letters(51), texts.long),
  ...needed("zip_code"),
  wrong("zip_code", "1011", texts.postcode),
  ...needed("city"),
  wrong("city", letters(31), texts.long),
  ...needed("country"),
  // The page offers countries of the list alone.
  { ...wrong("country", "Narnia", texts.country), typed: null },
  { ...wrong("country", "ZZ", texts.country), typed: null },
  wrong("company_name", letters(51), texts.long),
  wrong("vat_id", "DE12", texts.vatId),
];

/** Values at the limits, which the same rules accept. */
export const profileBounds: readonly Pick<FieldRule, "field" | "value">[] = [
  { field: "first_name", value: "Anna-Lena" },
  { field: "first_name", value: "Д’Артаньян" },
  { field: "last_name", value: "van der Berg" },
  { field: "vat_id", value: "DE123456789" },
  { field: "vat_id", value: null },
];
