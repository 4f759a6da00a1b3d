import type { LoginEntry } from "@palisade/contract/edge/telemetry";
import { deflateRawSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { NetworkAction } from "@palisade/contract/edge/plain-values";
import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import { readAdvertisement } from "@palisade/minecraft-protocol/bedrock/advertisement";
import { encodePlainBatch } from "@palisade/minecraft-protocol/bedrock/game-batch";
import { encodeLogin } from "@palisade/minecraft-protocol/bedrock/game-packets";
import { RakNetClient } from "@palisade/testing/bedrock/raknet-client";
import { RakNetServer } from "@palisade/testing/bedrock/raknet-server";
import { freePort } from "@palisade/testing/free-port";
import { sampleBackend, sampleGroup, sampleShield } from "@palisade/testing/sample-shield";
import { until } from "@palisade/testing/until";
import { countryNumber } from "#src/rules/address-lookups.ts";
import { startTestEdge, type TestEdge } from "#src/testing/test-edge.ts";

/** The owner's rules, limits and balancing for players of Bedrock. */

let edge: TestEdge;
let port: number;
let stops: (() => Promise<void>)[];

beforeEach(async () => {
  stops = [];
  edge = await startTestEdge();
  port = await freePort();
});
afterEach(async () => {
  for (const stop of stops.toReversed()) await stop();
  await edge.stop();
});

async function serve(): Promise<RakNetServer> {
  const advertisement = "MCPE;A server;766;1.21.50;7;100;1;Second line;Survival;1;19132;19133;";
  const server = await RakNetServer.listen({ advertisement });
  stops.push(() => server.abandon());
  return server;
}

interface Change extends Partial<Omit<ShieldConfig, "mitigation">> {
  readonly mitigation?: Partial<ShieldConfig["mitigation"]>;
}

function protect(servers: readonly RakNetServer[], { mitigation, ...change }: Change = {}): void {
  const backends = servers.map(({ address }, index) => ({
    ...sampleBackend(1, index + 1),
    bedrock_port: address.port,
  }));
  edge.apply({
    groups: [sampleGroup(...backends)],
    bedrock: { ports: [port], only_in: [] },
    ...change,
    mitigation: { ...sampleShield().mitigation, ...mitigation },
  });
}

async function connect(from: string): Promise<RakNetClient> {
  const client = await RakNetClient.open({ host: "127.0.0.1", port, from });
  stops.push(() => client.abandon());
  await client.connect();
  return client;
}

/** The entry of the owner's log about the next refusal. */
async function refusalOf(from: string) {
  await connect(from);
  const [entry] = edge.logins.take(1);
  return entry;
}

const none = Uint32Array.of();
const noRanges = { count: 0, firsts: none, lasts: none, labels: none };

/** 127.0.5.0/24, with a label. */
function rangesOf(label: number) {
  const first = 127 * 2 ** 24 + 5 * 256;
  return {
    count: 1,
    firsts: Uint32Array.of(first),
    lasts: Uint32Array.of(first + 255),
    labels: Uint32Array.of(label),
  };
}

/** Places 127.0.5.0/24 in a country, and makes a rule for it. */
function ruleForGermany(
  action: NetworkAction,
  until: number | null = null,
): Pick<ShieldConfig["mitigation"], "network_rules"> {
  const countries = [{ ranges4: rangesOf(countryNumber("DE")), ranges6: noRanges }];
  edge.places.use({ countries, networks: [] });
  return { network_rules: { countries: [{ country: "DE", action, until }], networks: [] } };
}

/** As a client of 1.18 without an account sends it, with a chain that no key has signed. */
function loginOf(displayName: string): Buffer {
  const extraData = { displayName, XUID: "", identity: "1" };
  const claims = Buffer.from(JSON.stringify({ extraData })).toString("base64url");
  const identity = JSON.stringify({ chain: [`e30.${claims}.${"A".repeat(128)}`] });
  const batch = encodePlainBatch([encodeLogin({ protocol: 503, identity }, "skin")]);
  return Buffer.concat([Buffer.of(0xfe), deflateRawSync(batch.subarray(1))]);
}

describe("a player of Bedrock is refused", () => {
  test("from an address in a list of VPNs, and not from others", async () => {
    const server = await serve();
    edge.vpn.use({
      ranges4: rangesOf(0),
      ranges6: noRanges,
      labels: [{ list: "hosting", asn: 64_496 }],
    });
    protect([server], { mitigation: { anti_vpn: true } });
    const facts = { edition: "bedrock", list: "hosting", asn: "AS64496" };
    expect(await refusalOf("127.0.5.9")).toMatchObject({ verdict: "vpn", facts });
    await connect("127.0.6.9");
    expect(server.peers.size).toBe(1);
    expect(edge.counted()?.refused).toEqual({ vpn: 1 });
  });

  test("from a country that the owner blocks, and not from others", async () => {
    const server = await serve();
    protect([server], { mitigation: ruleForGermany("block") });
    expect(await refusalOf("127.0.5.9")).toMatchObject({ facts: { country: "DE" } });
    await connect("127.0.6.9");
    expect(server.peers.size).toBe(1);
  });

  test("above the owner's logins in a second", async () => {
    const server = await serve();
    protect([server], { mitigation: { logins_per_second: 1 } });
    const entries: LoginEntry[] = [];
    await until(
      async () => {
        // Two of one second, each from a network of its own.
        await Promise.all([connect("127.1.5.9"), connect("127.2.6.9")]);
        entries.push(...edge.logins.take(9));
        return entries.length > 0;
      },
      { what: "a second with two logins" },
    );
    expect(entries[0]).toMatchObject({ verdict: "max_connections", facts: { limit: "1/s" } });
  });

  test("while the shield has no place left, until another leaves", async () => {
    const server = await serve();
    const { shares } = sampleShield();
    protect([server], { shares: { ...shares, players: 1 } });
    const first = await connect("127.0.5.1");
    expect(await refusalOf("127.0.5.2")).toMatchObject({ verdict: "full" });
    await first.close();
    await until(() => {
      edge.advance(1_000);
      edge.wheel.advance();
      return edge.counters.players === 0;
    });
    await connect("127.0.5.3");
    expect(edge.counters.players).toBe(1);
  });

  test.each([
    [
      "where the owner wants accounts that have signed",
      { secure_profiles: true },
      "secure_profiles",
    ],
    [
      "in an attack at Extreme",
      { antibot: "extreme", attack_threshold: 1, attack_duration_ms: 60_000 } as const,
      "bot_check",
    ],
  ])("without an account %s, once the login was read", async (_, mitigation, verdict) => {
    const server = await serve();
    protect([server], { mitigation });
    await until(
      async () => {
        const players = await Promise.all([connect("127.1.5.9"), connect("127.2.6.9")]);
        for (const player of players) player.sendReliable(loginOf("Alex"));
        const entry = () => edge.logins.take(9).find((each) => each.verdict === verdict);
        let found = entry();
        await until(() => (found ??= entry()) !== undefined || edge.counters.players === 0, {
          what: "the outcome of the logins",
        });
        return found !== undefined;
      },
      { what: "the refusal" },
    );
  });

  test("while the plan has expired, as the answer to a ping says as well", async () => {
    const server = await serve();
    protect([server], { status: "expired" });
    const client = await RakNetClient.open({ host: "127.0.0.1", port, from: "127.0.5.1" });
    stops.push(() => client.abandon());
    expect(readAdvertisement((await client.ping()).advertisement)?.motd).toContain("expired");
    await client.connect();
    expect(edge.logins.take(1)).toMatchObject([{ verdict: "expired" }]);
    expect(server.peers.size).toBe(0);
  });
});

describe("a player of Bedrock from a country that the owner challenges", () => {
  test("has to answer two cookies once, at every level, and players from elsewhere one", async () => {
    const server = await serve();
    protect([server], { mitigation: { antibot: "disabled", ...ruleForGermany("challenge") } });
    const challenged = await connect("127.0.5.9");
    expect(new Set(challenged.cookies).size).toBe(2);
    await challenged.close();
    expect((await connect("127.0.5.9")).cookies).toHaveLength(1);
    expect((await connect("127.0.6.9")).cookies).toHaveLength(1);
  });

  test("has to answer one while the whitelist names the address, or once the rule has ended", async () => {
    const server = await serve();
    const sample = sampleShield();
    protect([server], {
      mitigation: ruleForGermany("challenge"),
      lists: { ...sample.lists, whitelist_enabled: true, whitelist: ["127.0.5.8"] },
    });
    expect((await connect("127.0.5.8")).cookies).toHaveLength(1);
    protect([server], { mitigation: ruleForGermany("challenge", 1) });
    expect((await connect("127.0.5.7")).cookies).toHaveLength(1);
  });

  test("is refused in an attack with a login that is forged, and players from elsewhere are not", async () => {
    const server = await serve();
    protect([server], {
      mitigation: {
        antibot: "disabled",
        attack_threshold: 1,
        attack_duration_ms: 60_000,
        ...ruleForGermany("challenge"),
      },
    });
    const entries: LoginEntry[] = [];
    await until(
      async () => {
        const players = await Promise.all([connect("127.0.5.9"), connect("127.0.6.9")]);
        for (const player of players) player.sendReliable(loginOf("Alex"));
        await until(() => {
          entries.push(...edge.logins.take(9));
          return entries.length >= 2;
        });
        const isRefused = entries.some(({ verdict }) => verdict === "bot_check");
        if (!isRefused) entries.length = 0;
        return isRefused;
      },
      { what: "the refusal" },
    );
    expect(Object.fromEntries(entries.map(({ ip, verdict }) => [ip, verdict]))).toEqual({
      "127.0.5.9": "bot_check",
      "127.0.6.9": "joined",
    });
  });
});

describe("players of Bedrock are balanced over the servers of the group", () => {
  const balanced = (
    servers: readonly RakNetServer[],
    balancing: ShieldConfig["groups"][number]["balancing"],
  ): void => {
    const backends = servers.map(({ address }, index) => ({
      ...sampleBackend(1, index + 1),
      bedrock_port: address.port,
    }));
    protect(servers, { groups: [{ ...sampleGroup(...backends), balancing }] });
  };

  test("in turn", async () => {
    const servers = [await serve(), await serve(), await serve()];
    balanced(servers, "round_robin");
    for (let n = 1; n <= 6; n += 1) await connect(`127.0.${n}.1`);
    expect(servers.map(({ peers }) => peers.size)).toEqual([2, 2, 2]);
  });

  test("by their address, and a server that is down gets none", async () => {
    const servers = [await serve(), await serve()];
    balanced(servers, "ip_hash");
    for (let n = 0; n < 4; n += 1) await connect("127.0.9.1");
    const sizes = servers.map(({ peers }) => peers.size);
    expect(sizes.toSorted((a, b) => a - b)).toEqual([0, 4]);
    const own = servers[sizes.indexOf(4)];
    const other = servers[sizes.indexOf(0)];
    await own?.abandon();
    await until(
      async () => {
        await connect("127.0.9.1");
        return (other?.peers.size ?? 0) > 0;
      },
      { what: "a player on the other server" },
    );
  });

  test("by how many each has", async () => {
    const servers = [await serve(), await serve()];
    balanced(servers, "least_connections");
    for (let n = 1; n <= 8; n += 1) await connect(`127.0.${n}.1`);
    expect(servers.map(({ peers }) => peers.size)).toEqual([4, 4]);
  });
});
