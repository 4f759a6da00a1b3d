import type { MitigationConfig } from "@palisade/contract/edge/shield-config";
import { encodeFrame, encodeString } from "@palisade/minecraft-protocol/java/fields";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { statusRequestPacketId } from "@palisade/minecraft-protocol/java/status";
import { until } from "@palisade/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestBackend } from "#src/testing/test-backend.ts";
import {
  startTestEdge,
  testBackend,
  testGroup,
  testShield,
  type TestEdge,
} from "#src/testing/test-edge.ts";

const port = 25_565;

interface Login {
  readonly name?: string;
  readonly protocol?: number;
  readonly suffix?: string;
  readonly body?: Uint8Array;
}

function login({ name = "Steve", protocol = 758, suffix = "", body }: Login = {}): Buffer {
  const host = `play.example.org${suffix}`;
  const handshake = encodeHandshake({ protocol, host, port, intent: "login" });
  const start =
    body === undefined ? encodeLoginStart(name) : encodeFrame(0, encodeString(name), body);
  return Buffer.concat([handshake, start]);
}

describe("mitigation on a socket", () => {
  let edge: TestEdge;
  let groups: ReturnType<typeof testGroup>[];
  const stops: (() => unknown)[] = [];

  beforeEach(async () => {
    edge = await startTestEdge();
    const backend = await startTestBackend({
      onRaw: (socket) => {
        socket.once("data", () => socket.write("joined"));
        socket.on("end", () => socket.end());
      },
    });
    stops.push(edge.stop, backend.stop);
    groups = [testGroup(testBackend(backend.port))];
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  const protect = (mitigation: Partial<MitigationConfig>, lists = {}): void =>
    edge.protect(groups, mitigation, lists);

  /** The client's result: `joined`, or the text of its kick. */
  async function read(bytes: Uint8Array, from = "127.0.0.1"): Promise<string> {
    const player = await edge.connect(edge.port, from);
    player.send(bytes);
    await until(() => player.isOver || player.text.includes("joined"));
    player.socket.end();
    return player.text;
  }

  test("a refused client reads the owner's text for the reason", async () => {
    protect({ anti_forge: true, packet_bytes_max: 5_000, secure_profiles: true });
    const unsigned = login({ protocol: 759, body: Uint8Array.of(0) });
    expect(
      await read(login({ suffix: "\0FML2\0", protocol: 759, body: Uint8Array.of(0) })),
    ).toContain("No mods");
    expect(await read(unsigned)).toContain("Unsigned");
    expect(edge.counted()?.refused).toEqual({ forge: 1, secure_profiles: 1 });
  });

  test("a Login Start above the owner's limit is refused as soon as its length is known", async () => {
    const announced = Buffer.concat([
      encodeHandshake({ protocol: 758, host: "play.example.org", port, intent: "login" }),
      Buffer.from("b9bb01", "hex"),
    ]);
    protect({ packet_bytes_max: 8_000 });
    expect(await read(announced)).toContain("too much at once");
    protect({ packet_bytes_max: 8_000, shadow: true });
    expect(await read(announced)).toBe("");
    expect(edge.logins.take(9)).toMatchObject([
      { verdict: "packet_size", shadow: false },
      { verdict: "packet_size", shadow: true, facts: { bytes: "23993" } },
    ]);
    protect({});
    expect(await read(announced)).toBe("");
    expect(edge.outcomes.get("packet_size")).toBe(1);
    expect(edge.outcomes.get("malformed")).toBe(2);
    expect(edge.counted()).toMatchObject({
      refused: { packet_size: 1 },
      shadowed: { packet_size: 1 },
    });
  });

  test("a player who rejoins too soon reads how long to wait", async () => {
    protect({ rejoin_cooldown_ms: 30_000 });
    expect(await read(login())).toContain("joined");
    expect(await read(login())).toMatch(/Wait \d+/);
    edge.advance(30_000);
    expect(await read(login())).toContain("joined");
  });

  test("a player who comes while a second's logins are used up is told to try again", async () => {
    protect({ logins_per_second: 1 });
    let [joined, refused] = [0, 0];
    // The second is the machine's: one that stalls lets more than one of them in.
    await until(async () => {
      const told = await Promise.all(["A", "B"].map(async (name) => read(login({ name }))));
      joined += told.filter((text) => text.includes("joined")).length;
      refused += told.filter((text) => text.includes("Too many")).length;
      return refused > 0;
    });
    expect(joined).toBeGreaterThan(0);
    expect(edge.counted()?.refused).toEqual({ max_connections: refused });
  });

  test("in shadow mode no player is refused, and refusals that would have been are counted", async () => {
    protect({ shadow: true, anti_forge: true, antibot: "extreme" });
    expect(await read(login({ suffix: "\0FML2\0" }))).toContain("joined");
    expect(await read(login())).toContain("joined");
    expect(edge.counted()).toMatchObject({ refused: {}, shadowed: { forge: 1 } });
  });

  test("the whitelisted are asked nothing while the list is turned on", async () => {
    const whitelist = ["127.0.0.2"];
    protect({ anti_forge: true }, { whitelist, whitelist_enabled: true });
    expect(await read(login({ suffix: "\0FML2\0" }), "127.0.0.2")).toContain("joined");
    expect(await read(login({ suffix: "\0FML2\0" }))).toContain("No mods");
    const names = { whitelist_names: ["steve"], whitelist_enabled: true };
    protect({ anti_forge: true }, names);
    expect(await read(login({ name: "Steve", suffix: "\0FML2\0" }))).toContain("joined");
    expect(await read(login({ name: "Alex", suffix: "\0FML2\0" }))).toContain("No mods");
    protect({ anti_forge: true }, { whitelist, whitelist_enabled: false });
    expect(await read(login({ suffix: "\0FML2\0" }), "127.0.0.2")).toContain("No mods");
  });

  test("during an attack who has asked for the status may join, and who has not is told to", async () => {
    protect({ antibot: "low", attack_threshold: 1 });
    await until(async () => {
      const told = await Promise.all(["A", "B"].map(async (name) => read(login({ name }))));
      return told.some((text) => text.includes("Checking"));
    });
    expect(await read(login({ name: "Alex" }), "127.0.1.1")).toContain("Checking");
    const player = await edge.connect(edge.port, "127.0.1.2");
    player.send(
      encodeHandshake({ protocol: 758, host: "play.example.org", port, intent: "status" }),
    );
    player.send(encodeFrame(statusRequestPacketId));
    await until(() => player.received.length > 0);
    player.socket.end();
    expect(await read(login({ name: "Alex" }), "127.0.1.1")).toContain("joined");
  });

  test("a name is free again once its connection has become a player's, or has ended", async () => {
    protect({ antibot: "low" });
    for (let n = 0; n < 3; n++) expect(await read(login())).toContain("joined");
    edge.apply({ mitigation: { ...testShield().mitigation, antibot: "low" } });
    for (let n = 0; n < 3; n++) expect(await read(login())).toContain("Offline");
  });

  test("the log has what the rules have read, whether or not a rule asked for it", async () => {
    const first = 127 * 2 ** 24;
    const ranges = {
      count: 1,
      firsts: Uint32Array.of(first),
      lasts: Uint32Array.of(first + 255),
      labels: Uint32Array.of(0),
    };
    const none = Uint32Array.of();
    const ranges6 = { count: 0, firsts: none, lasts: none, labels: none };
    edge.vpn.use({ ranges4: ranges, ranges6, labels: [{ list: "hosting", asn: 64_496 }] });
    protect({ antibot: "low" });
    await read(login({ suffix: "\0FML2\0" }));
    await read(login({ name: "no name" }), "127.0.1.1");
    protect({ attack_threshold: null });
    await read(login(), "127.0.1.1");
    expect(edge.logins.take(9).map(({ attempt }) => attempt)).toEqual([
      {
        forge: true,
        ping: "none",
        vpn: { list: "hosting", asn: "AS64496" },
        score: 35,
        parts: { no_ping: 15, hosting_network: 20 },
      },
      { invalid_name: true, ping: "none", score: 15, parts: { no_ping: 15 } },
      { ping: "unknown" },
    ]);
  });

  test("the log has whether the network had pinged, and whether there was an attack", async () => {
    protect({ antibot: "low", attack_threshold: 1 });
    const player = await edge.connect(edge.port, "127.0.1.2");
    player.send(
      encodeHandshake({ protocol: 758, host: "play.example.org", port, intent: "status" }),
    );
    player.send(encodeFrame(statusRequestPacketId));
    await until(() => player.received.length > 0);
    player.socket.end();
    expect(await read(login(), "127.0.1.1")).toContain("joined");
    expect(edge.logins.take(9)).toMatchObject([{ verdict: "joined", attempt: {} }]);
    await until(async () => {
      const told = await Promise.all(["A", "B"].map(async (name) => read(login({ name }))));
      return told.some((text) => text.includes("Checking"));
    });
    const refused = edge.logins.take(99).filter(({ verdict }) => verdict === "bot_check");
    expect(refused.length).toBeGreaterThan(0);
    const expected = { attack: true, ping: "none", score: 15, parts: { no_ping: 15 } };
    for (const { attempt } of refused) expect(attempt).toEqual(expected);
  });
});
