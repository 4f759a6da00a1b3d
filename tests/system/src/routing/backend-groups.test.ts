import { createServer, connect as dial, type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";
import { shieldDomainRoutes } from "@palisade/contract/http/domains";
import { firewallRoutes } from "@palisade/contract/http/firewall";
import { serverMessageRoutes } from "@palisade/contract/http/server-messages";
import { regionRoutes } from "@palisade/contract/http/regions";
import { freePort } from "@palisade/testing/free-port";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { HostedServer } from "../minecraft/peer-host.ts";
import {
  createHome,
  parseHostPort,
  removeHome,
  startPart,
  type Part,
} from "../product/palisade.ts";
import { groupsOf, type Group } from "./backend-groups.ts";
import {
  addresses,
  countOf,
  FreshPlayers,
  serverReachedBy,
  version,
} from "../minecraft/players.ts";
import { icon } from "./icon.ts";
import { textWithoutTrace } from "../minecraft/kick-text.ts";
import {
  createEdgeToken,
  startMinecraftFixture,
  withoutAntibot,
  type BoughtShield,
  type MinecraftFixture,
} from "../minecraft/fixture.ts";

/** The backends that players reach: groups, balancing, failures, and what servers see of players. */

/** A proxy of the operator's in front of the edge. */
const trusted = "127.0.0.200";

let fixture: MinecraftFixture;
let freshPlayers: FreshPlayers;

beforeAll(async () => {
  // Products that run beside this one have the usual ones.
  const otherPort = await freePort();
  const settings = {
    PALISADE_PROXY_TRUSTED: trusted,
    PALISADE_OTHER_PORTS: `${otherPort}-${otherPort}`,
  };
  fixture = await startMinecraftFixture(settings, "1000");
  freshPlayers = new FreshPlayers(fixture);
});

afterAll(async () => {
  await fixture?.end();
});

function serve(name: string, options: { atPort?: number; proxy?: boolean } = {}) {
  return fixture.peers.serve(name, { version, motd: name, ...options });
}

describe("balancing over three servers", () => {
  let servers: HostedServer[];
  let shield: BoughtShield;
  let group: Group;

  beforeAll(async () => {
    servers = await Promise.all(["one", "two", "three"].map((name) => serve(name)));
    const [first, ...others] = servers;
    shield = await fixture.buy({ domain: "balanced.example.com", port: first?.port ?? 0 });
    await withoutAntibot(fixture, shield);
    group = await groupsOf(fixture, shield).standard();
    for (const { port } of others) await group.addServer(port);
    for (const { port } of servers) await group.proven(port);
  });
  afterAll(async () => {
    await Promise.all(servers.map((each) => each.stop()));
  });
  beforeEach(async () => {
    for (const each of servers) {
      await Promise.all(each.players().map((player) => fixture.peers.quit(player)));
      await until(() => each.players().length === 0);
    }
  });

  test("round robin gives each its turn", async () => {
    await group.change({ load_balancing: "round_robin" });
    const reached = await freshPlayers.joinInTurn(shield.domain, servers, addresses(9));
    expect(countOf(reached)).toEqual({ one: 3, two: 3, three: 3 });
    expect(new Set(reached.slice(0, 3)).size).toBe(3);
  });

  test("least connections fills up the backend with the fewest players", async () => {
    await group.change({ load_balancing: "least_connections" });
    expect(countOf(await freshPlayers.joinInTurn(shield.domain, servers, addresses(6)))).toEqual({
      one: 2,
      two: 2,
      three: 2,
    });
    const [, two] = servers;
    const leaving = two?.players() ?? [];
    await Promise.all(leaving.map((player) => fixture.peers.quit(player)));
    await until(() => two?.players().length === 0);
    // The edge hears of the ends a moment later than the server.
    await until(
      async () => (await freshPlayers.joinAll(shield.domain, servers, ["127.0.2.7"]))[0] === "two",
    );
    expect(await freshPlayers.joinAll(shield.domain, servers, ["127.0.2.8"])).toEqual(["two"]);
  });

  test("random knows no order and leaves no server out", async () => {
    await group.change({ load_balancing: "random" });
    const reached = await freshPlayers.joinAll(shield.domain, servers, addresses(60));
    // Each is expected 20 times; beyond these bounds about once in a million runs.
    for (const name of ["one", "two", "three"]) {
      const count = countOf(reached)[name] ?? 0;
      expect(count).toBeGreaterThanOrEqual(3);
      expect(count).toBeLessThanOrEqual(40);
    }
    const inTurn = reached.every((name, n) => n < 3 || name === reached[n - 3]);
    expect(inTurn).toBe(false);
  });

  test("IP hash keeps each address at its server, also while another is gone and once it is back", async () => {
    await group.change({ load_balancing: "ip_hash" });
    const from = addresses(40);
    const reached = await freshPlayers.joinAll(shield.domain, servers, from);
    expect(Object.keys(countOf(reached)).toSorted()).toEqual(["one", "three", "two"]);
    expect(await freshPlayers.joinAll(shield.domain, servers, from)).toEqual(reached);

    const [one, two, three] = servers;
    if (one === undefined || two === undefined || three === undefined) throw new Error("three");
    await two.stop();
    const without = await freshPlayers.joinAll(shield.domain, [one, three], from);
    expect(without.filter((_, n) => reached[n] !== "two")).toEqual(
      reached.filter((name) => name !== "two"),
    );
    servers = [one, await serve("two", { atPort: two.port }), three];
    // The edge sees in its own time that it is back, and the console later still.
    await until(async () => {
      const now = await freshPlayers.joinAll(shield.domain, servers, from);
      return now.every((name, n) => name === reached[n]);
    });
  });
});

describe("servers that fail in the midst of play", () => {
  test("cost only their own players: new ones go to the others, the default group, then read why not", async () => {
    const { owner, peers, edge } = fixture;
    const [a, b, c, spare] = await Promise.all(["a", "b", "c", "spare"].map((name) => serve(name)));
    if (a === undefined || b === undefined || c === undefined || spare === undefined) return;
    const shield = await fixture.buy({
      plan: "Pro",
      domain: "busy.example.com",
      port: spare.port,
    });
    await withoutAntibot(fixture, shield);
    const { params } = shield;
    const offline = {
      motd_line1: "Busy is away",
      offline_info: "Come to our Discord",
      offline_kick_msg: "Closed for today",
      offline_image: icon(),
    };
    await owner(serverMessageRoutes.updateServerMessages, { params, body: { offline } });
    const busy = await groupsOf(fixture, shield).add({ name: "Busy" });
    for (const { port } of [a, b, c]) await busy.addServer(port);
    const { domains } = (await owner(shieldDomainRoutes.listDomains, { params })).data;
    const named = { params: { ...params, domainId: domains[0]?.id ?? "" } };
    await fixture.applied(
      shield,
      owner(shieldDomainRoutes.updateDomain, { ...named, body: { group_id: busy.id } }),
    );
    for (const { port } of [a, b, c]) await busy.proven(port);

    await freshPlayers.joinInTurn(shield.domain, [a, b, c], addresses(6));
    expect([a, b, c].map((each) => each.players().length)).toEqual([2, 2, 2]);
    const staying = [...a.players(), ...c.players()];
    const leaving = b.players();
    await b.stop();
    for (const player of leaving) await peers.gone(player);
    const reached = await freshPlayers.joinAll(shield.domain, [a, c], addresses(6));
    expect(reached).toHaveLength(6);
    await Promise.all(staying.map((player) => peers.echo(player, "still playing")));

    // Taken out of the group, a server keeps who plays there.
    await busy.removeServer(c.port);
    expect(countOf(await freshPlayers.joinAll(shield.domain, [a, c], addresses(3)))).toEqual({
      a: 3,
    });
    await Promise.all(staying.map((player) => peers.echo(player, "playing on")));

    await Promise.all([a.stop(), c.stop()]);
    expect(await freshPlayers.joinAll(shield.domain, [spare], addresses(2))).toEqual([
      "spare",
      "spare",
    ]);
    const target = { edge, hostname: shield.domain, version };
    await until(async () => (await peers.ping(target)).motd === "spare");

    await spare.stop();
    const { outcome } = await freshPlayers.join(shield.domain);
    if (outcome.outcome !== "kicked") throw new Error(`${outcome.outcome}, not kicked`);
    expect(textWithoutTrace(outcome.text)).toBe("Closed for today");
    const entry = await until(async () => {
      const found = await peers.ping(target);
      return found.motd.includes("Busy is away") && found;
    });
    expect(entry.raw.players?.sample?.map(({ name }) => name)).toEqual(["Come to our Discord"]);
    expect(entry.raw.favicon).toMatch(/^data:image\/png;base64,/);

    const { last_error } = await until(async () => {
      const health = await busy.healthOf(b.port);
      return health.state === "down" && health;
    });
    expect(last_error).toBeTruthy();

    const again = await serve("a again", { atPort: a.port });
    await until(async () => (await freshPlayers.join(shield.domain)).outcome.outcome === "joined");
    expect(again.players()).toHaveLength(1);
    await again.stop();
  });
});

describe("PROXY protocol", () => {
  test("tells the server each player's address and port, and of the edge's own looks that they are such", async () => {
    const strict = await serve("strict", { proxy: true });
    const shield = await fixture.buy({ domain: "strict.example.com", port: strict.port });
    const group = await groupsOf(fixture, shield).standard();
    // Without the header it answers no status, so no player is sent there.
    expect((await freshPlayers.join(shield.domain)).outcome.outcome).toBe("kicked");
    expect(strict.connections()).toContainEqual(
      expect.objectContaining({ kind: "refused", why: "no header" }),
    );
    await group.change({ proxy_protocol: true });
    const before = strict.connections().length;

    const { outcome } = await freshPlayers.join(shield.domain, { from: "127.0.0.77" });
    if (outcome.outcome !== "joined") throw new Error(outcome.outcome);
    expect(outcome.source.address).toBe("127.0.0.77");
    const { peers, edge } = fixture;
    expect((await peers.ping({ edge, hostname: shield.domain, version })).motd).toBe("strict");
    await until(async () => (await group.healthOf(strict.port)).state === "up");

    // Through a proxy that says who the player is, the server hears of that player.
    const source = "198.51.100.23";
    const ahead = proxyHeader(source, 40_123).toString("hex");
    expect((await freshPlayers.join(shield.domain, { from: trusted, ahead })).outcome.outcome).toBe(
      "joined",
    );
    // From anywhere else that is no Minecraft.
    expect(
      (await freshPlayers.join(shield.domain, { from: "127.0.0.78", ahead })).outcome.outcome,
    ).toBe("closed");

    const seen = strict.connections().slice(before);
    const sources = seen.flatMap((each) =>
      each.kind === "player" ? [{ address: each.address, port: each.port }] : [],
    );
    expect(sources).toEqual([outcome.source, { address: source, port: 40_123 }]);
    expect(seen.some(({ kind }) => kind === "local")).toBe(true);
    expect(seen.filter(({ kind }) => kind === "refused")).toEqual([]);
    await strict.stop();
  });
});

/** Version 2, TCP over IPv4; the destination says nothing. */
function proxyHeader(address: string, port: number): Buffer {
  const body = Buffer.alloc(12);
  body.set(address.split(".").map(Number));
  body.writeUInt16BE(port, 8);
  const signature = "0d0a0d0a000d0a515549540a";
  return Buffer.concat([Buffer.from(`${signature}2111000c`, "hex"), body]);
}

describe("a game other than Minecraft", () => {
  test("has a port of its own, for any bytes, behind the same firewall", async () => {
    const { owner, edge } = fixture;
    const sockets = new Set<Socket>();
    const heard: Buffer[] = [];
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("data", (bytes) => {
        heard.push(bytes);
        socket.write(bytes);
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    // A TCP server's address is not a pipe's name.
    const { port } = server.address() as AddressInfo;

    const shield = await fixture.buy({ plan: "Pro", domain: "other.example.com", port: 25_565 });
    const group = await groupsOf(fixture, shield).add({ name: "Terraria", game: "other" });
    await group.addServer(port);
    const { port: own } = await group.seen();
    if (own === null) throw new Error("The group has no port of its own");
    const bytes = Buffer.from("00ff10fe01fa", "hex");
    const exchange = async (from: string): Promise<Buffer | undefined> => {
      const socket = dial({ host: edge.host, port: own, localAddress: from });
      const answer = Promise.withResolvers<Buffer | undefined>();
      socket.on("data", answer.resolve);
      socket.on("error", () => answer.resolve(undefined));
      socket.on("close", () => answer.resolve(undefined));
      socket.write(bytes);
      return answer.promise.finally(() => socket.destroy());
    };
    expect(await until(() => exchange("127.0.0.61"))).toEqual(bytes);

    const { params } = shield;
    const body = { type: "blacklist", ip: "127.0.0.62" } as const;
    await fixture.applied(shield, owner(firewallRoutes.addFirewallEntry, { params, body }));
    const before = heard.length;
    expect(await exchange("127.0.0.62")).toBeUndefined();
    expect(heard).toHaveLength(before);

    await group.change({ proxy_protocol: true });
    await until(async () => (await exchange("127.0.0.63"))?.includes(bytes));
    expect(Buffer.concat(heard).includes(Buffer.from([0x21, 0x11, 0, 12, 127, 0, 0, 63]))).toBe(
      true,
    );
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
});

describe("edges in two places", () => {
  let frankfurt: Part;
  let frankfurtHome: string;

  beforeAll(async () => {
    frankfurtHome = await createHome();
    frankfurt = await startPart("edge", frankfurtHome, {
      PALISADE_API_URL: fixture.palisade.consoleUrl,
      PALISADE_EDGE_TOKEN: await createEdgeToken(fixture.palisade.home, "frankfurt"),
    });
  });
  afterAll(async () => {
    await frankfurt?.stop();
    if (frankfurtHome !== undefined) await removeHome(frankfurtHome);
  });

  test("lead players to the group of their own location, and go on when the region changes", async () => {
    const { owner } = fixture;
    const [near, far] = await Promise.all([serve("near"), serve("far")]);
    const shield = await fixture.buy({
      plan: "Pro",
      domain: "places.example.com",
      port: near.port,
    });
    const { params } = shield;
    const group = await groupsOf(fixture, shield).add({ name: "Far", region: "frankfurt" });
    await group.addServer(far.port);
    const edges = [fixture.edge, parseHostPort(frankfurt.facts["java"] ?? "")];
    const reached = (): Promise<string[]> =>
      Promise.all(
        edges.map(async (edge) => {
          const { player, outcome } = await freshPlayers.join(shield.domain, { edge });
          return outcome.outcome === "joined"
            ? serverReachedBy([near, far], player)
            : outcome.outcome;
        }),
      );
    // Until a server has proven itself, players go to the groups of those that have.
    await group.proven(far.port);
    await until(async () => (await reached()).join() === "near,far");

    // Players whose DNS still leads them to the old place get in as before.
    await fixture.applied(
      shield,
      owner(regionRoutes.updateRegion, { params, body: { location: "frankfurt" } }),
    );
    expect(await reached()).toEqual(["near", "far"]);

    // A group of the location itself goes before the default group, which serves where it fails.
    await far.stop();
    expect(await reached()).toEqual(["near", "near"]);
    await near.stop();
  });
});
