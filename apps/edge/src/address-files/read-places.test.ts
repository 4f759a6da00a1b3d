import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import { mmdbOf, type MmdbOptions } from "@palisade/testing/mmdb";
import fc from "fast-check";
import { expect, test } from "vitest";
import { PlaceLookup } from "#src/rules/address-lookups.ts";
import { type PlaceFile, readPlaces } from "./read-places.ts";

const countries = (options: MmdbOptions = {}) =>
  mmdbOf(
    [
      ["192.0.2.0/24", { country: { iso_code: "NL" } }],
      ["198.51.100.0/25", { registered_country: { iso_code: "ZZ" } }],
      ["203.0.113.0/24", { country: { iso_code: "not one" } }],
      ...(options.ipVersion === 4 ? [] : [["2001:db8::/33", { country_code: "AA" }] as const]),
    ],
    { databaseType: "GeoLite2-Country", ...options },
  );
const networks = mmdbOf(
  [
    ["192.0.2.0/25", { autonomous_system_number: 4_200_000_000 }],
    ["2001:db8::/32", { asn: "AS64496" }],
  ],
  { databaseType: "GeoLite2-ASN" },
);

function lookUp(...files: readonly PlaceFile[]) {
  const lookup = new PlaceLookup();
  lookup.use({
    countries: files.flatMap((file) => file.countries ?? []),
    networks: files.flatMap((file) => file.networks ?? []),
  });
  return (address: string) => lookup.find(parseIp(address) ?? new Uint8Array(4));
}

test("files of countries and of networks tell an address's place together", () => {
  for (const recordBits of [24, 28, 32] as const) {
    const placeOf = lookUp(readPlaces(countries({ recordBits })), readPlaces(networks));
    expect(placeOf("192.0.2.7")).toEqual({ country: "NL", asn: 4_200_000_000 });
    expect(placeOf("192.0.2.200")).toEqual({ country: "NL", asn: undefined });
    expect(placeOf("198.51.100.1")).toEqual({ country: "ZZ", asn: undefined });
    expect(placeOf("203.0.113.1")).toBeUndefined();
    expect(placeOf("2001:db8::1")).toEqual({ country: "AA", asn: 64_496 });
    expect(placeOf("2001:db8:8000::1")).toEqual({ country: undefined, asn: 64_496 });
    expect(placeOf("2001:db9::1")).toBeUndefined();
  }
});

test("a file of IPv4 alone tells nothing of IPv6", () => {
  const placeOf = lookUp(readPlaces(countries({ ipVersion: 4 })));
  expect(placeOf("192.0.2.0")).toEqual({ country: "NL", asn: undefined });
  expect(placeOf("192.0.1.255")).toBeUndefined();
  expect(placeOf("2001:db8::1")).toBeUndefined();
});

test("a damaged file is refused or read, and no address of it makes a look-up fail", () => {
  const whole = [countries(), networks];
  fc.assert(
    fc.property(
      fc.constantFrom(...whole),
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 8 }),
      fc.nat({ max: 64 }),
      fc.uint8Array({ minLength: 4, maxLength: 4 }),
      (file, changes, cut, address) => {
        const bytes = Buffer.from(file.subarray(0, file.length - cut));
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        let read: PlaceFile;
        try {
          read = readPlaces(bytes);
        } catch {
          return;
        }
        const place = lookUp(read)([...address].join("."));
        if (place?.country !== undefined) expect(place.country).toMatch(/^[A-Z]{2}$/);
      },
    ),
    { numRuns: 300 },
  );
});
