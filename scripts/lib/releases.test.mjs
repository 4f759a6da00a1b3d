import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { releases } from "@palisade/minecraft-protocol/java/releases";
import { releasesModule, releasesOf } from "./releases.mjs";

const entries = [
  { minecraftVersion: "26.1", version: 775, releaseType: "release" },
  { minecraftVersion: "26.1-rc-1", version: 1073742000, releaseType: "snapshot" },
  { minecraftVersion: "1.8-pre1", version: 44 },
  { minecraftVersion: "1.21.11", version: 774, releaseType: "release" },
  { minecraftVersion: "14w02a", version: 5 },
  { minecraftVersion: "1.5.2", version: 61 },
  { minecraftVersion: "1.10", version: 210 },
  { minecraftVersion: "1.9.4", version: 110 },
  { minecraftVersion: "1.5.1", version: 60 },
];
const table = [
  ["1.5.2", 61],
  ["1.9.4", 110],
  ["1.10", 210],
  ["1.21.11", 774],
  ["26.1", 775],
];

test("releases come oldest first, without snapshots and versions before 1.5.2", () => {
  expect(releasesOf(entries, [])).toEqual(table);
});

test("an update that loses a version, or gives it another number, is refused", () => {
  expect(() => releasesOf(entries, [["1.9.3", 110]])).toThrow("1.9.3 was 110 and would be gone");
  expect(() => releasesOf(entries, [["1.10", 209]])).toThrow("1.10 was 209 and would be 210");
});

test("the table in the repository is what the command writes", () => {
  const file = new URL("../../packages/minecraft-protocol/src/java/releases.ts", import.meta.url);
  expect(readFileSync(file, "utf8")).toBe(releasesModule(releases));
});
