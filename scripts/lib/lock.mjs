import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { say } from "./progress.mjs";
import { cacheFolder } from "./root.mjs";

/** Runs the work while no other script of this checkout holds the lock of that name. */
export async function withLock(name, work) {
  mkdirSync(cacheFolder, { recursive: true });
  const file = path.join(cacheFolder, `${name}.lock`);
  let hasSaid = false;
  while (!take(file)) {
    if (!hasSaid) say(`waiting for another process that holds the lock ${name}`);
    hasSaid = true;
    await delay(250);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  if (isStale(file)) rmSync(file, { force: true });
  return false;
}

/**
 * A killed holder leaves the file. Two processes may both remove it, but only one can create it again.
 * In a container another process, even this one, may have the holder's pid. A holder that was killed
 * before it wrote its pid leaves the file empty.
 */
function isStale(file) {
  const holder = Number(readFileIfThere(file));
  if (holder > 0) return holder === process.pid || !isAlive(holder);
  const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return made !== undefined && Date.now() - made > emptyMsMax;
}

/** A pid is written right after the file is made. */
const emptyMsMax = 5_000;

function readFileIfThere(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
