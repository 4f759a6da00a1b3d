import path from "node:path";
import { Stop } from "./progress.mjs";
import { root } from "./root.mjs";
import { capture } from "./run-command.mjs";

const NODE_NEEDED = 24;
const NODE_OF_SCRIPTS = 18;

/** @throws Stop with the fix on a system on which Palisade cannot run */
export function checkPlatform() {
  if (major(process.version) < NODE_OF_SCRIPTS) {
    throw new Stop(`Palisade needs Node 20 or newer to start; this is ${process.version}.`);
  }
  const isBundled = process.platform === "linux" && ["x64", "arm64"].includes(process.arch);
  if (isBundled) return;
  if (major(process.version) < NODE_NEEDED || !process.env["DATABASE_URL"]) {
    throw new Stop(
      `Palisade brings its own Node and PostgreSQL for Linux on x64 and arm64. On ` +
        `${process.platform} ${process.arch} run it with Node ${NODE_NEEDED} or newer and set ` +
        "DATABASE_URL to a PostgreSQL 15 or newer.",
    );
  }
}

/** Path of the Node that runs the programs: the current one if it is new enough, else the installed package's. */
export async function node24() {
  if (major(process.version) >= NODE_NEEDED) return process.execPath;
  const packaged = path.join(
    root,
    `node_modules/node-${process.platform}-${process.arch}/bin/node`,
  );
  const { code, output } = await capture(packaged, ["--version"]);
  if (code !== 0) {
    throw new Stop(
      `The Node ${NODE_NEEDED} that npm installed does not run here (${output.trim()}). It needs ` +
        `glibc; install Node ${NODE_NEEDED} or newer yourself and start again.`,
    );
  }
  return packaged;
}

function major(version) {
  return Number.parseInt(version.replace(/^v/, ""), 10);
}
