import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const assets = fileURLToPath(new URL("../../../../apps/console/dist/assets/", import.meta.url));
const staticImport = /(?:import|from)\s*"\.\/([^"]+\.js)"/g;

/** Two files that import each other run in an order that depends on which was loaded first. */
test("no two files of the built console import each other, directly or through others", () => {
  const imports = new Map(
    readdirSync(assets)
      .filter((file) => file.endsWith(".js"))
      .map((file) => {
        const text = readFileSync(path.join(assets, file), "utf8");
        return [file, [...text.matchAll(staticImport)].map(([, target = ""]) => target)];
      }),
  );
  expect(imports.size).toBeGreaterThan(20);
  const done = new Set<string>();
  const visit = (file: string, above: readonly string[]): void => {
    expect(above, [...above, file].join(" -> ")).not.toContain(file);
    if (done.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...above, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
});
