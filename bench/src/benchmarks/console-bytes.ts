import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { entryFiles, manifest } from "#src/console/entry-sizes.ts";
import { checkout } from "#src/paths.ts";
import type { Row } from "#src/report/row.ts";
import type { Benchmark } from "./benchmark.ts";

const kilobyte = 1_024;
/** Lazy parts that are listed; the others are summed up. */
const lazyShown = 12;

const consoleEntry = "index.html";
const publicEntries = ["index", "terms", "privacy"].map((name) => `landing/${name}.en.html`);
/** The console renders when the texts of the language are loaded. */
const languageFiles = ["src/locales/en.po", "src/locales/ru.po"];

/** Scripts and styles, without fonts, that a browser fetches for each entry of the console's build. */
export const consoleBytes: Benchmark = {
  name: "console",
  async run({ say }) {
    say("console: building with a manifest");
    const folder = await createTemporaryFolder("bench-console");
    try {
      const vite = path.join(checkout, "node_modules/vite/bin/vite.js");
      const args = [vite, "build", "--outDir", folder.path, "--emptyOutDir"];
      await promisify(execFile)(process.execPath, [...args, "--manifest", "manifest.json"], {
        cwd: path.join(checkout, "apps/console"),
        env: { ...process.env, NODE_ENV: "production" },
      });
      const textOf = (name: string) => readFile(path.join(folder.path, name), "utf8");
      const pages = new Map<string, string>();
      for (const name of [consoleEntry, ...publicEntries]) pages.set(name, await textOf(name));
      const given = manifest.parse(JSON.parse(await textOf("manifest.json")));
      const sized = entryFiles(given, pages).map((entry) => ({
        ...entry,
        ...sizesOf(entry.files.map((file) => path.join(folder.path, file))),
      }));
      return [firstLoad(sized), ...rowsOf(sized)];
    } finally {
      await folder.remove();
    }
  },
};

interface Sizes {
  readonly gzip: number;
  readonly brotli: number;
}

function sizesOf(files: readonly string[]): Sizes {
  let gzip = 0;
  let brotli = 0;
  for (const file of files) {
    const bytes = readFileSync(file);
    gzip += gzipSync(bytes, { level: 9 }).length;
    brotli += brotliCompressSync(bytes).length;
  }
  return { gzip, brotli };
}

type Sized = Sizes & { readonly name: string; readonly isLazy: boolean };

/** The files that every page of the console needs before its own code. */
function firstLoad(entries: readonly Sized[]): Row {
  const of = (name: string): Sizes => {
    const found = entries.find((entry) => entry.name === name);
    if (found === undefined) throw new Error(`The build has no ${name}`);
    return found;
  };
  const language = languageFiles.map(of).reduce((a, b) => (a.gzip > b.gzip ? a : b));
  const parts = [of(consoleEntry), language];
  const sum = (key: keyof Sizes): number => parts.reduce((bytes, part) => bytes + part[key], 0);
  return {
    ...row("first load", { gzip: sum("gzip"), brotli: sum("brotli") }),
    aim: { of: "value", is: "at most", limit: 180 },
    note: `${consoleEntry} and the larger language, before the first page's own code`,
  };
}

function row(measure: string, { gzip, brotli }: Sizes, note = ""): Row {
  return {
    benchmark: "console",
    measure,
    unit: "KB gzip",
    value: gzip / kilobyte,
    others: { brotli: brotli / kilobyte },
    note,
  };
}

function rowsOf(entries: readonly Sized[]): Row[] {
  const lazy = entries.filter(({ isLazy }) => isLazy).sort((a, b) => b.gzip - a.gzip);
  const rest = lazy.slice(lazyShown);
  const sum = (key: keyof Sizes): number => rest.reduce((bytes, entry) => bytes + entry[key], 0);
  return [
    ...entries
      .filter(({ isLazy }) => !isLazy)
      .map((entry) => row(entry.name, entry, noteOf(entry.name))),
    ...lazy.slice(0, lazyShown).map((entry) => row(`+ ${entry.name}`, entry)),
    row(`+ ${rest.length} smaller ones together`, { gzip: sum("gzip"), brotli: sum("brotli") }),
  ];
}

function noteOf(entry: string): string {
  return entry.startsWith("landing/") ? "the whole page" : "without texts";
}
