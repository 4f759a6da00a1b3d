import { accessSync, constants, existsSync } from "node:fs";
import path from "node:path";
import { installState } from "./install-state.mjs";
import { withLock } from "./lock.mjs";
import { say, sayWhile, Stop } from "./progress.mjs";
import { root } from "./root.mjs";
import { capture } from "./run-command.mjs";

/**
 * Makes node_modules match package-lock.json; does nothing if it does already.
 *
 * @param options.dev also installs tools for checks and tests
 * @param options.folder the package to install; the workspace by default
 */
export async function ensureDependencies({ dev, folder = root }) {
  if (isEnough(installState(folder), dev)) return;
  const name = path.relative(root, folder) || "palisade";
  await withLock(`install-${name.replaceAll(path.sep, "-")}`, async () => {
    const state = installState(folder);
    if (isEnough(state, dev)) return;
    const startedAt = Date.now();
    say(`installing the dependencies of ${name}${dev ? ", with development tools" : ""}`);
    await npm(installArgs(state, dev), folder);
    if (!isEnough(installState(folder), dev)) {
      throw new Stop(
        `npm succeeded, but ${folder}/node_modules still lacks packages of package-lock.json. ` +
          "npm skips optional binaries that it cannot download without an error: try again.",
      );
    }
    say(`installed in ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`);
  });
}

function isEnough(state, dev) {
  return state === "full" || (state === "runtime" && !dev);
}

/**
 * `npm ci` first deletes node_modules, even under a running Palisade, so if only development tools are
 * missing they are added instead. No dependency needs its install script.
 */
function installArgs(state, dev) {
  const command = state === "runtime" ? ["install", "--no-save"] : ["ci"];
  return [
    ...command,
    dev ? "--include=dev" : "--omit=dev",
    "--include=optional",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
}

async function npm(args, folder) {
  const [command, prefix] = npmCommand();
  const run = capture(command, [...prefix, ...args], { cwd: folder });
  const { code, output } = await sayWhile("installing", run);
  if (code !== 0) {
    // npm ends with a page of usage; the reason is in the first lines.
    const reason = output.trim().split("\n").slice(0, 20).join("\n");
    throw new Stop(`npm ${args[0]} failed in ${folder}:\n${reason}`);
  }
}

/** The npm that runs us, on a Node outside node_modules: `npm ci` deletes the one inside. */
function npmCommand() {
  const script = process.env["npm_execpath"];
  const node = findOutside("node");
  if (script !== undefined && script.endsWith("npm-cli.js") && node !== undefined) {
    return [node, [script]];
  }
  const npm = findOutside("npm");
  if (npm === undefined) throw new Stop("npm is not on the PATH; it comes with Node.");
  return [npm, []];
}

function findOutside(name) {
  for (const folder of (process.env["PATH"] ?? "").split(path.delimiter)) {
    if (folder === "" || folder.includes("node_modules")) continue;
    const file = path.join(folder, name);
    if (existsSync(file) && isExecutable(file)) return file;
  }
  return undefined;
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
