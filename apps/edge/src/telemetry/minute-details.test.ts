import { minuteCounters } from "@palisade/contract/edge/telemetry";
import { expect, test } from "vitest";
import { CounterRegistry } from "./counter-registry.ts";
import { noPlaces, type PlaceLookup, type PlayerJoin } from "./minute-details.ts";

const shieldId = "0198f000-0000-7000-8000-000000000001";
const nowMs = Date.UTC(2031, 0, 1);
const nowhere = { country: null, asn: null, network: null };

const places: PlaceLookup = {
  hasCountries: true,
  hasNetworks: true,
  placeOf: (ip) =>
    ip === "192.0.2.7" ? { country: "NL", asn: 64_496, network: "Exämple Telecom" } : nowhere,
};

function join(changes: Partial<PlayerJoin> = {}): PlayerJoin {
  return { shieldId, player: "Notch", protocol: 769, ip: "192.0.2.7", ...changes };
}

/** The details of the only minute, as the control plane takes them. */
function drained(registry: CounterRegistry) {
  const [counters] = registry.drain(nowMs).minutes;
  return minuteCounters.parse(JSON.parse(JSON.stringify(counters))).details;
}

test("joins are counted by version, country and network, and the report is valid", () => {
  const registry = new CounterRegistry(nowMs);
  registry.addJoins([join(), join({ player: "NOTCH" }), join({ ip: "2001:db8::1" })], places);
  const details = drained(registry);
  expect(new Map(details?.tops)).toEqual(
    new Map([
      ["p:769", 3],
      ["c:NL", 2],
      ["c:", 1],
      ["n:64496 Exmple Telecom", 2],
      ["n:", 1],
    ]),
  );
  // One player, whatever the case of their name.
  expect(details?.sketch).toHaveLength(1);
});

test("without a database there are no countries, and protocol numbers that clients make up are bounded", () => {
  const registry = new CounterRegistry(nowMs);
  const joins = Array.from({ length: 5_000 }, (_, n) => join({ protocol: n, player: `P${n}` }));
  registry.addJoins(joins, noPlaces);
  const details = drained(registry);
  expect(details?.tops.length).toBeLessThanOrEqual(97);
  expect(details?.tops.reduce((sum, [, count]) => sum + count, 0)).toBe(5_000);
  expect(details?.tops.every(([key]) => key.startsWith("p:"))).toBe(true);
});
