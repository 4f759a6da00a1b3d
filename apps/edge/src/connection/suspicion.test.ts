import type { MitigationConfig } from "@palisade/contract/edge/shield-config";
import { encodeConfigurationBrand } from "@palisade/minecraft-protocol/java/configuration";
import { encodeFrame } from "@palisade/minecraft-protocol/java/fields";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { loginAcknowledged } from "@palisade/minecraft-protocol/java/login-success";
import { statusRequestPacketId } from "@palisade/minecraft-protocol/java/status";
import { until } from "@palisade/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestBackend } from "#src/testing/test-backend.ts";
import { startTestEdge, testBackend, testGroup, type TestEdge } from "#src/testing/test-edge.ts";

const port = 25_565;
const protocol = 758;

function handshake(suffix = ""): Buffer {
  const host = `play.example.org${suffix}`;
  return encodeHandshake({ protocol, host, port, intent: "login" });
}

const login = Buffer.concat([handshake(), encodeLoginStart("Steve")]);
/** As a script sends it that knows what the edge will ask. */
const allAtOnce = Buffer.concat([login, encodeFrame(1, Buffer.of(1, 2, 3))]);

/** A packet that no client has follows. */
function failing(name: string): Buffer {
  return Buffer.concat([handshake(), encodeLoginStart(name), encodeFrame(0x7f)]);
}

describe("the suspicion of a login", () => {
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

  const protect = (mitigation: Partial<MitigationConfig>): void => edge.protect(groups, mitigation);

  async function ping(from: string): Promise<void> {
    const player = await edge.connect(edge.port, from);
    player.send(encodeHandshake({ protocol, host: "play.example.org", port, intent: "status" }));
    player.send(encodeFrame(statusRequestPacketId));
    await until(() => player.received.length > 0);
    player.socket.end();
  }

  /** The entry of the log that a connection with these bytes leaves. */
  async function logged(bytes: Uint8Array, from = "127.0.0.1") {
    const player = await edge.connect(edge.port, from);
    player.send(bytes);
    await until(() => player.isOver || player.received.length > 0);
    player.socket.destroy();
    await until(() => edge.logins.size > 0);
    const [entry] = edge.logins.take(9);
    return entry;
  }

  test("is in the log with its parts, and counted by score", async () => {
    protect({ antibot: "low" });
    await ping("127.0.1.1");
    const quiet = await logged(login, "127.0.1.2");
    expect(quiet?.attempt).toEqual({});
    const other = await logged(login, "127.0.2.1");
    expect(other?.attempt).toMatchObject({ score: 15, parts: { no_ping: 15 } });
    expect(Object.fromEntries(edge.outcomes.scores())).toEqual({ "0": 1, "1-19": 1 });
  });

  test("has bytes behind Login Start, and the address that only a proxy writes", async () => {
    protect({ antibot: "low" });
    await ping("127.0.0.1");
    const early = await logged(allAtOnce);
    expect(early).toMatchObject({ verdict: "joined", attempt: { parts: { early_bytes: 40 } } });
    const suffix = "\u0000198.51.100.9\u0000069a79f444e94726a5befca90e38aaf5";
    const forged = Buffer.concat([handshake(suffix), encodeLoginStart("Alex")]);
    expect((await logged(forged))?.attempt?.parts).toEqual({ odd_host: 25 });
    const modded = Buffer.concat([handshake("\0FML2\0"), encodeLoginStart("Kai")]);
    expect((await logged(modded))?.attempt?.parts).toBeUndefined();
  });

  test("has a packet that came in parts, and a Login Start that came late", async () => {
    protect({ antibot: "low" });
    await ping("127.0.0.1");
    const player = await edge.connect();
    player.send(login.subarray(0, -3));
    const handshakes = (): number => new Map(edge.outcomes.handshakes()).get("login") ?? 0;
    await until(() => handshakes() > 0);
    edge.advance(1_000);
    player.send(login.subarray(-3));
    await until(() => player.text.includes("joined"));
    player.socket.destroy();
    await until(() => edge.logins.size > 0);
    expect(edge.logins.take(9)).toMatchObject([
      { attempt: { score: 25, parts: { split_packet: 15, late_login: 10 } } },
    ]);
  });

  test("asks for a check at Medium in quiet times, and at Low for none", async () => {
    protect({ antibot: "medium" });
    await ping("127.0.0.1");
    expect(await logged(login)).toMatchObject({ verdict: "joined" });
    const script = await logged(allAtOnce);
    expect(script).toMatchObject({
      verdict: "bot_check",
      attempt: { asked: "protocol", score: 40 },
    });
  });

  test("asks a source for more that has failed a check, and no other", async () => {
    protect({ antibot: "medium" });
    await ping("127.0.0.1");
    const first = await logged(failing("Steve"), "127.0.0.2");
    expect(first?.attempt?.parts).toEqual({ early_bytes: 40 });
    const again = await logged(login, "127.0.0.2");
    expect(again?.attempt).toEqual({ asked: "protocol", score: 40, parts: { source_failed: 40 } });
    expect(await logged(login, "127.0.0.3")).toMatchObject({ verdict: "joined", attempt: {} });
  });

  test("has what the client shows of itself in the check", async () => {
    protect({ antibot: "medium" });
    await ping("127.0.0.1");
    await logged(failing("Alex"));
    const modern = 772;
    const player = await edge.connect();
    const hello = {
      protocol: modern,
      host: "play.example.org\0FORGE",
      port,
      intent: "login",
    } as const;
    player.send(
      Buffer.concat([encodeHandshake(hello), encodeLoginStart("Steve", new Uint8Array(16))]),
    );
    await until(() => player.received.length > 0);
    const brand = encodeConfigurationBrand(modern, "vanilla") ?? Buffer.alloc(0);
    player.send(Buffer.concat([loginAcknowledged, brand, encodeFrame(0x7f)]));
    await until(() => player.isOver);
    await until(() => edge.logins.size > 0);
    expect(edge.logins.take(9)).toMatchObject([
      { attempt: { asked: "protocol", parts: { source_failed: 40, brand_mismatch: 25 } } },
    ]);
  });

  test("is of the network, too, once several of it have failed", async () => {
    protect({ antibot: "medium" });
    await ping("127.0.0.1");
    for (const name of ["A", "B", "C"]) {
      await logged(failing(name), `127.0.0.${10 + name.charCodeAt(0)}`);
    }
    const neighbour = await logged(login, "127.0.0.2");
    expect(neighbour?.attempt?.parts).toEqual({ network_failures: 15 });
  });

  test("is logged and counted in shadow mode with the check that it would have asked for", async () => {
    protect({ antibot: "medium", shadow: true });
    await ping("127.0.0.1");
    expect(await logged(login)).toMatchObject({ verdict: "joined", shadow: false });
    const script = await logged(allAtOnce);
    expect(script).toMatchObject({
      verdict: "joined",
      shadow: true,
      attempt: { would_challenge: "protocol", score: 40 },
    });
    expect(edge.counted()?.would_challenge).toEqual({ protocol: 1 });
    const text = await edge.metrics.getSingleMetricAsString("palisade_edge_would_challenge_total");
    expect(text).toContain('{challenge="protocol"} 1');
  });
});
