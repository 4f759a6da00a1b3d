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

/** Arguments of Node before the main file. */
export const nodeArgs: Readonly<Record<keyof typeof mainFiles, readonly string[]>> = {
  api: [],
  cli: [],
  // MiB. Most objects of the edge live for one exchange. With Node's default of 1 MiB a collection
  // comes every hundred connections and copies the objects of those under way (bench/README.md).
  edge: ["--min-semi-space-size=8"],
  dns: [],
};

/** Node keeps compiled code here: every start but the first takes two fifths less work. */
export const compileCache = path.join(checkout, ".cache/node-compile");
