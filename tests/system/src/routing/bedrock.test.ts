import { createSocket } from "node:dgram";
import { setTimeout as delay } from "node:timers/promises";
import {
  readAdvertisement,
  type Advertisement,
} from "@palisade/minecraft-protocol/bedrock/advertisement";
import { gameVersions } from "@palisade/minecraft-protocol/bedrock/game-versions";
import { backendRoutes } from "@palisade/contract/http/backends";
import { bedrockRoutes } from "@palisade/contract/http/bedrock";
import { routes } from "@palisade/contract/http/routes";
import { staffShieldRoutes } from "@palisade/contract/http/staff-shields";
import {
  bedrockVersions,
  startBedrockHost,
  type BedrockHost,
  type BedrockServer,
} from "@palisade/testing/bedrock/bedrock-host";
import { ProxyProtocolReceiver } from "@palisade/testing/bedrock/proxy-protocol-receiver";
import { RakNetClient } from "@palisade/testing/bedrock/raknet-client";
import { freePort } from "@palisade/testing/free-port";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, expect, test } from "vitest";
import { turnOnTwoFactor } from "../auth/fixture.ts";
import {
  startMinecraftFixture,
  type BoughtShield,
  type MinecraftFixture,
} from "../minecraft/fixture.ts";
import type { HostedServer } from "../minecraft/peer-host.ts";
import { runCommand } from "../product/palisade.ts";
import { createAccount } from "../screens/accounts.ts";

/** Bedrock players of the whole product: real games through the ports that an owner has added. */

interface Served {
  readonly version: string;
  readonly server: BedrockServer;
  /** In front of the server, as strict as Geyser. */
  readonly receiver: ProxyProtocolReceiver;
}

let fixture: MinecraftFixture;
let host: BedrockHost;
let java: HostedServer;
let shield: BoughtShield;
let served: Served[];
let standardPort: number;
let randomPort: number;

beforeAll(async () => {
  [standardPort, randomPort] = [await freePort(), await freePort()];
  const settings = {
    PALISADE_BEDROCK_PORT: String(standardPort),
    PALISADE_BEDROCK_PORTS: `${randomPort}-${randomPort}`,
    PALISADE_EDGE_WORKERS: "2",
  };
  [fixture, host] = await Promise.all([
    startMinecraftFixture(settings, "1000"),
    startBedrockHost(),
  ]);
  java = await fixture.peers.serve("lobby");
  shield = await fixture.buy({ plan: "Pro", domain: "play.example.com", port: java.port });
  served = await Promise.all(bedrockVersions.map(serve));
});

afterAll(async () => {
  await host?.end();
  for (const { receiver } of served ?? []) await receiver.close();
  await fixture?.end();
});

async function serve(version: string): Promise<Served> {
  const motd = { motd: `A server of ${version}`, levelName: "Second line" };
  const server = await host.serve(version, { version, motd, raknet: { hasCookie: true } });
  const receiver = await ProxyProtocolReceiver.listen({ server: server.address, mode: "first" });
  return { version, server, receiver };
}

/** A member of staff grants the right to the default port. */
async function grantDefaultPort(): Promise<void> {
  const { palisade } = fixture;
  const staff = await createAccount(palisade.consoleUrl, "kim@example.com");
  await turnOnTwoFactor(staff);
  await runCommand(palisade.home, ["staff", "add", staff.email, "support"]);
  await staff.call(staffShieldRoutes.setBedrockDefault, {
    params: { shieldId: shield.id },
    body: { granted: true, reason: "The owner has asked for it" },
  });
}

/** The shield's backend takes Bedrock players there from now on. */
async function sendPlayersTo({ receiver }: Served): Promise<void> {
  const { owner } = fixture;
  const { params } = shield;
  const [group] = (await owner(backendRoutes.getBackends, { params })).data.backends;
  const [backend] = group?.ips ?? [];
  if (group === undefined || backend === undefined) throw new Error("The shield has no backend");
  const change = owner(backendRoutes.updateBackendServer, {
    params: { ...params, backendId: group.id, ipId: backend.id },
    body: {
      ip: backend.ip,
      port: backend.port,
      bedrock_port: receiver.address.port,
      bedrock_proxy: "first",
    },
  });
  await fixture.applied(shield, change);
}

/** A client of RakNet asks; undefined if nothing answers for a while. */
async function ping(port: number): Promise<Advertisement | undefined> {
  const client = await RakNetClient.open({ host: "127.0.0.1", port });
  try {
    const late = new AbortController();
    const pong = await Promise.race([
      client.ping(),
      delay(500, undefined, { signal: late.signal }).catch(() => undefined),
    ]);
    late.abort();
    return pong && readAdvertisement(pong.advertisement);
  } finally {
    await client.abandon();
  }
}

let serial = 0;

async function join(port: number, version: string): Promise<string> {
  const n = ++serial;
  const player = `Bedrock ${n}`;
  // Each player has a network of their own: many from one network would be an attack.
  const raknet = { from: `127.6.${n}.1` };
  const to = { host: "127.0.0.1", port };
  expect(await host.join({ player, to, version, raknet })).toMatchObject({ outcome: "joined" });
  return player;
}

const echoAll = (players: readonly string[]) =>
  Promise.all(players.map((player) => host.echo(player, `${player} is here`)));

