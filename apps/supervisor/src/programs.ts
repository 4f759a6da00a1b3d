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
  // The main thread accepts no players, so a young generation of 1 MiB is enough for it; worker threads
  // get more (apps/edge/src/workers/thread-resources.ts). V8's own threads compile and collect for all. Once
  // it has started, the edge asks for one collection (apps/edge/src/main.ts).
  edge: ["--max-semi-space-size=1", "--v8-pool-size=2", "--expose-gc"],
  dns: [],
};

/** Node keeps compiled code here: every start but the first takes two fifths less work. */
export const compileCache = path.join(checkout, ".cache/node-compile");
