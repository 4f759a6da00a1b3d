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
 * Writes the theme's variables into the two theme.css: made once, at build time, they cost the
 * browser nothing, need no inline style and are there at the first paint.
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

/** Compressed once here, as well as it goes, and not again for each visitor. */
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

const loadedByPublicPages = new Set<string>();

/** In one file with the console's, public pages would load that as well. */
function isOfPublicPages(id: string, chunks: Rolldown.ChunkingContext): boolean {
  const add = (module: string): void => {
    if (loadedByPublicPages.has(module)) return;
    loadedByPublicPages.add(module);
    chunks.getModuleInfo(module)?.importedIds.forEach(add);
  };
  landingFiles.forEach(add);
  return loadedByPublicPages.has(id);
}

function languagePlugins(command: "build" | "serve"): PluginOption[] {
  return [
    react(),
    lingui({ failOnMissing: command === "build", failOnCompileError: true }),
    babel({ presets: [linguiTransformerBabelPreset()] }),
  ];
}

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
    // Fonts and pictures stay files: the content policy allows no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [fileOf("index.html"), ...landingFiles],
      output: {
        // Of a group's name only the group: it lists every page that shares the file.
        chunkFileNames: ({ name }) => `assets/${name.split("~")[0]}-[hash].js`,
        assetFileNames: ({ names: [name = ""] }) =>
          `assets/${name.replace(/(~.*)?\.\w+$/, "")}-[hash][extname]`,
        codeSplitting: {
          groups: [
            // Every page needs all of it: one request in place of four.
            { name: "react", test: /node_modules\/(react|react-dom|scheduler|@lingui)\// },
            // What public pages load, apart: by the pages that use it.
            {
              name: (id, chunks) => (isOfPublicPages(id, chunks) ? "public" : null),
              debugName: "public",
              entriesAware: true,
              entriesAwareMergeThreshold: 1_000,
            },
            // What every page of the console needs, in one file.
            { name: "console", tags: ["$initial"] },
            // What is small, with its like: a page needs about half as many requests.
            {
              name: "shared",
              minShareCount: 2,
              maxModuleSize: 4_000,
              entriesAware: true,
              entriesAwareMergeThreshold: 30_000,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ["/api", "/dev"].map((path) => [
        path,
        { target: process.env["PALISADE_API_URL"] ?? "http://127.0.0.1:8080" },
      ]),
    ),
  },
}));
