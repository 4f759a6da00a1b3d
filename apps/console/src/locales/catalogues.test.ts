import { execFile } from "node:child_process";
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

describe("message catalogues", () => {
  test("hold every text of the source, and none that is gone", async () => {
    await expect(check("sync", "--clean")).resolves.toContain("PASS");
  });

  test("have a Russian text for every English one", async () => {
    await expect(check("missing", "--mode", "catalog")).resolves.toContain("PASS");
  });
});
