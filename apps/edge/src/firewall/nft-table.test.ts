import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import {
  createTestNetwork,
  type Namespace,
  namespacesMissing,
  type TestNetwork,
} from "@palisade/testing/network-namespaces";
import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { VisitOrder } from "#src/testing/firewall-client.ts";
import type { HostOrder } from "#src/testing/firewall-host.ts";
import { runNft } from "./run-nft.ts";

const missing = namespacesMissing() ?? (await nftMissing());
if (missing !== undefined) {
  process.stdout.write(`tests of the kernel's help are skipped: ${missing}\n`);
}

const bad = "10.64.0.7";
const bad6 = "fd64::bad:1";
const good = "10.64.9.9";
const good6 = "fd64:0:9::9";

describe.skipIf(missing !== undefined)("the edge's table of nftables", () => {
  const stops: (() => unknown)[] = [];
  let network: TestNetwork;
  let edge: Edge;
  let visit: Visit;
  let ports: readonly number[];

  beforeAll(async () => {
    network = createTestNetwork();
    stops.push(() => network.remove());
    [edge, visit] = await Promise.all([startEdge(), startVisitors(network.clients)]);
    ports = portsOf(await edge({ do: "listen" }));
    // IPv6 takes a moment to come up on a new cable.
    await until(async () => !("failure" in (await visit(good6, ports[0] ?? 0))));
  });

  afterEach(() => edge({ do: "close" }));

  afterAll(async () => {
    for (const stop of stops.toReversed()) await stop();
  });

  async function startEdge(): Promise<Edge> {
    return asker(await startHelper(network.edge, "firewall-host", stops));
  }

  async function startVisitors(from: Namespace): Promise<Visit> {
    const ask = asker(await startHelper(from, "firewall-client", stops));
    return (from, port, to) => {
      const { ip4, ip6 } = network.edge;
      const host = to ?? (from.includes(":") ? ip6 : ip4);
      return ask({ host, port, from } satisfies VisitOrder);
    };
  }

  async function tableUp(name = "palisade_test"): Promise<void> {
    expect(await edge({ do: "create", name })).toEqual({});
    expect(await edge({ do: "ports", ports: ports.slice(0, 1) })).toEqual({ failures: 0 });
  }

  function tables(): string {
    return network.edge.run("nft", "list", "tables");
  }

  test("a banned source cannot connect until the ban ends; other sources and ports are not affected", async () => {
    const [port = 0, otherPort = 0] = ports;
    await tableUp();
    const bans = [`${bad}/32`, "fd64:0:0:0::/64", "10.64.5.0/24", "fd64:0:7::/48"].map((cidr) => ({
      network: cidr,
      seconds: 600,
    }));
    expect(await edge({ do: "ban", bans })).toEqual({ failures: 0 });
    const banned = [bad, bad6, "10.64.5.200", "fd64:0:7:1::1"];
    const connected: string[] = [];
    for (const address of banned) {
      void visit(address, port).then(() => connected.push(address));
    }
    await until(async () => dropsOf(await edge({ do: "drops" })).banned >= banned.length);
    await Promise.all([visit(good, port), visit(good6, port)]);
    await Promise.all(banned.map((address) => visit(address, otherPort)));
    expect(connected).toEqual([]);
    // Their time-outs end them too, but the test does not wait ten minutes.
    expect(await edge({ do: "replace", bans: [{ network: `${bad}/32`, seconds: 1 }] })).toEqual({
      failures: 0,
    });
    await until(() => connected.length === banned.length);
    expect(network.edge.run("nft", "list", "set", "inet", "palisade_test", "ban4")).not.toContain(
      bad,
    );
  });

  test("a player who has joined stays when their address is banned", async () => {
    const [port = 0] = ports;
    await tableUp();
    const script = `const s = require("node:net").connect({host: "10.63.0.2", port: ${port}, localAddress: "${bad}"});
      s.on("data", (d) => process.send(String(d))); process.on("message", (m) => s.write(m));
      s.on("connect", () => s.write("joined"));`;
    const player = network.clients.spawn(process.execPath, ["-e", script], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    stops.push(() => player.kill("SIGKILL"));
    expect(await nextMessage(player)).toBe("joined");
    await edge({ do: "ban", bans: [{ network: `${bad}/32`, seconds: 600 }] });
    player.send("still here");
    expect(await nextMessage(player)).toBe("still here");
  });

  test("ten thousand bans are passed in batches and do not delay sources that are not banned", async () => {
    const [port = 0] = ports;
    await tableUp();
    const bans = Array.from({ length: 25_000 }, (_, n) => ({
      network: `10.65.${n >> 8}.${n & 255}/32`,
      seconds: 600,
    }));
    expect(await edge({ do: "ban", bans })).toEqual({ failures: 0 });
    const listed = network.edge.run("nft", "-j", "list", "set", "inet", "palisade_test", "ban4");
    expect(listed.split('"val"').length - 1).toBe(25_000);
    await visit(good, port);
  });

  test("a stop removes the table and leaves other tables as they were", async () => {
    network.edge.run("nft", "add", "table", "inet", "other_program");
    await tableUp();
    expect(tables()).toContain("palisade_test");
    await edge({ do: "close" });
    expect(tables()).toBe("table inet other_program\n");
    network.edge.run("nft", "delete", "table", "inet", "other_program");
  });

  test("the table of an edge killed with -9 is replaced, and its end removes nothing of the next edge", async () => {
    const [port = 0] = ports;
    await tableUp();
    await edge({ do: "ban", bans: [{ network: `${bad}/32`, seconds: 600 }] });
    const next = await startEdge();
    expect(await next({ do: "create", name: "palisade_test" })).toEqual({});
    expect(await next({ do: "ports", ports: [port] })).toEqual({ failures: 0 });
    await visit(bad, port);
    await edge({ do: "close" });
    expect(tables()).toContain("palisade_test");
    await next({ do: "close" });
    expect(tables()).toBe("");
  });

  test("a ruleset that was emptied from outside is created again at the next check, and all bans are passed anew", async () => {
    const [port = 0] = ports;
    await tableUp();
    const bans = [{ network: `${bad}/32`, seconds: 600 }];
    await edge({ do: "ban", bans });
    network.edge.run("nft", "flush", "ruleset");
    expect(await edge({ do: "drops" })).toMatchObject({ isBehind: true });
    expect(await edge({ do: "replace", bans })).toEqual({ failures: 0 });
    expect(await edge({ do: "drops" })).toMatchObject({ isBehind: false });
    let hasConnected = false;
    void visit(bad, port).then(() => (hasConnected = true));
    await until(async () => dropsOf(await edge({ do: "drops" })).banned >= 1);
    await visit(good, port);
    expect(hasConnected).toBe(false);
  });

  test("the next ban creates it again too, and commands after the end create nothing", async () => {
    await tableUp();
    network.edge.run("nft", "flush", "ruleset");
    const bans = [{ network: `${bad}/32`, seconds: 600 }];
    expect(await edge({ do: "ban", bans })).toEqual({ failures: 0 });
    expect(network.edge.run("nft", "list", "set", "inet", "palisade_test", "ban4")).toContain(bad);
    expect(await edge({ do: "drops" })).toMatchObject({ isBehind: true });
    await edge({ do: "close" });
    await edge({ do: "replace", bans });
    await edge({ do: "drops" });
    expect(tables()).toBe("");
  });

  test("more SYNs of one source than the limit are dropped, those of others and of trusted proxies are not", async () => {
    const [port = 0] = ports;
    expect(await edge({ do: "create", name: "palisade_test", never: ["10.64.200.0/24"] })).toEqual(
      {},
    );
    await edge({ do: "ports", ports: ports.slice(0, 1) });
    const many = (from: string): Promise<object>[] =>
      Array.from({ length: 700 }, () => visit(from, port));
    await Promise.all(many("10.64.200.1"));
    expect(dropsOf(await edge({ do: "drops" })).synLimited).toBe(0);
    const flood = many(bad);
    await until(async () => dropsOf(await edge({ do: "drops" })).synLimited > 0);
    await visit(good, port);
    // The kernel tries again by itself, and the limit lets it in as time passes.
    await Promise.all(flood);
  });

  test("if the edge listens on one address, the same port of another address is not affected", async () => {
    const [port = 0] = ports;
    network.edge.run("ip", "addr", "add", "10.63.0.3/24", "dev", "cable");
    await edge({ do: "create", name: "palisade_test", host: "10.63.0.3" });
    await edge({ do: "ports", ports: [port] });
    await edge({ do: "ban", bans: [{ network: `${bad}/32`, seconds: 600 }] });
    expect(await visit(bad, port)).toEqual({});
    expect(await visit(bad6, port)).toEqual({});
  });

  test("traffic that the machine only forwards, as to virtual machines, is not affected", async () => {
    const [port = 0] = ports;
    const behind = "10.66.0.9";
    network.clients.run("ip", "route", "add", behind, "via", network.edge.ip4);
    network.edge.run("sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward");
    network.edge.run("ip", "route", "add", "unreachable", behind);
    await tableUp();
    await edge({ do: "ban", bans: [{ network: `${bad}/32`, seconds: 600 }] });
    // An answer of 'no route' means that the packet has passed the table.
    expect(await visit(bad, port, behind)).toMatchObject({
      failure: expect.stringContaining("EHOSTUNREACH"),
    });
    expect(dropsOf(await edge({ do: "drops" })).banned).toBe(0);
  });
});

test("without the right or the program there is a reason and no table", async () => {
  const script = `import { NftTable } from "#src/firewall/nft-table.ts";
    const result = await NftTable.create({ name: "palisade_test", host: undefined, never: [] });
    console.log(result.ok ? "made" : result.reason);`;
  const { execFileSync } = await import("node:child_process");
  const args = ["--input-type=module", "--experimental-strip-types", "-e", script];
  const asNobody = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-net_admin"] : [];
  const [program = "", ...rest] = [...asNobody, process.execPath, ...args];
  const said = execFileSync(program, rest, {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    encoding: "utf8",
  });
  expect(said).toMatch(/Operation not permitted|not installed/);
});

type Edge = (order: HostOrder) => Promise<object>;
type Visit = (from: string, port: number, to?: string) => Promise<object>;

async function nftMissing(): Promise<string | undefined> {
  const version = await runNft(["--version"]);
  return version.ok ? undefined : version.reason;
}

async function startHelper(
  where: Namespace,
  name: string,
  stops: (() => unknown)[],
): Promise<ChildProcess> {
  const file = fileURLToPath(new URL(`../testing/${name}.ts`, import.meta.url));
  const child = where.spawn(process.execPath, [file], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  stops.push(() => child.kill("SIGKILL"));
  await nextMessage(child);
  return child;
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  // `once` gives what the event brings as a list.
  const [message] = (await once(child, "message")) as unknown[];
  return message;
}

function asker(child: ChildProcess): (order: object) => Promise<object> {
  let lastId = 0;
  child.setMaxListeners(0);
  const waiting = new Map<number, (answer: object) => void>();
  child.on("message", ({ id, ...answer }: { id: number }) => waiting.get(id)?.(answer));
  return (order) => {
    const id = ++lastId;
    const { promise, resolve } = Promise.withResolvers<object>();
    waiting.set(id, resolve);
    child.send({ id, order });
    return promise;
  };
}

function portsOf(answer: object): readonly number[] {
  return "ports" in answer && Array.isArray(answer.ports) ? answer.ports.map(Number) : [];
}

function dropsOf(answer: object): { banned: number; synLimited: number } {
  const drops: unknown = "drops" in answer ? answer.drops : undefined;
  const count = (name: string): number => Number(new Map(Object.entries(Object(drops))).get(name));
  return { banned: count("banned"), synLimited: count("synLimited") };
}
