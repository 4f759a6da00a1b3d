import { createCipheriv, createDecipheriv } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { encodeConfigurationKeepAliveAnswer } from "@palisade/minecraft-protocol/java/configuration";
import { encodeLoginCookieResponse } from "@palisade/minecraft-protocol/java/cookies";
import { FieldReader } from "@palisade/minecraft-protocol/java/fields";
import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import { encodeHandshake, type Intent } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { loginAcknowledged } from "@palisade/minecraft-protocol/java/login-success";
import { encodePlayKeepAliveAnswer } from "@palisade/minecraft-protocol/java/play";
import { until } from "@palisade/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { encryptionAnswer } from "#src/testing/encrypting-client.ts";
import { LimboClient } from "#src/testing/limbo-client.ts";
import { playLimbo } from "#src/testing/limbo-player.ts";
import { startTestBackend } from "#src/testing/test-backend.ts";
import {
  startTestEdge,
  testBackend,
  type TestEdge,
  testGroup,
  type TestPlayer,
  testShield,
} from "#src/testing/test-edge.ts";
import { transferCookieKey } from "./transfer-cookie.ts";

const host = "play.example.org";
const configured = 772;
const played = 758;
const uuid = new Uint8Array(16);
const { mitigation, messages } = testShield();
const high = {
  mitigation: { ...mitigation, antibot: "high" as const },
  messages: { ...messages, bot_check: "Checked {trace}", rejoin: "Verified, rejoin {trace}" },
};

function hello(protocol: number, name: string, intent: Intent = "login"): Buffer {
  const login = encodeLoginStart(name, protocol >= 764 ? uuid : undefined);
  return Buffer.concat([encodeHandshake({ protocol, host, port: 25_565, intent }), login]);
}

/** Whole frames of what a player has received. */
function framesOf({ received }: TestPlayer): { id: number; fields: Buffer }[] {
  return framesIn(received);
}

function framesIn(received: Buffer): { id: number; fields: Buffer }[] {
  const frames = [];
  for (let at = 0; at < received.length;) {
    const frame = readFrame(received, at, 100_000);
    if (frame.kind !== "packet") break;
    frames.push({ id: frame.id, fields: received.subarray(frame.bodyStart, frame.bodyEnd) });
    at = frame.bodyEnd;
  }
  return frames;
}

async function frameAt(player: TestPlayer, index: number): Promise<Buffer> {
  return await until(() => framesOf(player)[index]?.fields, { everyMs: 1 });
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("is missing");
  return value;
}

