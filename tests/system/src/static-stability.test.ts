import { Resolver } from "node:dns/promises";
import type { Client } from "@palisade/contract/http/client";
import { routes } from "@palisade/contract/http/routes";
import { startImpairmentProxy, type ImpairmentProxy } from "@palisade/testing/impairment-proxy";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { retryAcross } from "./money/retry-across.ts";
import { pingStatus, tryLogin, type LoginOutcome } from "./minecraft/java-client.ts";
import { startGameServer, type GameServer } from "./minecraft/peers.ts";
import { createShield, signUp, type CreatedShield } from "./product/account.ts";
import {
  createHome,
  parseHostPort,
  removeHome,
  runCommand,
  startPart,
  type HostPort,
  type Part,
} from "./product/palisade.ts";
import { commitRawConfig } from "./product/invalid-config.ts";

/**
 * An edge whose network to the control plane is cut, and that gets invalid configurations or is killed.
 * The parts run one by one, as on several machines.
 */

const invitation = z.object({ enrolment_token: z.string() });
/** Never blocked. */
const friend = "127.0.0.40";

let home: string;
let api: Part;
let proxy: ImpairmentProxy;
let edge: Part;
let java: HostPort;
let game: GameServer;
let owner: Client;
let shield: CreatedShield;

function startEdge(settings: Record<string, string> = {}): Promise<Part> {
  return startPart("edge", home, {
    PALISADE_API_URL: `http://127.0.0.1:${proxy.port}`,
    ...(java === undefined ? {} : { PALISADE_JAVA_PORT: String(java.port) }),
    ...settings,
  });
}

function startApi(port = 0): Promise<Part> {
  return startPart("api", home, { PALISADE_HTTP_PORT: String(port) });
}

function portOfApi(): number {
  return Number(new URL(api.facts["url"] ?? "").port);
}

function login(from: string, capMs?: number): Promise<LoginOutcome> {
  const options = { edge: java, host: shield.domain, from };
  return tryLogin(capMs === undefined ? options : { ...options, capMs }, "Visitor");
}

async function inviteToken(name: string, kind: "edge" | "dns"): Promise<string> {
  const command = ["edge", "invite", "--name", name, "--location", "local", "--kind", kind];
  const lines = (await runCommand(home, command)).split("\n");
  const printed = lines.find((line) => line.startsWith("{")) ?? "";
  return invitation.parse(JSON.parse(printed)).enrolment_token;
}

/** An api that has just started may ask to be called again. */
async function block(address: string): Promise<number> {
  const params = { id: shield.id };
  const body = { type: "blacklist", ip: address } as const;
  const { data } = await retryAcross([{ url: "", call: owner }], ({ call }) =>
    call(routes.firewall.addFirewallEntry, { params, body }),
  );
  return data.revision;
}

async function isBlocked(address: string): Promise<boolean> {
  const outcome = await login(address);
  return outcome.kind === "kicked" && outcome.text.includes("blocked");
}

async function propagationOf(revision: number) {
  const query = { params: { id: shield.id }, query: { revision } };
  return (await owner(routes.servers.getPropagation, query)).data;
}

async function isProofPublished(): Promise<boolean> {
  const question = { params: { id: shield.id }, query: {} };
  const { data } = (await owner(routes.history.listHistory, question)).data;
  return data.some(({ changes }) => changes.some(({ field }) => field === "server_proof"));
}

beforeAll(async () => {
  home = await createHome();
  [api, game] = await Promise.all([startApi(), startGameServer("Skyline", { version: "1.8.8" })]);
  proxy = await startImpairmentProxy({ host: "127.0.0.1", port: portOfApi() });
  edge = await startEdge({ PALISADE_EDGE_TOKEN: await inviteToken("local", "edge") });
  java = parseHostPort(edge.facts["java"] ?? "");
  owner = await signUp(api.facts["url"] ?? "", "owner@example.com");
  const backend = { host: "127.0.0.1", port: game.port };
  shield = await createShield(owner, backend, "play.example.com");
  // Only the owner's lists are tested here, so the friend must not be verified during the flood.
  await owner(routes.mitigation.updateMitigation, {
    params: { id: shield.id },
    body: { antibot_level: "disabled" },
  });
  await until(async () => (await login(friend)).kind === "admitted", { what: "a first join" });
  // The server's proof is the last revision that comes by itself.
  await until(isProofPublished, { what: "the proof of the server" });
});

afterAll(async () => {
  await edge?.stop();
  await proxy?.close();
  await api?.stop();
  await game?.kill();
  if (home !== undefined) await removeHome(home);
});

