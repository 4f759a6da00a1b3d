import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readAdvertisement } from "@palisade/minecraft-protocol/bedrock/advertisement";
import { freePort } from "../free-port.ts";
import { until } from "../until.ts";
import { bedrockVersions, startBedrockHost, type BedrockHost } from "./bedrock-host.ts";
import { ProxyProtocolReceiver } from "./proxy-protocol-receiver.ts";
import { RakNetClient } from "./raknet-client.ts";

let host: BedrockHost;

beforeAll(async () => {
  host = await startBedrockHost();
});

afterAll(() => host.end());

test.each(bedrockVersions)(
  "a real client of %s joins a real server, and texts go both ways",
  async (version) => {
    const server = await host.serve(`server of ${version}`, {
      version,
      raknet: { hasCookie: true },
    });
    const player = `Player ${version}`;
    const joined = await host.join({ player, to: server.address, version });
    expect(joined).toMatchObject({ outcome: "joined", cookies: 1, mtu: 1_492 });
    const longText = randomBytes(6_000).toString("hex");
    await host.echo(player, "hello");
    await host.echo(player, longText);
    expect(server.said().map(({ message }) => message)).toEqual(["hello", longText]);
    expect(server.players()).toEqual([player]);
    await host.quit(player);
    await until(() => server.players().length === 0, { what: "the player's leaving" });
  },
);

test("a real client plays over 10 % loss", async () => {
  const server = await host.serve("lossy");
  const player = "Patience";
  const impairment = { seed: 11, loss: 0.1, duplicate: 0.05, reorder: 0.1 };
  const joined = await host.join({
    player,
    to: server.address,
    raknet: { impairment, retryMs: 50 },
  });
  expect(joined.outcome).toBe("joined");
  for (let round = 0; round < 8; round += 1) {
    await host.echo(player, `${round} ${randomBytes(2_000).toString("hex")}`);
  }
  expect(server.said()).toHaveLength(8);
});

test("a real client joins a server whose RakNet is another program's", async () => {
  const server = await host.serve("foreign", { raknet: "raknet-node", port: await freePort() });
  const player = "Guest";
  const joined = await host.join({ player, to: server.address });
  expect(joined).toMatchObject({ outcome: "joined", mtu: 1_400 });
  await host.echo(player, randomBytes(6_000).toString("hex"));
  expect(server.players()).toEqual([player]);
});

test("a kicked player gets the server's text", async () => {
  const server = await host.serve("strict");
  const player = "Kicked";
  await host.join({ player, to: server.address });
  await server.kick(player, "Not today.");
  expect(await host.gone(player)).toMatchObject({ message: "Not today." });
});

test("a player notices that the server stops, and the server that a player does", async () => {
  // A busy machine may say nothing for a second.
  const raknet = { silenceMs: 4_000, pingEveryMs: 200 };
  const server = await host.serve("short-lived", { host: "::1", raknet: { silenceMs: 4_000 } });
  const to = server.address;
  await host.join({ player: "Vanishing", to, raknet });
  await host.join({ player: "Staying", to, raknet });
  await host.crash("Vanishing");
  await until(() => server.players().join() === "Staying", { what: "the silence of a player" });
  await server.stop();
  await host.gone("Staying");

  const next = await host.serve("crashing");
  await host.join({ player: "Bereft", to: next.address, raknet });
  await next.crash();
  await host.gone("Bereft");
});

test("a real server answers pings with its own line", async () => {
  const motd = { motd: "First line", levelName: "Second line" };
  const server = await host.serve("advertised", { motd, version: "1.21.50" });
  const client = await RakNetClient.open(server.address);
  try {
    expect(readAdvertisement((await client.ping()).advertisement)).toMatchObject({
      motd: "First line",
      subMotd: "Second line",
      protocol: 766,
      version: "1.21.50",
    });
  } finally {
    await client.close();
  }
});

test("a real client without PROXY header does not get past a receiver that wants one", async () => {
  const server = await host.serve("behind a receiver");
  const receiver = await ProxyProtocolReceiver.listen({ server: server.address, mode: "first" });
  try {
    const outcome = await host.join({
      player: "Bare",
      to: receiver.address,
      raknet: { retryMs: 10 },
    });
    expect(outcome).toEqual(expect.objectContaining({ outcome: "closed" }));
    expect(server.connections()).toEqual([]);
    expect(receiver.violations.length).toBeGreaterThan(0);
  } finally {
    await receiver.close();
  }
});
