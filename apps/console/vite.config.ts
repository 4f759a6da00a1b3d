import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import babel from "@rolldown/plugin-babel";
import { lingui, linguiTransformerBabelPreset } from "@lingui/vite-plugin";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type PluginOption, type Rolldown } from "vite";
import { landingFiles, landingHead, landingPaths, renderedAhead } from "./landing/build.ts";
import { themeStylesheet, tokensStylesheet } from "./src/app/theme-stylesheet.ts";

const fileOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/**
 * Writes the theme's variables into the two theme.css at build time, so that they need no inline
 * style and are there at the first paint.
 */
function themeFiles(): Plugin {
  const sheets = new Map([
    [fileOf("src/app/theme.css"), themeStylesheet],
    [fileOf("landing/theme.css"), tokensStylesheet],
  ]);
  return {
    name: "palisade-theme",
    enforce: "pre",
    load: (id) => sheets.get(id.split("?")[0] ?? "")?.() ?? null,
  };
}

/** Compresses files once, at the best level, instead of for every visitor. */
function compressedFiles(): Plugin {
  let folder = "";
  return {
    name: "palisade-compressed",
    apply: "build",
    configResolved({ root, build }) {
      folder = path.resolve(root, build.outDir, "assets");
    },
    closeBundle() {
      for (const name of readdirSync(folder).filter((each) => /\.(js|css)$/.test(each))) {
        const file = path.join(folder, name);
        const content = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(content));
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}

/** Tells a feature's texts, such as `shield-ru`, from those that every page loads. */
function textsOfFeature(module: string | null): string | null {
  const [, feature, locale] = /features\/([^/]+)\/locales\/(\w+)\.po$/.exec(module ?? "") ?? [];
  return feature === undefined ? null : `${feature}-${locale}`;
}

const consoleFile = fileOf("index.html");
const readers = new Map<string, Set<string>>();

/** The public pages that load a module at once, and the console if it loads the module at all. */
function readersOf(id: string, chunks: Rolldown.ChunkingContext): ReadonlySet<string> {
  const add = (module: string, page: string): void => {
    const known = readers.get(module) ?? new Set();
    if (known.has(page)) return;
    readers.set(module, known.add(page));
    const { importedIds = [], dynamicallyImportedIds = [] } = chunks.getModuleInfo(module) ?? {};
    const later = page === consoleFile ? dynamicallyImportedIds : [];
    for (const each of [...importedIds, ...later]) add(each, page);
  };
  for (const page of [consoleFile, ...landingFiles]) add(page, page);
  return readers.get(id) ?? new Set();
}

/** Whether public pages load the module: it must not share a file with the console's modules. */
function isOfPublicPages(id: string, chunks: Rolldown.ChunkingContext): boolean {
  const pages = readersOf(id, chunks);
  return landingFiles.some((page) => pages.has(page));
}

/** A module's imports have its readers too, so files of these groups import each other in no circle. */
function publicGroup(id: string, chunks: Rolldown.ChunkingContext): string {
  const pages = [...readersOf(id, chunks)].map((page) => path.basename(page, ".html"));
  return `public~${pages.toSorted().join("~")}`;
}

/** The only public page that loads a module, such as its start, which renders the page. */
function onlyReaderOf(id: string, chunks: Rolldown.ChunkingContext): string | null {
  const [page, ...others] = readersOf(id, chunks);
  return page === undefined || page === consoleFile || others.length > 0
    ? null
    : path.basename(page, ".html");
}

function languagePlugins(command: "build" | "serve"): PluginOption[] {
  return [
    react(),
    lingui({ failOnMissing: command === "build", failOnCompileError: true }),
    babel({ presets: [linguiTransformerBabelPreset()] }),
  ];
}

const depths = new Map<string, number>();

/** How many modules of packages lie below the module, at most: it imports only lower ones. */
function depthOf(id: string, chunks: Rolldown.ChunkingContext): number {
  const known = depths.get(id);
  if (known !== undefined) return known;
  // A cycle of modules counts as one.
  depths.set(id, 0);
  const imported = chunks.getModuleInfo(id)?.importedIds ?? [];
  const below = imported.filter((each) => each.includes("/packages/"));
  const depth = Math.max(0, ...below.map((each) => 1 + depthOf(each, chunks)));
  depths.set(id, depth);
  return depth;
}

/** Modules of a higher group import those of lower ones, and none of their own. */
function contractGroup(id: string, chunks: Rolldown.ChunkingContext): string | null {
  if (!id.includes("/packages/")) return null;
  return ["contract", "calls", "shapes"][depthOf(id, chunks)] ?? "pages";
}

/** From the bottom up. Merged further, files of libraries import each other. */
const layers = [
  { name: "library", test: /node_modules\//, mergeBelow: 1_000 },
  // Large modules, too: otherwise higher layers take them in, and files of both import each other.
  { name: contractGroup, debugName: "contract", test: /\/packages\//, largest: 100_000 },
  { name: "base", test: /\/console\/src\/(lib|api)\// },
  // One file, because its parts import each other's.
  { name: "ui", test: /\/console\/src\/ui\//, entriesAware: false },
  // Parts of several features may import each other's.
  { name: "shared", test: /./, mergeBelow: 5_000 },
];

export default defineConfig(({ command }) => ({
  plugins: [
    themeFiles(),
    landingPaths(),
    landingHead(),
    compressedFiles(),
    renderedAhead(() => languagePlugins(command)),
    languagePlugins(command),
  ],
  build: {
    target: "es2023",
    // Fonts and pictures stay files: the content policy forbids data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [consoleFile, ...landingFiles],
      output: {
        // Keep only the group of the name: the rest lists every page that shares the file.
        chunkFileNames: ({ name, facadeModuleId }) =>
          `assets/${textsOfFeature(facadeModuleId) ?? name.split("~")[0]}-[hash].js`,
        assetFileNames: ({ names: [name = ""] }) =>
          `assets/${name.replace(/(~.*)?\.\w+$/, "")}-[hash][extname]`,
        codeSplitting: {
          groups: [
            // Every page needs all of it: one request in place of four.
            { name: "react", test: /node_modules\/(react|react-dom|scheduler|@lingui)\// },
            // The start of a public page renders it wherever it is loaded, so it gets a file that no
            // other page loads. Other pages may load its dependencies.
            { name: onlyReaderOf, debugName: "public page", includeDependenciesRecursively: false },
            // Other modules of public pages, grouped by the pages that use them. The pages' own stay
            // apart: merged with others, they would bring their styles into the console.
            {
              name: (id, chunks) =>
                id.includes("/console/landing/") && isOfPublicPages(id, chunks) ? "landing" : null,
              debugName: "landing",
              includeDependenciesRecursively: false,
              entriesAware: true,
              entriesAwareMergeThreshold: 1_000,
            },
            // The rest of what public pages load, one file for each set of readers: a page of the console
            // loads a few KB that it may not need, in place of dozens of small files.
            {
              name: (id, chunks) => (isOfPublicPages(id, chunks) ? publicGroup(id, chunks) : null),
              debugName: "public",
              includeDependenciesRecursively: false,
            },
            // Modules that every page of the console needs, in one file.
            { name: "console", tags: ["$initial"] },
            // Small modules together, which halves the requests of a page. Layer by layer: a file imports
            // no higher layer, so that no two files import each other and each runs after its imports.
            ...layers.map(
              ({ entriesAware = true, mergeBelow = 30_000, largest = 4_000, ...group }) => ({
                ...group,
                minShareCount: 2,
                maxModuleSize: largest,
                entriesAware,
                entriesAwareMergeThreshold: mergeBelow,
              }),
            ),
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ["/api", "/dev", "/sockets"].map((path) => [
        path,
        {
          target: process.env["PALISADE_API_URL"] ?? "http://127.0.0.1:8080",
          ws: path === "/sockets",
        },
      ]),
    ),
  },
}));
