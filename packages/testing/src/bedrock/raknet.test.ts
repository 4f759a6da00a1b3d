import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  encodeOpenReply1,
  offlineIds,
  readOpenRequest2,
} from "@palisade/minecraft-protocol/bedrock/offline-messages";
import { afterEach, expect, test } from "vitest";
import { until } from "../until.ts";
import { RakNetClient, RakNetRefusal, type RakNetClientOptions } from "./raknet-client.ts";
import { RakNetServer, type RakNetServerOptions } from "./raknet-server.ts";
import { endpointOf, UdpSocket, type UdpAddress } from "./udp-socket.ts";

const advertisement = "MCPE;A server;766;1.21.50;3;20;42;Second line;Survival;1;19132;19133;";
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function serve(options: RakNetServerOptions = {}): Promise<RakNetServer> {
  const server = await RakNetServer.listen({ advertisement, ...options });
  closing.push(() => server.close());
  return server;
}

async function udp(receive: (bytes: Buffer, source: UdpAddress) => void): Promise<UdpSocket> {
  const socket = new UdpSocket({ host: "127.0.0.1", port: 0 }, receive);
  await socket.listening();
  closing.push(() => socket.close());
  return socket;
}

async function clientOf(
  server: { readonly address: UdpAddress },
  options: Partial<RakNetClientOptions> = {},
): Promise<RakNetClient> {
  const client = await RakNetClient.open({ ...server.address, ...options });
  closing.push(() => client.close());
  return client;
}

function hashOf(messages: readonly Buffer[]): string {
  const hash = createHash("sha256");
  for (const message of messages) hash.update(`${message.length} `).update(message);
  return hash.digest("hex");
}

/** From one byte to what needs a hundred datagrams. */
function someMessages(count: number, bytesMax: number): Buffer[] {
  return Array.from({ length: count }, (_, index) =>
    Buffer.concat([Buffer.from([0xfe]), randomBytes(Math.floor((index * bytesMax) / count))]),
  );
}

async function echoed(client: RakNetClient, messages: readonly Buffer[]): Promise<Buffer[]> {
  const back: Buffer[] = [];
  client.on("message", (body) => back.push(body));
  for (const message of messages) client.sendReliable(message);
  await until(() => back.length >= messages.length, { what: "the echo of every message" });
  return back;
}

test("a ping is answered with the server's advertisement", async () => {
  const server = await serve();
  const client = await clientOf(server);
  const pongs = await Promise.all([client.ping(), client.ping()]);
  expect(pongs.map((pong) => pong.advertisement)).toEqual([advertisement, advertisement]);
  expect(pongs.map((pong) => pong.guid)).toEqual([server.guid, server.guid]);
});

test.each([
  { host: "127.0.0.1", hasCookie: false },
  { host: "127.0.0.1", hasCookie: true },
  { host: "::1", hasCookie: true },
])("a client connects to $host, cookie $hasCookie, and messages go both ways", async (options) => {
  const server = await serve({ ...options, isEcho: true });
  const client = await clientOf(server);
  await client.connect();
  const messages = someMessages(40, 100_000);
  expect(hashOf(await echoed(client, messages))).toBe(hashOf(messages));
  expect(client.cookies.map((cookie) => cookie !== undefined)).toEqual([options.hasCookie]);
  expect(server.counts).toMatchObject({ opened: 1, strays: 0, wrongCookies: 0 });
});

test("every reply to a first request is answered with its own cookie", async () => {
  const given = [0x01020304, 0xa1a2a3a4];
  const requests: Buffer[] = [];
  const front: UdpSocket = await udp((bytes, source) => {
    const isFirst = bytes[0] === offlineIds.openRequest1;
    if (!isFirst) requests.push(bytes);
    const cookie = given[isFirst ? 0 : requests.length];
    if (cookie !== undefined)
      front.send(encodeOpenReply1({ guid: 7n, cookie, mtu: 1_400 }), source);
  });
  const client = await clientOf(front);
  const ended = client.connect().catch((error: Error) => error.message);
  await until(() => requests.length === 2, { what: "two second requests" });
  expect(requests.map((bytes) => readOpenRequest2(bytes, true))).toEqual(
    given.map((cookie) => ({
      cookie,
      server: endpointOf(front.address),
      mtu: 1_400,
      guid: client.guid,
    })),
  );
  await client.close();
  expect(await ended).toBe("closed while connecting");
});

test("a client without an answer tries three sizes of packets, four times each", async () => {
  const sizes: number[] = [];
  const silent = await udp((bytes) => sizes.push(bytes.length + 28));
  const client = await clientOf(silent, { retryMs: 5 });
  await expect(client.connect()).rejects.toThrow("no answer to open connection requests");
  await until(() => sizes.length === 12, { what: "all twelve requests" });
  expect([...new Set(sizes)]).toEqual([1_492, 1_200, 576]);
});

test("a client of another RakNet version is told so", async () => {
  const client = await clientOf(await serve({ protocol: 10 }));
  await expect(client.connect()).rejects.toThrow(RakNetRefusal);
  await expect(client.connect()).rejects.toMatchObject({ reason: "incompatible protocol" });
});

test("the server records received datagrams by source, byte for byte", async () => {
  const server = await serve({ isRecording: true });
  const client = await clientOf(server, { from: "127.0.0.3" });
  const strange = randomBytes(200);
  strange[0] = 0x7f;
  client.sendRaw(strange);
  const source = `127.0.0.3:${client.address.port}`;
  await until(() => server.received.get(source)?.length === 1, { what: "the datagram" });
  expect(server.received.get(source)).toEqual([strange]);
  expect(server.counts.strays).toBe(1);
});

test("a full server says so", async () => {
  const server = await serve({ connectionsMax: 1 });
  const [first, second] = [await clientOf(server), await clientOf(server)];
  await first.connect();
  await expect(second.connect()).rejects.toMatchObject({ reason: "no free connections" });
});

test("both sides notice that the other one disconnects", async () => {
  const server = await serve();
  const opened = once(server, "connection");
  const client = await clientOf(server);
  await client.connect();
  await opened;
  await client.close();
  await until(() => server.peers.size === 0, { what: "the server's end of the connection" });

  const other = await clientOf(server);
  const gone = once(other, "close");
  await other.connect();
  await until(() => server.peers.size === 1 && server.counts.opened === 2);
  for (const peer of server.peers.values()) peer.close();
  expect(await gone).toEqual(["disconnected by the other side"]);
});

test("a side that falls silent is given up", async () => {
  const server = await serve({ silenceMs: 300 });
  const client = await clientOf(server, { silenceMs: 300, pingEveryMs: 50 });
  await client.connect();
  const gone = once(client, "close");
  await server.abandon();
  expect(await gone).toEqual(["silence"]);
});

test.each([1, 2, 3])(
  "every message arrives once and in order over 10 % loss, doubled and reordered datagrams, seed %i",
  async (seed) => {
    const server = await serve({ hasCookie: true, isEcho: true });
    const client = await clientOf(server, {
      retryMs: 50,
      impairment: { seed, loss: 0.1, duplicate: 0.05, reorder: 0.1 },
    });
    await client.connect();
    const messages = someMessages(40, 40_000);
    expect(hashOf(await echoed(client, messages))).toBe(hashOf(messages));
    const { outgoing, incoming } = client.impairments;
    expect(outgoing.counts.lost).toBeGreaterThan(0);
    expect(incoming.counts.reordered).toBeGreaterThan(0);
  },
);
