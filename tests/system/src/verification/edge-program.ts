import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import { createLastGoodStore } from "@palisade/control-client/last-good-store";
import { programEnvironment } from "@palisade/testing/program-environment";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { until } from "@palisade/testing/until";
import { z } from "zod";
import { checkout } from "../product/checkout.ts";
import type { HostPort } from "../product/palisade.ts";

const ready = z.object({ kind: z.literal("ready"), java: z.string(), metrics: z.string() });

export interface EdgeProgram {
  readonly address: HostPort;
  /** All series of this metric, added up where their labels contain this. */
  metric(name: string, label?: string): Promise<number>;
  /** Until it knows that so many servers are up; before, they are busy with loading their version. */
  serversUp(count: number): Promise<unknown>;
  /** kill -9, which leaves its home. */
  kill(): Promise<void>;
  /** As an operator ends it, which leaves its home. */
  leave(): Promise<void>;
  readonly home: string;
  stop(): Promise<void>;
}

export interface EdgeOptions {
  readonly shields: readonly ShieldConfig[];
  readonly sessionServerUrl: string;
  /** By how much its clock is ahead of ours. */
  readonly aheadMs?: number;
  /** One that has ended: it starts with what that has left, at the same address. */
  readonly after?: EdgeProgram;
  /** The number of files that the system allows it to open. */
  readonly openFilesMax?: number;
  /** Threads that take players; by default as many as the edge has by default. */
  readonly workers?: number;
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * The edge as it is run, alone, serving its last good copy: there is no control plane. Sources on
 * loopback are never banned; what bans do is for tests in namespaces (`flood`).
 */
export async function startEdgeProgram(options: EdgeOptions): Promise<EdgeProgram> {
  const folder = await createTemporaryFolder("edge");
  const home = options.after?.home ?? folder.path;
  if (options.after === undefined)
    await writeLastGood(path.join(home, "edge/config"), options.shields);
  const main = path.join(checkout, "apps/edge/src/main.ts");
  const command = [process.execPath, ...shiftedClock(options.aheadMs), main];
  const files = options.openFilesMax === undefined ? "" : `ulimit -n ${options.openFilesMax};`;
  const child = spawn("sh", ["-c", `${files} exec "$@"`, "sh", ...command], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: {
      ...programEnvironment,
      PALISADE_HOME: home,
      PALISADE_ENV: "development",
      PALISADE_API_URL: "http://127.0.0.1:9",
      PALISADE_JAVA_HOST: "127.0.0.1",
      PALISADE_JAVA_PORT: String(options.after?.address.port ?? 0),
      PALISADE_EDGE_METRICS_PORT: "0",
      PALISADE_KERNEL: "off",
      PALISADE_SESSION_SERVER_URL: options.sessionServerUrl,
      ...(options.workers === undefined ? {} : { PALISADE_EDGE_WORKERS: String(options.workers) }),
      ...options.settings,
    },
  });
  const { java, metrics } = ready.parse(await firstMessage(child));
  const colon = java.lastIndexOf(":");
  const metric: EdgeProgram["metric"] = async (name, label = "") =>
    sumOf(await (await fetch(new URL("/metrics", metrics))).text(), `palisade_edge_${name}`, label);
  return {
    address: { host: java.slice(0, colon), port: Number(java.slice(colon + 1)) },
    metric,
    serversUp: (count) =>
      until(async () => (await metric("backends", 'state="up"')) === count, {
        what: `${count} servers to be up`,
      }),
    home,
    kill: () => end("SIGKILL"),
    leave: () => end("SIGTERM"),
    async stop() {
      await end("SIGTERM");
      await folder.remove();
    },
  };

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }
}

function shiftedClock(aheadMs = 0): string[] {
  if (aheadMs === 0) return [];
  const script = `const { now } = Date; Date.now = () => now() + ${aheadMs};`;
  return ["--import", `data:text/javascript,${encodeURIComponent(script)}`];
}

/** @throws where it ends without one */
export function firstMessage(child: ChildProcess): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  child.once("message", resolve);
  child.once("exit", (code) => reject(new Error(`the edge has ended with ${code}`)));
  return promise;
}

function sumOf(text: string, name: string, label: string): number {
  let sum = 0;
  for (const line of text.split("\n")) {
    const [series = "", value] = line.split(" ");
    const isNamed = series === name || series.startsWith(`${name}{`);
    if (isNamed && series.includes(label)) sum += Number(value);
  }
  return sum;
}

/** As an edge that has had its configuration leaves it. */
export async function writeLastGood(
  folder: string,
  shields: readonly ShieldConfig[],
): Promise<void> {
  const store = createLastGoodStore(folder);
  await store.load();
  for (const config of shields) {
    await store.put({ shield_id: config.shield_id, revision: config.revision, config });
  }
  await store.commit({ version: 1, shields: shields.length, refused: 0 });
}
