import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  bedrockVersions,
  startBedrockHost,
  type BedrockHost,
} from "@palisade/testing/bedrock/bedrock-host";
import { ProxyProtocolReceiver } from "@palisade/testing/bedrock/proxy-protocol-receiver";
import { freePort } from "@palisade/testing/free-port";
import { sampleBackend, sampleGroup, sampleShield } from "@palisade/testing/sample-shield";
import { until } from "@palisade/testing/until";
import { startTestEdge } from "#src/testing/test-edge.ts";

/** Real Bedrock clients and servers of three versions, with the edge between them. */

let host: BedrockHost;
let edge: Awaited<ReturnType<typeof startTestEdge>>;

beforeAll(async () => {
  host = await startBedrockHost();
});
afterAll(() => host.end());
beforeEach(async () => {
  edge = await startTestEdge();
});
afterEach(() => edge.stop());

test.each(bedrockVersions)(
  "a real client of %s joins through the edge, and the server is told its address once",
  async (version) => {
    const raknet = { hasCookie: true };
    const server = await host.serve(`server of ${version}`, { version, raknet });
    const receiver = await ProxyProtocolReceiver.listen({ server: server.address, mode: "first" });
    try {
      const port = await freePort();
      const backend = { ...sampleBackend(1), bedrock_port: receiver.address.port };
      edge.apply({
        groups: [sampleGroup({ ...backend, bedrock_proxy: "first" })],
        bedrock: { ports: [port], only_in: [] },
      });
      const player = `Player ${version}`;
      const to = { host: "127.0.0.1", port };
      const joined = await host.join({ player, to, version, raknet: { from: "127.0.0.9" } });
      expect(joined).toMatchObject({ outcome: "joined" });
      await host.echo(player, "hello");
      await host.echo(player, randomBytes(6_000).toString("hex"));
      expect(receiver.violations).toEqual([]);
      // The edge's own pings name the edge.
      const players = receiver.players.filter((address) => !address.startsWith("127.0.0.1:"));
      expect(players).toEqual([expect.stringMatching(/^127\.0\.0\.9:/)]);
      await host.quit(player);
      await until(() => server.players().length === 0, { what: "the player's leaving" });
      const [entry] = edge.logins.take(1);
      expect(entry).toMatchObject({ verdict: "joined", player, ip: "127.0.0.9" });
      expect(entry?.facts).toMatchObject({ edition: "bedrock", protocol: expect.any(String) });
    } finally {
      await receiver.close();
    }
  },
);

test.each(bedrockVersions)("a refused client of %s shows the owner's text", async (version) => {
  const server = await host.serve(`closed server of ${version}`, { version });
  const port = await freePort();
  const sample = sampleShield();
  edge.apply({
    groups: [sampleGroup({ ...sampleBackend(1), bedrock_port: server.address.port })],
    bedrock: { ports: [port], only_in: [] },
    lists: { ...sample.lists, blacklist: ["127.0.0.7/32"] },
    messages: { ...sample.messages, blacklist: "§cNot here. {trace}" },
  });
  const to = { host: "127.0.0.1", port };
  const answer = await host.join({
    player: "Stranger",
    to,
    version,
    raknet: { from: "127.0.0.7" },
  });
  const [entry] = edge.logins.take(1);
  expect(answer).toMatchObject({ outcome: "kicked", message: `§cNot here. ${entry?.trace}` });
  expect(server.connections()).toEqual([]);
});

test("a player whose name is on the blacklist is cut off once their login was read", async () => {
  const server = await host.serve("server with a list of names");
  const port = await freePort();
  const sample = sampleShield();
  edge.apply({
    groups: [sampleGroup({ ...sampleBackend(1), bedrock_port: server.address.port })],
    bedrock: { ports: [port], only_in: [] },
    lists: { ...sample.lists, blacklist_names: ["listed"] },
  });
  const to = { host: "127.0.0.1", port };
  const join = host.join({ player: "Listed", to, raknet: { silenceMs: 2_000 } });
  await until(() => edge.counted()?.refused.blacklist === 1, { what: "the refusal" });
  expect(edge.counters.players).toBe(0);
  expect(await join).toMatchObject({ outcome: "closed" });
  expect(edge.logins.take(1)).toMatchObject([{ verdict: "blacklist", player: "Listed" }]);
});

test("during maintenance, a player joins whose name is on the whitelist, and others are cut off", async () => {
  const server = await host.serve("server in maintenance");
  const port = await freePort();
  const sample = sampleShield();
  edge.apply({
    groups: [sampleGroup({ ...sampleBackend(1), bedrock_port: server.address.port })],
    bedrock: { ports: [port], only_in: [] },
    lists: { ...sample.lists, whitelist_only: true, whitelist_names: ["builder"] },
  });
  const to = { host: "127.0.0.1", port };
  expect(await host.join({ player: "Builder", to })).toMatchObject({ outcome: "joined" });
  const join = host.join({ player: "Visitor", to, raknet: { silenceMs: 2_000 } });
  await until(() => edge.counted()?.refused.whitelist_only === 1, { what: "the refusal" });
  expect(await join).toMatchObject({ outcome: "closed" });
});
