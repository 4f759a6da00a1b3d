import path from "node:path";
import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import { createLastGoodStore } from "@palisade/control-client/last-good-store";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { z } from "zod";
import { cacheFolder, checkout } from "#src/paths.ts";
import { type Program, startProgram } from "#src/programs/program.ts";

const ready = z.object({ kind: z.literal("ready"), java: z.string(), metrics: z.string() });

export interface EdgeProgram extends Program {
  readonly port: number;
  /** URL of its metrics. */
  readonly metrics: string;
}

export interface EdgeOptions {
  /** Another checkout whose edge is compared with ours. */
  readonly from?: string;
  /** Options of Node, also in the relay processes, e.g. for a profile. */
  readonly nodeOptions?: readonly string[];
  /** Node's program, by default the one that runs the benchmark. */
  readonly node?: string;
  /** URL of the control plane; by default there is none. */
  readonly apiUrl?: string;
  /** Enrolment token. */
  readonly token?: string;
}

/**
 * Starts the edge with the given shields as its last good copy and without a control plane. It has no
 * credential either, so it does not try to connect.
 */
export async function startEdge(
  shields: readonly ShieldConfig[],
  options: EdgeOptions = {},
): Promise<EdgeProgram> {
  const home = await createTemporaryFolder("bench-edge");
  await writeLastGood(path.join(home.path, "edge/config"), shields);
  const edge = await startEdgeIn(home.path, options);
  return {
    ...edge,
    async stop() {
      await edge.stop();
      await home.remove();
    },
  };
}

/** The same in an existing folder, with its contents. */
export async function startEdgeIn(
  home: string,
  {
    from = checkout,
    nodeOptions = [],
    node = process.execPath,
    apiUrl = "http://127.0.0.1:9",
    token,
  }: EdgeOptions = {},
): Promise<EdgeProgram> {
  const main = path.join(from, "apps/edge/src/main.ts");
  const program = startProgram(node, [...(await usualNodeArgs(from)), main], {
    core: "server",
    env: {
      NODE_OPTIONS: nodeOptions.join(" "),
      NODE_COMPILE_CACHE: path.join(cacheFolder, "node-compile"),
      PALISADE_HOME: home,
      PALISADE_ENV: "development",
      PALISADE_API_URL: apiUrl,
      PALISADE_JAVA_HOST: "127.0.0.1",
      PALISADE_JAVA_PORT: "0",
      PALISADE_EDGE_METRICS_PORT: "0",
      PALISADE_KERNEL: "off",
      // One shield has all downloads of the benchmark, at full speed.
      PALISADE_EDGE_SHIELD_BANDWIDTH: "100000000000",
      // Each edge has one core.
      PALISADE_EDGE_WORKERS: "1",
      ...(token === undefined ? {} : { PALISADE_EDGE_TOKEN: token }),
    },
  });
  program.child.stdout?.resume();
  const { java, metrics } = ready.parse(await firstMessage(program));
  return { ...program, port: Number(java.slice(java.lastIndexOf(":") + 1)), metrics };
}

const programs = z.object({ nodeArgs: z.object({ edge: z.array(z.string()) }).optional() });

/** The arguments with which that checkout's supervisor starts its edge. */
async function usualNodeArgs(from: string): Promise<string[]> {
  const file = path.join(from, "apps/supervisor/src/programs.ts");
  return programs.parse({ ...(await import(file)) }).nodeArgs?.edge ?? [];
}

/** @throws when the edge ends without a message */
async function firstMessage({ child }: Program): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  child.once("message", resolve);
  child.once("exit", (code) => reject(new Error(`the edge ended with ${code}`)));
  return promise;
}

async function writeLastGood(folder: string, shields: readonly ShieldConfig[]): Promise<void> {
  const store = createLastGoodStore(folder);
  await store.load();
  for (const config of shields) {
    await store.put({ shield_id: config.shield_id, revision: config.revision, config });
  }
  await store.commit({ version: 1, shields: shields.length, refused: 0 });
}
