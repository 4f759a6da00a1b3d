import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * Compares node_modules with package-lock.json by the lockfile that npm leaves in node_modules. That file
 * is missing after an interrupted installation and correct after every complete one.
 *
 * @returns {"full" | "runtime" | "stale"} `runtime`: complete except for development tools
 */
export function installState(packageFolder, platform = thisPlatform()) {
  const wanted = readPackages(path.join(packageFolder, "package-lock.json"));
  const found = readPackages(path.join(packageFolder, "node_modules/.package-lock.json"));
  let state = "full";
  for (const [folder, entry] of Object.entries(wanted)) {
    if (!folder.includes("node_modules/") || isElsewhere(entry, platform)) continue;
    const isThere =
      found[folder]?.version === entry.version && existsSync(path.join(packageFolder, folder));
    if (isThere || isDispensable(entry)) continue;
    if (entry.dev !== true && entry.devOptional !== true) return "stale";
    state = "runtime";
  }
  return state;
}

/** Optional packages for every platform may be missing; binaries for this platform must be there. */
function isDispensable(entry) {
  return entry.optional === true && entry.os === undefined && entry.cpu === undefined;
}

function isElsewhere(entry, platform) {
  return (
    !allows(entry.os, platform.os) ||
    !allows(entry.cpu, platform.cpu) ||
    !allows(entry.libc, platform.libc)
  );
}

/** npm's lists name allowed values, or forbidden ones with `!`. */
function allows(list, value) {
  if (list === undefined || value === undefined) return true;
  if (typeof list === "string") return allows([list], value);
  if (list.includes(`!${value}`)) return false;
  return list.includes(value) || list.every((item) => item.startsWith("!"));
}

function thisPlatform() {
  const { glibcVersionRuntime } = process.report.getReport().header;
  const libc = process.platform === "linux" ? (glibcVersionRuntime ? "glibc" : "musl") : undefined;
  return { os: process.platform, cpu: process.arch, libc };
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages ?? {};
  } catch {
    return {};
  }
}
