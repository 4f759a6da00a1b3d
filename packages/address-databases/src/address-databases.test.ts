import { rename, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { mmdbOf } from "@palisade/testing/mmdb";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AddressDatabases, addressFilesMax } from "./address-databases.ts";

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
beforeEach(async () => {
  folder = await createTemporaryFolder("address-databases");
});
afterEach(() => folder.remove());

const countries = (code: string) =>
  mmdbOf([["192.0.2.0/24", { country: { iso_code: code } }]], { databaseType: "GeoLite2-Country" });
const networks = mmdbOf(
  [
    [
      "192.0.2.0/24",
      { autonomous_system_number: 64_496, autonomous_system_organization: "Exämple\0 Telecom" },
    ],
  ],
  { databaseType: "GeoLite2-ASN" },
);
const nowhere = { country: null, asn: null, network: null };

function databasesOf(...names: readonly string[]) {
  const warnings: string[] = [];
  const log = {
    info: () => undefined,
    warn: (_: object, text: string) => void warnings.push(text),
  };
  const paths = names.map((name) => path.join(folder.path, name));
  return { databases: new AddressDatabases({ paths, log }), paths, warnings };
}

test("several files tell an address's country and network together", async () => {
  const { databases, paths } = databasesOf("country.mmdb", "asn.mmdb");
  await writeFile(paths[0] ?? "", countries("NL"));
  await writeFile(paths[1] ?? "", networks);
  await databases.start();
  databases.stop();
  expect([databases.hasCountries, databases.hasNetworks]).toEqual([true, true]);
  const place = { country: "NL", asn: 64_496, network: "Exämple Telecom" };
  expect(databases.placeOf("192.0.2.7")).toEqual(place);
  expect(databases.placeOf("2001:db8::1")).toEqual(nowhere);
  expect(databases.placeOf("no address")).toEqual(nowhere);
});

test("a changed file is read again, and a damaged one leaves the former version in use", async () => {
  const { databases, paths, warnings } = databasesOf("country.mmdb");
  const [file = ""] = paths;
  await databases.look();
  expect(databases.hasCountries).toBe(false);
  expect(warnings).toHaveLength(1);
  await writeFile(file, countries("NL"));
  await databases.look();
  expect(databases.placeOf("192.0.2.7")).toEqual({ ...nowhere, country: "NL" });
  await writeFile(`${file}.new`, countries("SE"));
  await utimes(`${file}.new`, 1, 1);
  await rename(`${file}.new`, file);
  await databases.look();
  expect(databases.placeOf("192.0.2.7").country).toBe("SE");
  await writeFile(file, "no database");
  await databases.look();
  await databases.look();
  expect(databases.placeOf("192.0.2.7").country).toBe("SE");
  expect(warnings).toHaveLength(2);
});

test("without files every place is unknown", async () => {
  await AddressDatabases.none().start();
  expect(AddressDatabases.none().placeOf("192.0.2.7")).toEqual(nowhere);
});

test("files after the eighth are not used, and the log says so at the start", async () => {
  const names = Array.from({ length: addressFilesMax }, (_, n) => `country-${n}.mmdb`);
  const { databases, paths, warnings } = databasesOf(...names, "asn.mmdb");
  for (const file of paths) await writeFile(file, countries("NL"));
  await writeFile(paths.at(-1) ?? "", networks);
  await databases.start();
  databases.stop();
  expect([databases.hasCountries, databases.hasNetworks]).toEqual([true, false]);
  expect(warnings).toEqual(["there are too many databases of addresses; these are not used"]);
});
