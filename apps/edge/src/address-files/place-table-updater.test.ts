import { rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import { mmdbOf } from "@palisade/testing/mmdb";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PlaceLookup } from "#src/rules/address-lookups.ts";
import { PlaceTableUpdater } from "./place-table-updater.ts";

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
let updater: PlaceTableUpdater | undefined;
beforeEach(async () => {
  folder = await createTemporaryFolder("places");
});
afterEach(async () => {
  updater?.stop();
  await folder.remove();
});

const countries = (code: string) =>
  mmdbOf([["192.0.2.0/24", { country: { iso_code: code } }]], { databaseType: "DBIP-Country" });

test("rules use a file once it is there, its next version, and its last good one where it is damaged", async () => {
  const file = path.join(folder.path, "country.mmdb");
  const lookup = new PlaceLookup();
  const warnings: string[] = [];
  updater = new PlaceTableUpdater({
    paths: [file],
    onTable: (table) => lookup.use(table),
    log: { info: () => undefined, warn: (_facts, text) => void warnings.push(text) },
  });
  const address = parseIp("192.0.2.7") ?? new Uint8Array(4);
  const replace = async (bytes: Buffer): Promise<void> => {
    await writeFile(`${file}.new`, bytes);
    await rename(`${file}.new`, file);
    await updater?.look();
  };
  await updater.start();
  expect(lookup.find(address)).toBeUndefined();
  expect(warnings).toHaveLength(1);
  await replace(countries("NL"));
  expect(lookup.find(address)?.country).toBe("NL");
  await replace(Buffer.from("no database"));
  expect(lookup.find(address)?.country).toBe("NL");
  expect(warnings).toHaveLength(2);
  await updater.look();
  expect(warnings).toHaveLength(2);
  await replace(countries("SE"));
  expect(lookup.find(address)?.country).toBe("SE");
});
