import path from "node:path";

/** Folder of the checkout. */
export const checkout = path.resolve(import.meta.dirname, "../../..");

/** Main files of the programs the supervisor runs. They are started, never imported. */
export const mainFiles = {
  api: path.join(checkout, "apps/api/src/main.ts"),
  cli: path.join(checkout, "apps/api/src/cli.ts"),
  edge: path.join(checkout, "apps/edge/src/main.ts"),
  dns: path.join(checkout, "apps/dns/src/main.ts"),
} as const;

/** For Node, before the main file. */
export const nodeArgs: Readonly<Record<keyof typeof mainFiles, readonly string[]>> = {
  api: [],
  cli: [],
  // MiB. Most of what the edge makes lives for one exchange: with Node's 1 MiB a collection comes
  // every hundred connections and copies those under way each time (bench/README.md).
  edge: ["--min-semi-space-size=16"],
  dns: [],
};

/** Node keeps compiled code here: two fifths less work at every start but the first. */
export const compileCache = path.join(checkout, ".cache/node-compile");
