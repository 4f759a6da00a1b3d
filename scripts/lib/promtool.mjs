import { existsSync, mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { say, sayWhile } from "./progress.mjs";
import { cacheFolder } from "./root.mjs";
import { capture } from "./run-command.mjs";

const installed = "/usr/bin/promtool";

/**
 * Finds promtool, which checks the alert rules. Root gets it out of Debian's package `prometheus`, which
 * is not installed: it would start a server on the machine.
 *
 * @returns its path; undefined where there is none, and its test is skipped
 */
export async function ensurePromtool() {
  if (existsSync(installed)) return installed;
  const folder = path.join(cacheFolder, "prometheus");
  const unpacked = path.join(folder, installed);
  if (existsSync(unpacked)) return unpacked;
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return undefined;
  say("fetching promtool with apt");
  mkdirSync(folder, { recursive: true });
  for (const args of [["update"], ["download", "prometheus"]]) {
    const run = capture("apt-get", ["-q", ...args], { cwd: folder });
    const { code, output } = await sayWhile(`apt-get ${args[0]}`, run);
    if (code !== 0) {
      say(
        `apt-get ${args.join(" ")} failed, so the test of the alert rules is skipped:\n${output}`,
      );
      return undefined;
    }
  }
  const archive = readdirSync(folder).find((name) => name.endsWith(".deb"));
  if (archive === undefined) return undefined;
  await capture("dpkg", ["-x", archive, folder], { cwd: folder });
  return existsSync(unpacked) ? unpacked : undefined;
}