let players: string[];

test("real players of three versions join by the ports of their owner, beside Java, and stay while the edge is upgraded or killed", async () => {
  const { owner, peers, palisade } = fixture;
  const { params } = shield;
  const call = { params };
  await grantDefaultPort();
  await fixture.applied(shield, owner(bedrockRoutes.addDefaultPort, call));
  await fixture.applied(shield, owner(bedrockRoutes.addRandomPort, call));
  const { bedrock } = await fixture.applied(
    shield,
    owner(bedrockRoutes.updateBedrock, { params, body: { bedrock_enabled: true } }),
  );
  expect(bedrock.ports.map(({ port }) => port)).toEqual([standardPort, randomPort]);

  // No backend takes players of Bedrock so far.
  const offline = await until(() => ping(standardPort), { what: "a pong of the edge" });
  expect(offline.version).not.toBe("");
  expect(offline.online).toBe(0);

  players = [];
  const versions: object[] = [];
  for (const [index, each] of served.entries()) {
    await sendPlayersTo(each);
    for (const port of [standardPort, randomPort]) {
      const seen = async (): Promise<boolean> =>
        (await ping(port))?.motd === `A server of ${each.version}`;
      await until(seen, { what: `the answer of ${each.version}` });
    }
    const pong = await ping(standardPort);
    versions.push({ name: pong?.version, protocol: pong?.protocol });
    players.push(await join(index % 2 === 0 ? standardPort : randomPort, each.version));
  }
  // The doctor warns of others.
  expect([versions[0], versions.at(-1)]).toEqual([gameVersions.oldest, gameVersions.newest]);
  const edge = palisade.java;
  const steve = { edge, hostname: shield.domain, player: "Steve" };
  expect(await peers.join({ ...steve, from: "127.6.200.1" })).toMatchObject({ outcome: "joined" });
  await echoAll(players);
  await peers.echo("Steve", "hello");
  expect(java.players()).toEqual(["Steve"]);
  for (const [index, { server, receiver }] of served.entries()) {
    expect(receiver.violations).toEqual([]);
    // Beside the edge itself, which pings the server.
    const named = receiver.players.filter((each) => !each.startsWith("127.0.0.1:"));
    expect(named.map((each) => each.replace(/:.*/, ""))).toEqual([`127.6.${index + 1}.1`]);
    expect(server.players()).toEqual([players[index]]);
  }

  const before = await palisade.pidOf("edge");
  palisade.supervisor.kill("SIGUSR2");
  await until(async () => {
    await echoAll(players);
    return (await palisade.pidOf("edge").catch(() => before)) !== before;
  });
  await echoAll(players);
  await peers.echo("Steve", "still here");
  for (const { server, receiver } of served) {
    expect(receiver.violations).toEqual([]);
    expect(server.joins()).toHaveLength(1);
    expect(server.players()).toHaveLength(1);
  }
  // The edge that reports now has all of them, and lets others in.
  const { getOverview } = routes.servers;
  const online = async () => (await owner(getOverview, { params })).data.players_online;
  await until(async () => (await online()) === players.length + 1, { what: "four players" });
  players.push(await join(randomPort, served.at(-1)?.version ?? ""));
  await echoAll(players);

  const killed = await palisade.pidOf("edge");
  process.kill(killed, "SIGKILL");
  await until(async () => (await palisade.pidOf("edge").catch(() => killed)) !== killed);
  await echoAll(players);
  await peers.echo("Steve", "still here after the kill");
  for (const { receiver } of served) expect(receiver.violations).toEqual([]);
  await until(async () => (await online()) === players.length + 1, { what: "all five players" });

  const deleted = bedrock.ports.find(({ port }) => port === randomPort)?.id ?? "";
  await fixture.applied(
    shield,
    owner(bedrockRoutes.removePort, { params: { ...params, portId: deleted } }),
  );
  expect(await ping(randomPort)).toBeUndefined();
  expect(await ping(standardPort)).toBeDefined();
  players = players.filter((_, index) => index === 0 || index === 2);
  await echoAll(players);
  await until(async () => (await online()) === 3, { what: "the players of the other port" });
});

/** Sends datagrams that open nothing, until it is ended. */
function flood(port: number): () => void {
  const socket = createSocket("udp4");
  const datagram = Buffer.alloc(48, 0x07);
  const burst = (): void => {
    for (let n = 0; n < 200; n++) socket.send(datagram, port, "127.0.0.1");
  };
  const timer = setInterval(burst, 50);
  return () => {
    clearInterval(timer);
    socket.close();
  };
}

test("a flood of datagrams of no player is an attack that the owner sees, and players stay", async () => {
  const { owner } = fixture;
  const { params } = shield;
  const body = { mitigation_threshold_enabled: true, mitigation_threshold: 1 };
  await fixture.applied(shield, owner(routes.mitigation.updateMitigation, { params, body }));
  const attack = async () => {
    const { data } = await owner(routes.attacks.listAttacks, { params, query: {} });
    return data.data.find(({ datagrams_peak: peak }) => peak > 1_000);
  };
  const end = flood(standardPort);
  try {
    await until(attack, { what: "the attack" });
    await echoAll(players);
  } finally {
    end();
  }
  expect((await attack())?.refused).toEqual({});
});
