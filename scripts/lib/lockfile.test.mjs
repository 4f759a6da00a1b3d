import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "./root.mjs";

/** npm install drops what a mirror lacks from the lockfile, and npm ci then refuses it. */
test.each([
  "package-lock.json",
  "tests/peers/package-lock.json",
  "bench/lighthouse/package-lock.json",
])("%s holds the optional packages of every platform", (file) => {
  const { packages } = JSON.parse(readFileSync(path.join(root, file), "utf8"));
  const missing = Object.entries(packages).flatMap(([place, entry]) =>
    Object.keys(entry.optionalDependencies ?? {}).filter(
      (name) => !packages[`${place}/node_modules/${name}`] && !packages[`node_modules/${name}`],
    ),
  );
  expect(missing).toEqual([]);
});
