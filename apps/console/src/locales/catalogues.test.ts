import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";

const run = promisify(execFile);
const consoleFolder = path.resolve(import.meta.dirname, "../..");
const cli = path.join(
  path.dirname(createRequire(import.meta.url).resolve("@lingui/cli/api")),
  "../lingui.js",
);

async function check(...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [cli, "check", ...args], {
    cwd: consoleFolder,
    // Under "test" the tool looks for the workers of its own sources.
    env: { ...process.env, NODE_ENV: "production" },
  });
  return stdout;
}

/** The app loads these features; each has a catalogue of its own. */
const withOwnTexts = globSync("features/*/locales", { cwd: path.join(consoleFolder, "src") });

describe("message catalogues", () => {
  test("are loaded with every page and dialog of their feature", () => {
    expect(withOwnTexts.length).toBeGreaterThan(3);
    const app = path.join(consoleFolder, "src/app");
    const sources = globSync("**/*.{ts,tsx}", { cwd: app }).map((file) => ({
      file,
      text: readFileSync(path.join(app, file), "utf8"),
    }));
    for (const folder of withOwnTexts) {
      const feature = path.basename(path.dirname(folder));
      const name = feature.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
      // The frame of the staff area belongs to the app, and its texts to the staff area.
      const places = [`#src/features/${feature}/`, `./${feature}/`];
      for (const { file, text } of sources) {
        const imports = places.map((place) => text.split(`import("${place}`).length - 1);
        const loads = imports.reduce((sum, count) => sum + count, 0);
        const texts = text.split(`withTexts("${name}"`).length - 1;
        expect({ file, feature, texts }).toEqual({ file, feature, texts: loads });
      }
    }
  });

  test("hold every text of the source, and none that is gone", async () => {
    await expect(check("sync", "--clean")).resolves.toContain("PASS");
  });

  test("have a Russian text for every English one", async () => {
    await expect(check("missing", "--mode", "catalog")).resolves.toContain("PASS");
  });
});
