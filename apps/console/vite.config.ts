import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import babel from "@rolldown/plugin-babel";
import { lingui, linguiTransformerBabelPreset } from "@lingui/vite-plugin";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type PluginOption } from "vite";
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
        codeSplitting: {
          groups: [
            // Every page needs all of it: one request in place of four.
            { name: "react", test: /node_modules\/(react|react-dom|scheduler|@lingui)\// },
            // A few icons of the landing page: an answer's head is longer than one of them.
            {
              name: "icons",
              test: /@tabler\/icons-react\/.*\/(createReactComponent|defaultAttributes|Icon(EyeOff|Menu2|Moon|Sun|X))\.mjs$/,
            },
            // Likewise every page of the console, in place of twenty.
            {
              name: "console",
              test: /node_modules\/(@tanstack|zustand|@mantine\/core\/esm\/core)\//,
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
