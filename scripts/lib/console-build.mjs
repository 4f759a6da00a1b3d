import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { withLock } from "./lock.mjs";
import { say, sayWhile, Stop } from "./progress.mjs";
import { cacheFolder, root } from "./root.mjs";
import { capture } from "./run-command.mjs";

const consoleFolder = path.join(root, "apps/console");
const dist = path.join(consoleFolder, "dist");
/** Everything a build depends on. */
const SOURCES = ["apps/console", "packages/contract", "package-lock.json", "tsconfig.base.json"];
const IGNORED = /(^|\/)(node_modules|dist)(\/|$)|\.test\.tsx?$/;

/** Builds the console if its sources changed since the last build. */
export async function ensureConsoleBuilt(node) {
  if (!existsSync(path.join(consoleFolder, "vite.config.ts"))) {
    say("the console is not built: apps/console/vite.config.ts is missing");
    return;
  }
  if (isBuilt()) return;
  await withLock("console-build", async () => {
    if (isBuilt()) return;
    const startedAt = Date.now();
    say("building the console");
    await build(node);
    say(`built the console in ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`);
  });
}

/** Builds in another folder and swaps, so that a running api lacks its files only for a moment. */
async function build(node) {
  const sources = sourcesHash();
  const fresh = path.join(cacheFolder, `console-${process.pid}`);
  const vite = path.join(root, "node_modules/vite/bin/vite.js");
  const run = capture(node, [vite, "build", "--outDir", fresh, "--emptyOutDir"], {
    cwd: consoleFolder,
    env: { ...process.env, NODE_ENV: "production" },
  });
  const { code, output } = await sayWhile("building the console", run);
  if (code !== 0) throw new Stop(`The console does not build:\n${output.trim()}`);
  const old = path.join(cacheFolder, `console-old-${process.pid}`);
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
  rmSync(old, { recursive: true, force: true });
  writeFileSync(stampFile(), sources);
}

function isBuilt() {
  if (!existsSync(path.join(dist, "index.html")) || !existsSync(stampFile())) return false;
  return readFileSync(stampFile(), "utf8") === sourcesHash();
}

function stampFile() {
  return path.join(cacheFolder, "console-built-from");
}

function sourcesHash() {
  const hash = createHash("sha256");
  for (const source of SOURCES) addToHash(hash, source);
  return hash.digest("hex");
}

function addToHash(hash, relative) {
  if (IGNORED.test(relative)) return;
  const file = path.join(root, relative);
  const entries = listFolder(file);
  if (entries === undefined) {
    hash.update(`${relative}\0`).update(readFileSync(file)).update("\0");
    return;
  }
  for (const entry of entries) addToHash(hash, `${relative}/${entry}`);
}

function listFolder(file) {
  try {
    return readdirSync(file).sort();
  } catch (error) {
    if (error.code === "ENOTDIR") return undefined;
    throw error;
  }
}