describe("an edge cut off from its control plane", () => {
  test("serves its last configuration, and the newest when the partition heals", async () => {
    const cut = "127.0.0.21";
    proxy.impair({ isBlackHole: true });
    const revision = await block(cut);
    expect((await login(cut)).kind).toBe("admitted");
    expect((await propagationOf(revision)).edges_applied).toBe(0);
    proxy.impair({ isBlackHole: false });
    await until(() => isBlocked(cut), { capMs: 60_000, what: "the block after the partition" });

    // The same with broken connections instead of silent ones.
    const broken = "127.0.0.22";
    proxy.impair({ isBlackHole: true });
    proxy.resetAll();
    await block(broken);
    proxy.resetAll();
    proxy.impair({ isBlackHole: false });
    await until(() => isBlocked(broken), { capMs: 60_000, what: "the block after the resets" });
    expect((await login(friend)).kind).toBe("admitted");
  });
});

describe("an invalid configuration", () => {
  test.each([
    ["an unknown value", (config: object) => ({ ...config, status: "half-open" })],
    ["an unknown key", (config: object) => ({ ...config, surprise: 1 })],
    [
      "more bytes than an edge takes",
      (config: object) => ({
        ...config,
        filler: "x".repeat(3_000_000),
      }),
    ],
  ])(
    "with %s is refused by the edge and reported in the receipt, and the last good one serves",
    async (_, change) => {
      const blocked = "127.0.0.23";
      if (!(await isBlocked(blocked))) {
        await block(blocked);
        await until(() => isBlocked(blocked));
      }
      const revision = await commitRawConfig(home, shield.id, change);
      const receipt = await until(
        async () => {
          const found = await propagationOf(revision);
          return found.edges_rejected === 1 && found;
        },
        { what: "the refusal in the receipt" },
      );
      expect(receipt.edges[0]?.reason).toBeTruthy();
      expect(await isBlocked(blocked)).toBe(true);
      expect((await login(friend)).kind).toBe("admitted");
      expect((await pingStatus({ edge: java, host: shield.label })).version?.protocol).toBe(47);
    },
  );

  test("is replaced by the next valid one", async () => {
    const invalid = await commitRawConfig(home, shield.id, (config) => ({
      ...config,
      surprise: 1,
    }));
    await until(async () => (await propagationOf(invalid)).edges_rejected === 1, {
      what: "the refusal in the receipt",
    });
    const healed = "127.0.0.24";
    const revision = await block(healed);
    await until(async () => (await propagationOf(revision)).edges_applied === 1);
    expect(await isBlocked(healed)).toBe(true);
  });
});

describe("zone DNS", () => {
  test("names the edge for the shield's label, also without the api and after a restart", async () => {
    let dns = await startPart("dns", home, {
      PALISADE_API_URL: `http://127.0.0.1:${proxy.port}`,
      PALISADE_EDGE_TOKEN: await inviteToken("local-dns", "dns"),
    });
    const resolve = async (): Promise<string[]> => {
      const resolver = new Resolver({ timeout: 2_000 });
      resolver.setServers([dns.facts["dns"] ?? ""]);
      return resolver.resolve4(shield.label);
    };
    expect(await until(resolve, { what: "the label in the zone" })).toEqual(["127.0.0.1"]);
    const port = portOfApi();
    await api.stop();
    await dns.killProgram();
    dns = await startPart("dns", home);
    expect(await resolve()).toEqual(["127.0.0.1"]);
    await dns.stop();
    api = await startApi(port);
  });
});

describe("an edge that is killed", () => {
  test("while it writes its last good copy starts with a complete one, then gets the newest", async () => {
    const before = "127.0.0.25";
    await block(before);
    await until(() => isBlocked(before));
    await edge.stop();
    edge = await startEdge({ PALISADE_FAILPOINTS: "last_good.record" });
    const during = "127.0.0.26";
    await block(during);
    await edge.output.match(/edge ended \(SIGKILL\)/, 60_000);
    await edge.stop();

    const port = portOfApi();
    await api.stop();
    edge = await startEdge();
    expect(await isBlocked(before)).toBe(true);
    expect((await login(friend)).kind).toBe("admitted");

    api = await startApi(port);
    await until(() => isBlocked(during), { capMs: 60_000, what: "the newest configuration" });
  });

  test("under a flood has its rules before it listens", async () => {
    const flooder = "127.0.0.27";
    await block(flooder);
    await until(() => isBlocked(flooder));
    const outcomes = { kicked: 0, admitted: 0, unreachable: 0 };
    const flood = new AbortController();
    const floods = Array.from({ length: 16 }, async () => {
      while (!flood.signal.aborted) {
        const kind = await login(flooder, 5_000).then(
          (outcome) => outcome.kind,
          () => "unreachable" as const,
        );
        outcomes[kind] += 1;
        // Attempts that fail at once must leave CPU time for the restart.
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    await until(() => outcomes.kicked > 20, { what: "the flood" });
    await edge.killProgram();
    await edge.isBack();
    const reached = outcomes.kicked;
    await until(() => outcomes.kicked > reached + 100, { what: "the flood at the new edge" });
    const joined = await login(friend);
    flood.abort();
    await Promise.all(floods);
    expect(joined.kind).toBe("admitted");
    expect(outcomes.admitted).toBe(0);
  });
});
