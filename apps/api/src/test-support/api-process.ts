import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { programEnvironment } from "@palisade/testing/program-environment";
import { z } from "zod";
import { testConfig } from "./test-app.ts";

const main = path.resolve(import.meta.dirname, "../main.ts");
const ready = z.object({ kind: z.literal("ready"), url: z.url() });

/** An api as a process of its own. */
export interface ApiProcess {
  readonly url: string;
  readonly pid: number;
  readonly exited: Promise<unknown>;
  /** As by kill -9. */
  hasDied(): boolean;
  /** The failpoint that it died at. */
  diedAt(): string | undefined;
  kill(): void;
}

/** A process that ended before it was ready. */
export class ApiEnded extends Error {
  override name = "ApiEnded";

  /** The failpoint that it died at: jobs begin before it is ready. */
  readonly diedAt: string | undefined;

  constructor(diedAt: string | undefined) {
    super("The api ended before it was ready");
    this.diedAt = diedAt;
  }
}

/**
 * @param failpoints steps at the first of which it dies as by kill -9
 * @throws ApiEnded
 */
export async function startApiProcess(
  settings: Readonly<Record<string, string>>,
  failpoints: readonly string[] = [],
): Promise<ApiProcess> {
  const child = spawn(process.execPath, [main], {
    // The channel closes when this process ends, and the api ends with it.
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    env: {
      ...programEnvironment,
      PALISADE_HTTP_PORT: "0",
      PALISADE_API_METRICS_PORT: "0",
      PALISADE_LOG_LEVEL: "silent",
      PALISADE_SECRET: testConfig("").secret,
      ...settings,
      ...(failpoints.length > 0 && { PALISADE_FAILPOINTS: failpoints.join(",") }),
    },
  });
  let diedAt: string | undefined;
  if (child.stderr === null) throw new Error("The api has no standard error");
  createInterface(child.stderr).on("line", (line) => {
    const [, step] = /^Killed at (\S+)$/.exec(line) ?? [];
    if (step === undefined) process.stderr.write(`${line}\n`);
    else diedAt = step;
  });
  // Its last line has been read by then.
  const exited = once(child, "close");
  const [message] = await Promise.race([
    once(child, "message"),
    exited.then(() => Promise.reject(new ApiEnded(diedAt))),
  ]);
  return {
    url: ready.parse(message).url,
    pid: child.pid ?? Number.NaN,
    exited,
    hasDied: () => child.signalCode === "SIGKILL",
    diedAt: () => diedAt,
    kill: () => void child.kill("SIGKILL"),
  };
}
