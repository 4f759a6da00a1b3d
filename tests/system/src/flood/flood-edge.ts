import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import { programEnvironment } from "@palisade/testing/program-environment";
import type { Namespace } from "@palisade/testing/network-namespaces";
import {
  sampleBackend,
  sampleDomain,
  sampleGroup,
  sampleShield,
} from "@palisade/testing/sample-shield";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { z } from "zod";
import { checkout } from "../product/checkout.ts";
import { firstMessage, writeLastGood } from "../verification/edge-program.ts";
import {
  attackThreshold,
  botNetworks,
  type FloodPlan,
  hosts,
  ports,
  rejoinText,
  sessionServer,
  clientsAddress,
} from "./plan.ts";

const ready = z.object({ kind: z.literal("ready"), java: z.string(), metrics: z.string() });

export interface FloodEdge {
  readonly home: string;
  readonly pid: number;
  readonly port: number;
  readonly metrics: string;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/**
 * Starts the edge alone, serving its last good copy, without a control plane.
 *
 * @param again home of an edge that was killed
 */
export function startFloodEdge(
  where: Namespace,
  plan: Pick<FloodPlan, "level" | "kernel" | "workers">,
  again?: string,
): Promise<FloodEdge> {
  return startEdgeIn(where, floodShields(plan), plan, again);
}

/** The same with other shields. */
export async function startEdgeIn(
  where: Namespace,
  shields: readonly ShieldConfig[],
  plan: Pick<FloodPlan, "kernel" | "workers">,
  again?: string,
): Promise<FloodEdge> {
  const folder = await createTemporaryFolder("flood");
  const home = again ?? folder.path;
  await writeLastGood(path.join(home, "edge/config"), shields);
  const main = path.join(checkout, "apps/edge/src/main.ts");
  const child = where.spawn(process.execPath, [main], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: {
      ...programEnvironment,
      PALISADE_HOME: home,
      PALISADE_ENV: "development",
      PALISADE_API_URL: "http://127.0.0.1:9",
      PALISADE_JAVA_HOST: "::",
      PALISADE_JAVA_PORT: "0",
      PALISADE_EDGE_METRICS_PORT: "0",
      PALISADE_KERNEL: plan.kernel,
      PALISADE_SESSION_SERVER_URL: `http://${sessionServer.host}:${sessionServer.port}`,
      ...(plan.workers !== undefined && { PALISADE_EDGE_WORKERS: String(plan.workers) }),
    },
  });
  const { java, metrics } = ready.parse(await firstMessage(child));
  if (child.pid === undefined) throw new Error("the edge has no pid");
  return {
    pid: child.pid,
    home,
    port: Number(java.slice(java.lastIndexOf(":") + 1)),
    metrics,
    child,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, "exit");
        child.kill("SIGTERM");
        await ended;
      }
      await folder.remove();
    },
  };
}

function floodShields({ level }: Pick<FloodPlan, "level">): ShieldConfig[] {
  const plain = sampleShield();
  const isLevel = level !== "refused";
  const game = shieldOf(1, hosts.game, ports.game);
  return [
    {
      ...game,
      lists: { ...plain.lists, blacklist: isLevel ? [] : botNetworks },
      mitigation: {
        ...plain.mitigation,
        antibot: isLevel ? level : "disabled",
        attack_threshold: attackThreshold,
        text_captcha: true,
      },
      messages: { ...plain.messages, rejoin: rejoinText },
    },
    shieldOf(2, hosts.echo, ports.echo),
  ];
}

/** A shield whose backend is in the clients' namespace. */
export function shieldOf(n: number, domain: string, port: number): ShieldConfig {
  const id = (kind: number): string =>
    `0190a000-0000-7000-8${kind}00-${String(n).padStart(12, "0")}`;
  const backend = { ...sampleBackend(port), id: id(2), host: clientsAddress };
  return {
    ...sampleShield(),
    shield_id: id(0),
    label: `flood${n}.gs.localhost`,
    domains: [sampleDomain(domain)],
    groups: [{ ...sampleGroup(backend), id: id(1) }],
  };
}
