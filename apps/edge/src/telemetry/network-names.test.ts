import { rename, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { minuteCounters } from "@palisade/contract/edge/telemetry";
import { createTestFolder } from "@palisade/control-client/testing/recorder";
import { afterEach, expect, test } from "vitest";
import { mmdbOf } from "#src/testing/mmdb.ts";
import { CounterRegistry } from "./counter-registry.ts";
import type { PlayerJoin } from "./minute-details.ts";
import { NetworkNames } from "./network-names.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const shieldId = "0198f000-0000-7000-8000-000000000001";
const nowMs = Date.UTC(2031, 0, 1);

const countries = (code: string) =>
  mmdbOf([["192.0.2.0/24", { country: { iso_code: code } }]], { databaseType: "GeoLite2-Country" });
const networks = mmdbOf(
  [
    [
      "192.0.2.0/24",
      { autonomous_system_number: 64_496, autonomous_system_organization: "Exämple\u0000 Telecom" },
    ],
  ],
  { databaseType: "GeoLite2-ASN" },
);

async function folder(): Promise<string> {
  const made = await createTestFolder();
  ends.push(async () => made[Symbol.asyncDispose]());
  return made.path;
}

function namesOf(paths: readonly string[]) {
  const warnings: string[] = [];
  const log = {
    info: () => undefined,
    warn: (facts: object | string, text = "") => {
      warnings.push(typeof facts === "string" ? facts : text);
    },
  };
  return { names: new NetworkNames({ paths, log }), warnings };
}

function join1(changes: Partial<PlayerJoin> = {}): PlayerJoin {
  return { shieldId, player: "Notch", protocol: 769, ip: "192.0.2.7", ...changes };
}

/** The details of the only minute, as the control plane takes them. */
function drained(registry: CounterRegistry) {
  const [counters] = registry.drain(nowMs).minutes;
  return minuteCounters.parse(JSON.parse(JSON.stringify(counters))).details;
}

test("joins are counted by version, country and network, and the report is valid", async () => {
  const place = await folder();
  const paths = [join(place, "country.mmdb"), join(place, "asn.mmdb")];
  await writeFile(paths[0] ?? "", countries("NL"));
  await writeFile(paths[1] ?? "", networks);
  const { names } = namesOf(paths);
  await names.start();
  ends.push(async () => names.stop());
  expect([names.hasCountries, names.hasNetworks]).toEqual([true, true]);
  const registry = new CounterRegistry(nowMs);
  registry.addJoins([join1(), join1({ player: "NOTCH" }), join1({ ip: "2001:db8::1" })], names);
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
  const joins = Array.from({ length: 5_000 }, (_, n) => join1({ protocol: n, player: `P${n}` }));
  registry.addJoins(joins, NetworkNames.none());
  const details = drained(registry);
  expect(details?.tops.length).toBeLessThanOrEqual(97);
  expect(details?.tops.reduce((sum, [, count]) => sum + count, 0)).toBe(5_000);
  expect(details?.tops.every(([key]) => key.startsWith("p:"))).toBe(true);
});

test("a changed file is read again, and a damaged one leaves the former version in use", async () => {
  const path = join(await folder(), "country.mmdb");
  const { names, warnings } = namesOf([path]);
  await names.look();
  expect(names.hasCountries).toBe(false);
  expect(warnings).toHaveLength(1);
  await writeFile(path, countries("NL"));
  await names.look();
  expect(names.find("192.0.2.7")).toEqual({ country: "NL", network: undefined });
  await writeFile(`${path}.new`, countries("SE"));
  await utimes(`${path}.new`, 1, 1);
  await rename(`${path}.new`, path);
  await names.look();
  expect(names.find("192.0.2.7").country).toBe("SE");
  await writeFile(path, "no database");
  await names.look();
  await names.look();
  expect(names.find("192.0.2.7").country).toBe("SE");
  expect(warnings).toHaveLength(2);
  expect(names.find("no address")).toEqual({ country: "", network: undefined });
});
