// npm run versions:update: rewrites the table of Minecraft releases from the newest minecraft-data on
// npm. The package does not become a dependency: one of its files is read in a temporary folder.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { releasesModule, releasesOf } from "./lib/releases.mjs";

const target = fileURLToPath(
  new URL("../packages/minecraft-protocol/src/java/releases.ts", import.meta.url),
);
const source = "package/minecraft-data/data/pc/common/protocolVersions.json";

const folder = mkdtempSync(join(tmpdir(), "palisade-versions-"));
try {
  run("npm", ["pack", "minecraft-data@latest", "--ignore-scripts", "--silent"]);
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  if (tarball === undefined) throw new Error("npm pack left no package");
  run("tar", ["-xzf", tarball, source]);
  const entries = JSON.parse(readFileSync(join(folder, source), "utf8"));
  const before = existsSync(target) ? (await import(pathToFileURL(target).href)).releases : [];
  const releases = releasesOf(entries, before);
  writeFileSync(target, releasesModule(releases));
  const known = new Set(before.map(([name]) => name));
  const added = releases.map(([name]) => name).filter((name) => !known.has(name));
  console.log(`${tarball}: ${releases.length} releases, new: ${added.join(", ") || "none"}`);
} finally {
  rmSync(folder, { recursive: true });
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw error ?? new Error(`${command} ended with ${status}`);
}
