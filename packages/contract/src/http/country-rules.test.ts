import { getAlpha2Codes } from "i18n-iso-countries";
import { describe, expect, test } from "vitest";
import { countryCodes, countryIssues, countryName, isPostcode, isVatId } from "./country-rules.ts";

test("the countries are those of ISO 3166-1, with a name in both languages", () => {
  expect([...countryCodes].toSorted()).toEqual(Object.keys(getAlpha2Codes()).toSorted());
  expect(countryName("DE", "en")).toBe("Germany");
  expect(countryName("DE", "ru")).toBe("Германия");
  for (const code of countryCodes) expect(countryName(code, "ru"), code).not.toBe(code);
});

describe("postcodes", () => {
  test.each([
    ["DE", "10115"],
    ["AT", "1010"],
    ["CH", "8001"],
    ["GB", "SW1A 1AA"],
    ["GB", "m1 1ae"],
    ["NL", "1012 AB"],
    ["PL", "00-950"],
    ["SE", "111 22"],
    ["CZ", "11000"],
    ["US", "90210-1234"],
    ["CA", "K1A 0B1"],
    ["RU", "101000"],
    ["KZ", "050000"],
    ["UA", "01001"],
    ["IE", "D02 AF30"],
    ["PT", "1000-205"],
    ["LV", "LV-1010"],
    ["JP", "100-0001"],
    ["BR", "01310-100"],
    ["IS", "101"],
    ["HK", ""],
  ])("%s has %j", (country, postcode) => {
    expect(isPostcode(country, postcode)).toBe(true);
  });

  test.each([
    ["DE", "1011"],
    ["DE", "101155"],
    ["DE", "1O115"],
    ["DE", "１０１１５"],
    ["AT", "10100"],
    ["GB", "12345"],
    ["RU", "1010000"],
    ["US", "9021"],
    ["PL", "00_950"],
  ])("%s has no %j", (country, postcode) => {
    expect(isPostcode(country, postcode)).toBe(false);
  });
});

describe("VAT ids", () => {
  test.each([
    ["DE", "DE123456789"],
    ["DE", "123456789"],
    ["AT", "ATU12345678"],
    ["FR", "FR XX 999999999"],
    ["GR", "EL123456789"],
    ["NL", "NL123456789B01"],
    ["CH", "CHE-123.456.789 MWST"],
    ["GB", "GB 123 4567 89"],
    ["RU", "7707083893"],
    ["RU", "500100732259"],
    ["KZ", "123456789012"],
    ["PE", "20123456789"],
  ])("%s has %j", (country, vatId) => {
    expect(isVatId(country, vatId)).toBe(true);
  });

  test.each([
    ["DE", "DE12345678"],
    ["DE", "FR12345678901"],
    ["AT", "AT12345678"],
    ["RU", "12345678901"],
    ["PE", "1234567"],
    ["PE", "1234567890123"],
    ["DE", "<script>"],
  ])("%s has no %j", (country, vatId) => {
    expect(isVatId(country, vatId)).toBe(false);
  });
});

test("an unknown country is the one thing told of an address in it", () => {
  expect(countryIssues({ country: "XX", zip_code: "!", vat_id: "!" })).toEqual([
    { path: "country", message: "country.invalid" },
  ]);
});

test("a postcode may be missing only where there is none", () => {
  expect(countryIssues({ country: "HK", zip_code: " " })).toEqual([]);
  expect(countryIssues({ country: "DE", zip_code: " " })).toEqual([
    { path: "zip_code", message: "required" },
  ]);
});
