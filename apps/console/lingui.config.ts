import { defineConfig } from "@lingui/cli";
import { formatter } from "@lingui/format-po";

const tests = ["**/*.test.ts"];
const featureFolder = (feature: string): string => `src/features/${feature}`;

export default defineConfig({
  sourceLocale: "en",
  locales: ["en", "ru"],
  // Line numbers would make every edit of a file a change of the catalogues.
  format: formatter({ lineNumbers: false }),
  catalogs: [
    {
      path: "<rootDir>/src/locales/{locale}",
      include: [
        ...["app", "api", "lib", "ui"].map((folder) => `src/${folder}`),
        ...["audit", "auth", "dashboard", "gallery", "invitation"].map(featureFolder),
        // The command palette shows the names of the sections.
        "src/features/shield/sections.ts",
      ],
      exclude: [...tests, "src/app/staff"],
    },
    {
      path: "<rootDir>/src/features/staff/locales/{locale}",
      include: ["src/app/staff", featureFolder("staff")],
      exclude: tests,
    },
    // The texts of these features load with their pages: see src/app/locale.ts.
    ...["billing", "profile", "setup", "shield", "support", "support-plans"].map((feature) => ({
      path: `<rootDir>/${featureFolder(feature)}/locales/{locale}`,
      include: [featureFolder(feature)],
      exclude: tests,
    })),
    // Apart, because every visitor loads them with the page, in both languages.
    { path: "<rootDir>/landing/locales/{locale}", include: ["landing"] },
  ],
});
