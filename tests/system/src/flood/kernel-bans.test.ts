import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import {
  createTestNetwork,
  namespacesMissing,
  type TestNetwork,
} from "@palisade/testing/network-namespaces";
import { until } from "@palisade/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startFloodEdge, type FloodEdge } from "./flood-edge.ts";
import type { FloodPlan } from "./plan.ts";

const hasNft = ["/usr/sbin/nft", "/sbin/nft"].some((file) => existsSync(file));
const missing = namespacesMissing() ?? (hasNft ? undefined : "nft is not installed");
if (missing !== undefined) {
  process.stdout.write(`tests of bans in the kernel are skipped: ${missing}\n`);
}

const abuser = "10.64.0.7";

describe.skipIf(missing !== undefined)("an edge that is abused", () => {
  let network: TestNetwork;
  const edges: FloodEdge[] = [];

  beforeEach(() => {
    network = createTestNetwork();
  });

  afterEach(async () => {
    for (const edge of edges.splice(0)) await edge.stop();
    network.remove();
  });

  async function start(kernel: FloodPlan["kernel"], home?: string): Promise<FloodEdge> {
    const edge = await startFloodEdge(network.edge, { level: "disabled", kernel }, home);
    edges.push(edge);
    return edge;
  }

  /** Sends malformed handshakes again and again until it is killed. */
  function abuse(edge: FloodEdge): ChildProcess {
    const script = `const net = require("node:net");
      setInterval(() => {
        const s = net.connect({ host: "${network.edge.ip4}", port: ${edge.port}, localAddress: "${abuser}" });
        s.on("connect", () => s.write(Buffer.alloc(8, 255)));
        s.on("error", (error) => error.code === "ECONNRESET" && process.send("reset"));
      }, 20);`;
    return network.clients.spawn(process.execPath, ["-e", script], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
  }

  function bansOnDisk({ home }: FloodEdge): string {
    const file = path.join(home, "edge/bans");
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  }

  function tables(): string {
    return network.edge.run("nft", "list", "tables");
  }

  test("has the kernel drop the source, also after a kill and a restart; a stop leaves nothing in the kernel", async () => {
    const first = await start("auto");
    const [, table = ""] = /^table inet (palisade_\w+)$/m.exec(tables()) ?? [];
    const banned = (): string => network.edge.run("nft", "list", "set", "inet", table, "ban4");
    await until(() =>
      network.edge.run("nft", "list", "set", "inet", table, "ports").includes(String(first.port)),
    );
    const attack = abuse(first);
    await until(() => banned().includes(abuser), { what: "the ban" });
    await until(() =>
      /banned \{\s+packets [1-9]/.test(network.edge.run("nft", "list", "counters")),
    );
    attack.kill("SIGKILL");
    await until(() => bansOnDisk(first).includes(abuser), { what: "the ban on disk" });

    const killed = once(first.child, "exit");
    first.child.kill("SIGKILL");
    await killed;
    expect(tables()).toContain(table);
    const second = await start("auto", first.home);
    expect(tables()).toBe(`table inet ${table}\n`);
    await until(() => banned().includes(abuser), { what: "the earlier ban" });
    await second.stop();
    expect(tables()).toBe("");
  });

  test("refuses the source by itself when the kernel is not used", async () => {
    const edge = await start("off");
    expect(tables()).toBe("");
    const attack = abuse(edge);
    await once(attack, "message");
    attack.kill("SIGKILL");
  });
});
