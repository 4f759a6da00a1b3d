import { fileURLToPath } from "node:url";
import babel from "@rolldown/plugin-babel";
import { lingui, linguiTransformerBabelPreset } from "@lingui/vite-plugin";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { themeStylesheet } from "./src/app/theme-stylesheet.ts";

/**
 * Writes the theme's variables into src/app/theme.css: made once, at build time, they cost the
 * browser nothing, need no inline style and are there at the first paint.
 */
function themeFile(): Plugin {
  const file = fileURLToPath(new URL("src/app/theme.css", import.meta.url));
  return {
    name: "palisade-theme",
    enforce: "pre",
    load: (id) => (id.split("?")[0] === file ? themeStylesheet() : null),
  };
}

export default defineConfig(({ command }) => ({
  plugins: [
    themeFile(),
    react(),
    lingui({ failOnMissing: command === "build", failOnCompileError: true }),
    babel({ presets: [linguiTransformerBabelPreset()] }),
  ],
  build: {
    target: "es2023",
    // Fonts and pictures stay files: the content policy allows no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
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
