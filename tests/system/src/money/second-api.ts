import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { programEnvironment } from "@palisade/testing/program-environment";
import { z } from "zod";
import { checkout } from "../product/checkout.ts";
import { databaseOf } from "../product/palisade.ts";

const main = path.join(checkout, "apps/api/src/main.ts");
const commandLine = path.join(checkout, "apps/api/src/cli.ts");
const ready = z.object({ kind: z.literal("ready"), url: z.url() });

/** A second api on the product's database, beside the supervisor's own. */
export interface SecondApi {
  readonly url: string;
  hasEnded(): boolean;
  stop(): Promise<void>;
}

/** @param failpoint the step at which it dies, as by kill -9 */
export async function startSecondApi(home: string, failpoint: string): Promise<SecondApi> {
  const child = spawn(process.execPath, [main], {
    // The channel closes when the test process ends, and the api ends with it.
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: { ...(await environmentOf(home)), PALISADE_FAILPOINTS: failpoint },
  });
  const exited = once(child, "exit");
  const [message] = await Promise.race([
    once(child, "message"),
    exited.then(() => Promise.reject(new Error("The second api ended before it was ready"))),
  ]);
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    url: ready.parse(message).url,
    hasEnded,
    async stop() {
      if (hasEnded()) return;
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/**
 * Credits cash from the command line. The command is killed after a while, and then repeated with
 * the same key until it succeeds.
 */
export async function creditInSpiteOfKill(
  home: string,
  credit: { readonly email: string; readonly euros: number; readonly key: string },
  killAfterMs: number,
): Promise<void> {
  const { email, euros, key } = credit;
  const args = ["ledger", "credit", email, String(euros), "--reason", "Soak", "--key", key];
  const env = await environmentOf(home);
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const child = spawn(process.execPath, [commandLine, ...args], { stdio: "ignore", env });
    const timer = attempt === 0 ? setTimeout(() => child.kill("SIGKILL"), killAfterMs) : undefined;
    await once(child, "exit");
    clearTimeout(timer);
    if (child.exitCode === 0) return;
  }
  throw new Error(`The credit ${key} failed again and again`);
}

async function environmentOf(home: string): Promise<Record<string, string>> {
  return {
    ...programEnvironment,
    PALISADE_HOME: home,
    PALISADE_HTTP_PORT: "0",
    PALISADE_API_METRICS_PORT: "0",
    PALISADE_LOG_LEVEL: "silent",
    DATABASE_URL: (await databaseOf(home)).runtimeUrl,
  };
}