describe("first joins", () => {
  let edge: TestEdge;
  let backend: Awaited<ReturnType<typeof startTestBackend>>;
  /** Bytes the backend has received. */
  let heard: Buffer[];

  beforeEach(async () => {
    edge = await startTestEdge({ pendingPerIpMax: 2_000, openPerIpMax: 2_000 });
    heard = [];
    backend = await startTestBackend({
      onRaw: (socket) => void socket.on("data", (chunk: Buffer) => heard.push(chunk)),
    });
    edge.apply({ ...high, groups: [testGroup(testBackend(backend.port))] });
  });
  afterEach(async () => {
    await edge.stop();
    await backend.stop();
  });

  /** A game of the configuration state, up to the edge's last word to it. */
  async function verify(name: string, { tells = true, from = "127.0.0.1" } = {}) {
    const player = await edge.connect(edge.port, from);
    player.send(hello(configured, name));
    const client = new LimboClient({ protocol: configured, tells });
    await playLimbo(edge, player, client);
    return { player, client };
  }

  async function cookieOf(name: string): Promise<Buffer> {
    const { player, client } = await verify(name);
    player.socket.destroy();
    return present(client.cookie);
  }

  /** Comes by transfer, brings this, and is let in or told something. */
  async function comeBack(
    to: TestEdge,
    name: string,
    cookie: Buffer | undefined,
    from = "127.0.0.1",
  ) {
    const player = await to.connect(to.port, from);
    player.send(hello(configured, name, "transfer"));
    const request = await frameAt(player, 0);
    expect(new FieldReader(request, 0, request.length).string(64)).toBe(transferCookieKey);
    player.send(encodeLoginCookieResponse(transferCookieKey, cookie));
    return player;
  }

  test("an unknown player is verified without reaching the backend, and sent back", async () => {
    const { player } = await verify("Steve");
    expect(heard).toHaveLength(0);
    expect(edge.outcomes.get("verified")).toBe(1);
    // The game closes; where it does not, the edge does.
    expect(player.isOver).toBe(false);
    edge.advance(3_000);
    await until(() => player.isOver);
    expect(edge.counted()).toMatchObject({ joins: 0, challenged: 1, verified: 1, refused: {} });
  });

  test("before 1.20.2 the player is told to rejoin, and then joins at once", async () => {
    const player = await edge.connect();
    player.send(hello(played, "Steve"));
    await playLimbo(edge, player, new LimboClient({ protocol: played }));
    expect(player.text).toMatch(/Verified, rejoin [0-9A-Z]{8}/);
    const again = await edge.connect();
    again.send(hello(played, "Steve"));
    await until(() => heard.length > 0);
    expect(Buffer.concat(heard)).toEqual(hello(played, "Steve"));
    // Each entry has the challenge that the player had passed before it.
    await until(() => edge.logins.size === 2);
    expect(edge.logins.take(9).map(({ verdict, attempt }) => [verdict, attempt?.passed])).toEqual([
      ["verified", undefined],
      ["joined", "gravity"],
    ]);
  });

  test("after the transfer the backend sees an ordinary login, byte for byte, and no cookie", async () => {
    const cookie = await cookieOf("Steve");
    const player = await comeBack(edge, "Steve", cookie);
    player.send(Buffer.from("later"));
    const expected = Buffer.concat([hello(configured, "Steve"), Buffer.from("later")]);
    await until(() => Buffer.concat(heard).length >= expected.length);
    expect(Buffer.concat(heard)).toEqual(expected);
  });

  test("an edge that has never seen the player accepts the cookie once, for the shield it is from", async () => {
    const cookie = await cookieOf("Steve");
    const other = await startTestEdge();
    other.apply({ ...high, groups: [testGroup(testBackend(backend.port))] });
    try {
      await comeBack(other, "Steve", cookie);
      await until(() => heard.length > 0);
      expect(Buffer.concat(heard)).toEqual(hello(configured, "Steve"));
      await until(() => other.logins.size === 1);
      expect(other.logins.take(9)).toMatchObject([{ attempt: { passed: "gravity" } }]);
      // Otherwise the key of this shield alone could make a player known to all other shields.
      expect(other.verified.passedChallenge("Steve", Uint8Array.of(127, 0, 0, 1), Date.now())).toBe(
        undefined,
      );
      heard.length = 0;
      const player = await comeBack(other, "Steve", cookie);
      await frameAt(player, 1);
      expect([framesOf(player)[1]?.id, heard]).toEqual([2, []]);
    } finally {
      await other.stop();
    }
  });

  test.each<[string, string, string, number, (cookie: Buffer) => Buffer | undefined]>([
    ["another's", "Alex", "127.0.0.1", 0, (cookie) => cookie],
    ["from another network", "Steve", "127.0.1.1", 0, (cookie) => cookie],
    ["an expired one", "Steve", "127.0.0.1", 121_000, (cookie) => cookie],
    ["a changed one", "Steve", "127.0.0.1", 0, (cookie) => Buffer.concat([cookie.subarray(1)])],
    ["none", "Steve", "127.0.0.1", 0, () => undefined],
  ])(
    "a player with a cookie that is %s is verified again",
    async (_what, name, from, ms, change) => {
      const cookie = await cookieOf("Steve");
      const other = await startTestEdge();
      other.apply({ ...high, groups: [testGroup(testBackend(backend.port))] });
      try {
        other.advance(ms);
        const player = await comeBack(other, name, change(cookie), from);
        expect((await frameAt(player, 1)).includes(name)).toBe(true);
        expect(framesOf(player)[1]?.id).toBe(2);
        expect(heard).toHaveLength(0);
      } finally {
        await other.stop();
      }
    },
  );

  test("a transfer that is another server's reaches the backend as it came", async () => {
    edge.apply({
      ...high,
      mitigation: { ...high.mitigation, antibot: "low" },
      groups: [testGroup(testBackend(backend.port))],
    });
    await comeBack(edge, "Steve", undefined);
    await until(() => heard.length > 0);
    expect(Buffer.concat(heard)).toEqual(hello(configured, "Steve", "transfer"));
  });

  test("a bot that sends handshake and login alone never reaches the server, and is told why", async () => {
    const players = await Promise.all([configured, played].map(() => edge.connect()));
    for (const [n, player] of players.entries())
      player.send(hello(n === 0 ? configured : played, `Steve${n}`));
    await until(() => players.every((player) => framesOf(player).length > 0));
    edge.advance(31_000);
    await until(() => players.every(({ hasEnded }) => hasEnded));
    for (const player of players) expect(player.text).toMatch(/Checked [0-9A-Z]{8}/);
    expect(heard).toHaveLength(0);
    expect(edge.wheel.size).toBe(2);
    expect(edge.counted()).toMatchObject({
      challenged: 2,
      verified: 0,
      refused: { bot_check: 2 },
    });
  });

  test("a bot that echoes something else is told at once and stays unknown", async () => {
    const player = await edge.connect();
    player.send(hello(configured, "Bot"));
    await frameAt(player, 0);
    player.send(loginAcknowledged);
    const asked = (await frameAt(player, 1)).readBigInt64BE();
    player.send(present(encodeConfigurationKeepAliveAnswer(configured, asked + 1n)));
    await until(() => player.hasEnded);
    expect(player.text).toContain("Checked");
    const again = await edge.connect();
    again.send(hello(configured, "Bot"));
    expect((await frameAt(again, 0)).includes("Bot")).toBe(true);
    expect(heard).toHaveLength(0);
  });

  test("a bot that disconnects early leaves nothing behind", async () => {
    for (const protocol of [configured, played]) {
      const player = await edge.connect();
      player.send(hello(protocol, "Bot"));
      await frameAt(player, 0);
      player.socket.destroy();
      await until(() => edge.admission.pending === 0);
    }
    expect(edge.wheel.size).toBe(0);
    expect(edge.outcomes.get("left")).toBe(2);
    expect(heard).toHaveLength(0);
  });

  test("in shadow mode no player is challenged", async () => {
    edge.apply({
      ...high,
      mitigation: { ...high.mitigation, shadow: true },
      groups: [testGroup(testBackend(backend.port))],
    });
    const player = await edge.connect();
    player.send(hello(configured, "Steve"));
    await until(() => heard.length > 0);
    expect(player.received).toHaveLength(0);
  });

  test("with advanced antibot a game without settings and brand does not pass", async () => {
    edge.apply({
      ...high,
      mitigation: { ...high.mitigation, advanced_antibot: true },
      groups: [testGroup(testBackend(backend.port))],
    });
    const bare = await verify("Herobrine", { tells: false });
    await until(() => bare.player.hasEnded);
    expect(bare.player.text).toContain("Checked");
    // An address that has failed is asked for more.
    expect((await verify("Steve", { from: "127.0.9.1" })).client.isTransferred).toBe(true);
    await until(() => edge.outcomes.get("verified") === 1);
  });

  test("an account that has joined at the session server is verified over an encrypted connection, and joins", async () => {
    const asked: string[] = [];
    const sessions = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.end(JSON.stringify({ id: "0123456789abcdef0123456789abcdef", name: "Steve" }));
    });
    await new Promise<void>((resolve) => sessions.listen(0, "127.0.0.1", resolve));
    // Listening on TCP, it has an address of this form.
    const { port } = sessions.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const proving = await startTestEdge({}, 20_000, [], { sessionServerUrl: url });
    proving.apply({
      ...high,
      mitigation: { ...high.mitigation, antibot: "disabled", secure_profiles: true },
      groups: [testGroup(testBackend(backend.port))],
    });
    try {
      await until(() => proving.verification.canCheckAccounts);
      const player = await proving.connect();
      player.send(hello(played, "Steve"));
      const { packet, secret } = encryptionAnswer(await frameAt(player, 0));
      const plainBytes = player.received.length;
      player.send(packet);
      const cipher = createCipheriv("aes-128-cfb8", secret, secret);
      const opened = (): TestPlayer["received"] =>
        createDecipheriv("aes-128-cfb8", secret, secret).update(
          player.received.subarray(plainBytes),
        );
      const asks = await until(() => framesIn(opened())[1]?.fields, { everyMs: 1 });
      const echo = present(encodePlayKeepAliveAnswer(played, asks.readBigInt64BE()));
      player.send(cipher.update(echo));
      await until(() => player.hasEnded);
      expect(opened().toString("latin1")).toMatch(/Verified, rejoin [0-9A-Z]{8}/);
      expect(asked).toHaveLength(1);
      const again = await proving.connect();
      again.send(hello(played, "Steve"));
      await until(() => heard.length > 0);
      expect(Buffer.concat(heard)).toEqual(hello(played, "Steve"));
    } finally {
      await proving.stop();
      sessions.close();
      sessions.closeAllConnections();
    }
  });

  test("if accounts cannot be checked, players are told so, and none hangs", async () => {
    edge.apply({
      ...high,
      mitigation: { ...high.mitigation, secure_profiles: true },
      groups: [testGroup(testBackend(backend.port))],
    });
    const player = await edge.connect();
    player.send(hello(configured, "Steve"));
    await until(() => player.hasEnded);
    expect(player.text).toContain("Checked");
    expect(framesOf(player).map(({ id }) => id)).toEqual([0]);
  });
});
