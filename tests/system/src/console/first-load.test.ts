import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { checkout } from "../product/checkout.ts";

const dist = path.join(checkout, "apps/console/dist");

/** Scripts and styles of the document: what it names is all that its modules import statically. */
function entryFiles(): string[] {
  const html = readFileSync(path.join(dist, "index.html"), "utf8");
  return [...html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map(([, file = ""]) => file);
}

/** The console waits for the words of one language: it counts with the one that takes more. */
function largerLanguage(): number {
  const files = readdirSync(path.join(dist, "assets")).filter((name) =>
    /^(en|ru)-[\w-]{8}\.js$/.test(name),
  );
  expect(files.map((name) => name.slice(0, 2)).toSorted()).toEqual(["en", "ru"]);
  return Math.max(...files.map((name) => compressed(`assets/${name}`)));
}

function compressed(file: string): number {
  return gzipSync(readFileSync(path.join(dist, file)), { level: 9 }).length;
}

test("before the first page's own code the console needs at most 180 KB compressed", () => {
  const files = entryFiles();
  expect(files).toContain("boot.js");
  const bytes = files.reduce((sum, file) => sum + compressed(file), largerLanguage());
  expect(bytes).toBeGreaterThan(100 * 1_024);
  expect(bytes).toBeLessThanOrEqual(180 * 1_024);
});

test("no other page loads what starts a public one: it would be drawn over the console", () => {
  const scripts = readdirSync(path.join(dist, "assets")).filter((name) => name.endsWith(".js"));
  const imported = new Set(
    scripts.flatMap((name) => {
      const code = readFileSync(path.join(dist, "assets", name), "utf8");
      return [...code.matchAll(/(?:from|import)\s*\(?["`']\.\/([^"`']+\.js)["`']/g)].map(
        ([, file = ""]) => file,
      );
    }),
  );
  expect(imported.size).toBeGreaterThan(20);
  const pages = readdirSync(path.join(dist, "landing")).filter((name) => name.endsWith(".html"));
  expect(pages).toHaveLength(6);
  for (const page of pages) {
    const html = readFileSync(path.join(dist, "landing", page), "utf8");
    // The page names what it needs in order, itself last.
    const named = html.matchAll(/<script type="module"[^>]*src="\/assets\/([^"]+)"/g);
    const start = [...named].at(-1)?.[1];
    expect(scripts, page).toContain(start);
    expect(imported, page).not.toContain(start);
  }
});
