import { existsSync } from "node:fs";
import path from "node:path";
import { aptInstall } from "./apt.mjs";
import { say, Stop } from "./progress.mjs";

/** Chromium without windows: the same engine with half the work per page. */
const HEADLESS = "chromium-headless-shell";
const WINDOWED = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
];

/** Path of the tests' browser: CHROMIUM_PATH, Debian's headless Chromium, or any installed one. */
export async function ensureChromium() {
  const given = process.env["CHROMIUM_PATH"];
  if (given) {
    if (existsSync(given)) return given;
    throw new Stop(`CHROMIUM_PATH names ${given}, which does not exist.`);
  }
  const headless = find([HEADLESS]);
  if (headless !== undefined) return headless;
  const windowed = find(WINDOWED);
  if (windowed !== undefined && process.getuid?.() !== 0) return windowed;
  return (await install(HEADLESS, windowed)) ?? windowed;
}

async function install(name, instead) {
  try {
    await aptInstall(name, {
      alternative: "or set CHROMIUM_PATH to an installed Chromium or Chrome.",
    });
  } catch (error) {
    if (instead === undefined) throw error;
    say(`${name} cannot be installed; the tests use ${instead}`);
    return undefined;
  }
  const fresh = find([name]);
  if (fresh === undefined) throw new Stop(`${name} was installed, but is not on the PATH.`);
  return fresh;
}

function find(names) {
  const folders = [...(process.env["PATH"] ?? "").split(path.delimiter), "/usr/bin", "/snap/bin"];
  for (const name of names) {
    const folder = folders.find((item) => item !== "" && existsSync(path.join(item, name)));
    if (folder !== undefined) return path.join(folder, name);
  }
  return undefined;
}
