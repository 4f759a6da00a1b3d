import { existsSync } from "node:fs";
import path from "node:path";
import { aptInstall } from "./apt.mjs";
import { Stop } from "./progress.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/** Path of a browser for the tests: CHROMIUM_PATH, an installed one, or Debian's for root. */
export async function ensureChromium() {
  const given = process.env["CHROMIUM_PATH"];
  if (given) {
    if (existsSync(given)) return given;
    throw new Stop(`CHROMIUM_PATH names ${given}, which does not exist.`);
  }
  const installed = findChromium();
  if (installed !== undefined) return installed;
  await aptInstall("chromium", {
    alternative: "or set CHROMIUM_PATH to an installed Chromium or Chrome.",
  });
  const fresh = findChromium();
  if (fresh === undefined) throw new Stop("chromium was installed, but is not on the PATH.");
  return fresh;
}

function findChromium() {
  const folders = [...(process.env["PATH"] ?? "").split(path.delimiter), "/usr/bin", "/snap/bin"];
  for (const name of NAMES) {
    const folder = folders.find((item) => item !== "" && existsSync(path.join(item, name)));
    if (folder !== undefined) return path.join(folder, name);
  }
  return undefined;
}
