import { defineConfig } from "@lingui/cli";
import { formatter } from "@lingui/format-po";

export default defineConfig({
  sourceLocale: "en",
  locales: ["en", "ru"],
  // Line numbers would make every edit of a file a change of the catalogues.
  format: formatter({ lineNumbers: false }),
  catalogs: [
    { path: "<rootDir>/src/locales/{locale}", include: ["src"], exclude: ["**/*.test.ts"] },
    // Apart, because every visitor loads them with the page, in both languages.
    { path: "<rootDir>/landing/locales/{locale}", include: ["landing"] },
  ],
});
