import type { Profile } from "@palisade/contract/http/account";
import { describe, expect, test } from "vitest";
import { bodyOf, isChanged, profileForm, valuesOf } from "./profile-values.ts";

const empty: Profile = {
  email: "anna@example.com",
  pending_email: null,
  username: null,
  api_key: null,
  two_factor_enabled: false,
  email_notifications: true,
  discord_webhook_url: null,
  discord_invite_url: null,
  operator_email: null,
  first_name: null,
  last_name: null,
  address_line_1: null,
  address_line_2: null,
  zip_code: null,
  city: null,
  country: null,
  company_name: null,
  vat_id: null,
  vat_id_check: { state: "not_checked", answered_at: null },
};
const anna = {
  ...valuesOf(empty),
  first_name: "Anna",
  last_name: "O’Neill-Smith",
  address_line_1: "Hauptstr. 1",
  zip_code: "10115",
  city: "Berlin",
  country: "DE",
};

/** Field and message key of each error. */
function errorsOf(values: typeof anna): string[] {
  const result = profileForm.safeParse(values);
  return result.success
    ? []
    : result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

describe("the profile's form", () => {
  test("empty optional fields are valid and are sent as null", () => {
    expect(errorsOf(anna)).toEqual([]);
    expect(bodyOf(anna)).toMatchObject({ username: null, vat_id: null, address_line_2: null });
  });

  test("an empty form names every field that is required", () => {
    const fields = errorsOf(valuesOf(empty)).map((text) => text.split(":")[0]);
    expect([...new Set(fields)].toSorted((a = "", b = "") => a.localeCompare(b))).toEqual([
      "address_line_1",
      "city",
      "country",
      "first_name",
      "last_name",
    ]);
  });

  test("postcode and VAT id follow the rules of the country", () => {
    expect(errorsOf({ ...anna, zip_code: "SW1A 1AA", vat_id: "DE12" })).toEqual([
      "zip_code: zip_code.invalid",
      "vat_id: vat_id.invalid",
    ]);
    expect(errorsOf({ ...anna, country: "GB", zip_code: "SW1A 1AA" })).toEqual([]);
  });

  test("all errors are reported at once", () => {
    expect(errorsOf({ ...anna, first_name: "7", zip_code: "SW1A 1AA" })).toEqual([
      "first_name: name.short",
      "first_name: name.letters",
      "zip_code: zip_code.invalid",
    ]);
    expect(errorsOf({ ...anna, city: "", country: "", vat_id: "x" })).toEqual([
      "city: required",
      "country: required",
      "country: country.invalid",
    ]);
  });

  test("spaces around a value do not count as a change", () => {
    expect(isChanged(anna, { ...anna, city: " Berlin " })).toBe(false);
    expect(isChanged(anna, { ...anna, city: "Bonn" })).toBe(true);
  });
});
