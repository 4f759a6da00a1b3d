import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "./root.mjs";

/** npm install removes packages that a mirror lacks from the lockfile, which npm ci then refuses. */
test.each([
  "package-lock.json",
  "tests/peers/package-lock.json",
  "bench/lighthouse/package-lock.json",
])("%s holds the optional packages of every platform", (file) => {
  const { packages } = JSON.parse(readFileSync(path.join(root, file), "utf8"));
  const missing = Object.entries(packages).flatMap(([folder, entry]) =>
    Object.keys(entry.optionalDependencies ?? {}).filter(
      (name) => !packages[`${folder}/node_modules/${name}`] && !packages[`node_modules/${name}`],
    ),
  );
  expect(missing).toEqual([]);
});
