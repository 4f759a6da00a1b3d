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

/** Their text is larger: the console's would grow with the first file that brings them along. */
test("no file of the console loads a style of the public pages", () => {
  const names = readdirSync(assets);
  const seen = new Set<string>();
  const visit = (text: string): void => {
    for (const name of names) {
      if (seen.has(name) || !text.includes(name)) continue;
      seen.add(name);
      if (name.endsWith(".js")) visit(readFileSync(path.join(assets, name), "utf8"));
    }
  };
  visit(readFileSync(path.join(assets, "../index.html"), "utf8"));
  expect(seen.size).toBeGreaterThan(40);
  expect(names.filter((name) => /^landing-.*\.css$/.test(name)).length).toBeGreaterThan(0);
  expect([...seen].filter((name) => name.startsWith("landing-"))).toEqual([]);
});
