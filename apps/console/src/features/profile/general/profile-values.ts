import { updateProfileBody, type Profile } from "@palisade/contract/http/account";
import { z } from "zod";

const names = [
  "first_name",
  "last_name",
  "username",
  "address_line_1",
  "address_line_2",
  "zip_code",
  "city",
  "country",
  "company_name",
  "vat_id",
] as const;

export type ProfileValues = Record<(typeof names)[number], string>;

/** Fields that may stay empty. */
const optional: ReadonlySet<string> = new Set([
  "username",
  "address_line_2",
  "company_name",
  "vat_id",
]);

export function valuesOf(profile: Profile): ProfileValues {
  return Object.fromEntries(names.map((name) => [name, profile[name] ?? ""])) as ProfileValues;
}

/** The request body for the typed values: empty optional fields become null. */
export function bodyOf(values: ProfileValues) {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    optional.has(name) && value.trim() === "" ? null : value,
  ]);
  return Object.fromEntries(entries) as z.input<typeof updateProfileBody>;
}

/** The contract's rules, applied to typed values. */
export const profileForm = z.preprocess(
  (values) => bodyOf(values as ProfileValues),
  updateProfileBody,
);

export function isChanged(before: ProfileValues, now: ProfileValues): boolean {
  return names.some((name) => before[name].trim() !== now[name].trim());
}
