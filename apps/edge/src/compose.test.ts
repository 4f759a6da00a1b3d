import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import {
  startControlPlaneServer,
  type ControlPlaneServer,
} from "@palisade/control-client/testing/control-plane-server";
import { createTestFolder } from "@palisade/control-client/testing/recorder";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { mmdbOf } from "@palisade/testing/mmdb";
import { until } from "@palisade/testing/until";
import { afterEach, describe, expect, test } from "vitest";
import { anyPort } from "#src/testing/any-port.ts";
import { edgeLimits } from "#src/admission/limits.ts";
import { composeEdge, type Edge } from "#src/compose.ts";
import { shieldId, TestPlayer, testShield } from "#src/testing/test-edge.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

function edgeOf(
  api: ControlPlaneServer,
  home: string,
  edgeToken?: string,
  addressDatabases: readonly string[] = [],
): Edge {
  const edge = composeEdge({
    home,
    isDevelopment: true,
    logLevel: "silent",
    apiUrl: api.url,
    edgeToken,
    addresses: ["127.0.0.1"],
    interfaceAddresses: ["127.0.0.1"],
    privateBackends: [],
    backendPorts: anyPort,
    trustedProxies: [],
    failpoints: [],
    java: { host: "127.0.0.1", port: 0 },
    metricsPort: 0,
    workers: 1,
    hasRelayProcesses: false,
    lifeline: undefined,
    shieldShares: edgeLimits,
    isSuccessor: false,
    sessionServerUrl: "http://127.0.0.1:9",
    bedrockLoginServiceUrl: "",
    vpnLists: [join(home, "vpn")],
    addressDatabases,
    otlp: { endpoint: undefined, withShields: false },
    kernel: "off",
  });
  return edge;
}

async function kicked(java: string): Promise<string> {
  const [host, port] = java.split(":");
  const player = new TestPlayer(connect({ host: host ?? "", port: Number(port) }));
  ends.push(() => player.socket.destroy());
  player.send(
    Buffer.concat([
      encodeHandshake({ protocol: 758, host: "play.example.org", port: 1, intent: "login" }),
      encodeLoginStart("Steve"),
    ]),
  );
  await until(() => player.isOver);
  return player.text;
}

async function setUp() {
  const api = await startControlPlaneServer();
  ends.push(() => api.close());
  const folder = await createTestFolder();
  ends.push(async () => folder[Symbol.asyncDispose]());
  const lists = { ...testShield().lists, blacklist: ["127.0.0.1"] };
  const config = testShield({ lists });
  api.change([{ shield_id: shieldId, revision: config.revision, config }]);
  return { api, home: folder.path };
}

describe("edge program", () => {
  test("the first player after a first start meets the first snapshot, and metrics tell", async () => {
    const { api, home } = await setUp();
    const edge = edgeOf(api, home, api.token);
    const { java, metrics } = await edge.start();
    expect(await kicked(java)).toContain("Blacklisted");
    expect((await fetch(`${metrics}/healthz`)).status).toBe(200);
    expect((await fetch(`${metrics}/readyz`)).status).toBe(200);
    expect((await fetch(`${metrics}/else`)).status).toBe(404);
    const counted = 'palisade_edge_connection_outcomes_total{outcome="blacklist"} 1';
    // Workers report once a second.
    await until(async () => (await (await fetch(`${metrics}/metrics`)).text()).includes(counted));
    // Counts are reported at the end at the latest.
    await edge.stop();
    expect(api.reports.flatMap(({ minutes }) => minutes)).toMatchObject([
      { shield_id: shieldId, refused: { blacklist: 1 } },
    ]);
    expect(api.reports.flatMap(({ logins }) => logins)).toMatchObject([
      { shield_id: shieldId, verdict: "blacklist", player: "Steve", host: "play.example.org" },
    ]);
  });

  test("a restart with the control plane gone blocks from the first connection on", async () => {
    const { api, home } = await setUp();
    const first = edgeOf(api, home, api.token);
    await first.start();
    await until(() => api.acks.length > 0);
    await first.stop();
    await api.close();
    const second = edgeOf(api, home);
    ends.push(() => second.stop());
    const { java } = await second.start();
    expect(await kicked(java)).toContain("Blacklisted");
  });

  test("with neither disk nor control plane it still starts and turns players away", async () => {
    const { api, home } = await setUp();
    await api.close();
    const edge = edgeOf(api, home, api.token);
    ends.push(() => edge.stop());
    const { java } = await edge.start();
    expect(await kicked(java)).toContain("no server at this address");
  });

  test("with neither disk nor credential it says what is needed instead of starting", async () => {
    const { api, home } = await setUp();
    const without = edgeOf(api, home);
    const refused = edgeOf(api, home, "no-token-of-ours-at-all");
    ends.push(
      () => without.stop(),
      () => refused.stop(),
    );
    await expect(without.start()).rejects.toThrow("PALISADE_EDGE_TOKEN is not set");
    await expect(refused.start()).rejects.toThrow("edge invite");
  });

  test("a VPN list in its home refuses from the first connection on, until it is taken away", async () => {
    const { api, home } = await setUp();
    const config = testShield({ mitigation: { ...testShield().mitigation, anti_vpn: true } });
    api.change([{ shield_id: shieldId, revision: config.revision, config }]);
    const list = join(home, "vpn", "loopback.txt");
    await mkdir(join(home, "vpn"));
    await writeFile(list, "127.0.0.0/8\n");
    const edge = edgeOf(api, home, api.token);
    const { java, metrics } = await edge.start();
    expect(await kicked(java)).toContain("No VPN");
    const text = await (await fetch(`${metrics}/metrics`)).text();
    expect(text).toContain('palisade_edge_vpn_list_entries{list="loopback"} 1');
    await until(() => api.reports.at(-1)?.vpn_lists === true);
    await rm(list);
    edge.reload();
    await until(async () => !(await kicked(java)).includes("No VPN"));
    await edge.stop();
    expect(api.reports.at(-1)?.vpn_lists).toBe(false);
    const [login] = api.reports.flatMap(({ logins }) => logins);
    expect(login).toMatchObject({ verdict: "vpn", facts: { list: "loopback" } });
  });

  test("a rule for a country refuses by the operator's database, and by its next version", async () => {
    const { api, home } = await setUp();
    const network_rules = {
      countries: [{ country: "NL", action: "block" as const, until: null }],
      networks: [],
    };
    const config = testShield({ mitigation: { ...testShield().mitigation, network_rules } });
    api.change([{ shield_id: shieldId, revision: config.revision, config }]);
    const database = join(home, "country.mmdb");
    const loopbackIn = (iso_code: string) =>
      mmdbOf([["127.0.0.0/8", { country: { iso_code } }]], { databaseType: "GeoLite2-Country" });
    await writeFile(database, loopbackIn("NL"));
    const edge = edgeOf(api, home, api.token, [database]);
    const { java } = await edge.start();
    expect(await kicked(java)).toContain("Blacklisted");
    await writeFile(`${database}.new`, loopbackIn("SE"));
    await rename(`${database}.new`, database);
    edge.reload();
    await until(async () => !(await kicked(java)).includes("Blacklisted"));
    await edge.stop();
    const [login] = api.reports.flatMap(({ logins }) => logins);
    expect(login).toMatchObject({ verdict: "network", facts: { rule: "country", country: "NL" } });
  });

  test("stopping ends within its deadline and frees the port", async () => {
    const { api, home } = await setUp();
    const edge = edgeOf(api, home, api.token);
    const { java } = await edge.start();
    await edge.stop();
    expect(await kicked(java)).toBe("");
  });
});
