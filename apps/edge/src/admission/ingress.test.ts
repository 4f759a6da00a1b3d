import { replaceLibc } from "@palisade/sockets/libc";
import type { Socket } from "node:net";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { statusRequest } from "@palisade/minecraft-protocol/java/status";
import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import { encodeProxyV2, proxyV2Local } from "@palisade/minecraft-protocol/proxy/proxy-v2";
import { payload2BytesMax } from "@palisade/minecraft-protocol/proxy/read-proxy-header";
import { until } from "@palisade/testing/until";
import { afterEach, describe, expect, test } from "vitest";
import { startTestBackend } from "#src/testing/test-backend.ts";
import {
  startTestEdge,
  testBackend,
  type TestEdge,
  testGroup,
  type TestPlayer,
  testShield,
} from "#src/testing/test-edge.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

const handshake = (intent: "login" | "status"): Buffer =>
  encodeHandshake({ protocol: 758, host: "play.example.org", port: 1, intent });
const login = Buffer.concat([handshake("login"), encodeLoginStart("Steve")]);
const ping = Buffer.concat([handshake("status"), statusRequest]);

function header(source: string, destination = "198.51.100.1"): Buffer {
  const [from, to] = [parseIp(source), parseIp(destination)];
  if (from === undefined || to === undefined) throw new Error("no address");
  return encodeProxyV2({ ip: from, port: 51_234 }, { ip: to, port: 25_565 });
}

/** Trusts 127.0.0.1 alone; other players come from 127.0.0.2. */
async function startEdge(...limits: Parameters<typeof startTestEdge>): Promise<TestEdge> {
  const edge = await startTestEdge(limits[0], limits[1], ["127.0.0.1/32"]);
  stops.push(edge.stop);
  return edge;
}

/** A backend behind PROXY that keeps what it hears. */
async function startStrict(edge: TestEdge) {
  const heard: Buffer[] = [];
  const server = await startTestBackend({
    onRaw: (socket: Socket) => {
      const n = heard.push(Buffer.alloc(0)) - 1;
      socket.on("data", (chunk: Buffer) => {
        heard[n] = Buffer.concat([heard[n] ?? Buffer.alloc(0), chunk]);
      });
    },
  });
  stops.push(server.stop);
  edge.apply({
    groups: [{ ...testGroup(testBackend(server.port)), proxy_protocol: true }],
    lists: { ...testShield().lists, blacklist: ["203.0.113.66", "2001:db8::66"] },
  });
  return { heard };
}

async function connect(edge: TestEdge, from = "127.0.0.1"): Promise<TestPlayer> {
  const player = await edge.connect(undefined, from);
  stops.push(() => player.socket.destroy());
  return player;
}

/** Counts what the edge has read of the connection that it accepted last. */
function countReads(): () => number {
  let last = -1;
  let bytes = 0;
  const undo = replaceLibc((real) => ({
    ...real,
    accept4(...values) {
      const fd = real.accept4(...values);
      if (fd >= 0) [last, bytes] = [fd, 0];
      return fd;
    },
    recv(fd, ...values) {
      const count = real.recv(fd, ...values);
      if (fd === last && count > 0) bytes += count;
      return count;
    },
  }));
  stops.push(undo);
  return () => bytes;
}

describe("PROXY headers of trusted proxies", () => {
  test.each([
    ["203.0.113.7", "198.51.100.1"],
    ["2001:db8::7", "2001:db8::1"],
  ])("the player of %s is who the backend sees", async (source, destination) => {
    const edge = await startEdge();
    const { heard } = await startStrict(edge);
    const player = await connect(edge);
    player.send(Buffer.concat([header(source, destination), login]));
    const expected = Buffer.concat([header(source, destination), login]);
    await until(() => heard.some((bytes) => bytes.equals(expected)));
  });

  test("version 1 does as well", async () => {
    const edge = await startEdge();
    const { heard } = await startStrict(edge);
    const player = await connect(edge);
    player.send(Buffer.from("PROXY TCP4 203.0.113.7 198.51.100.1 51234 25565\r\n"));
    player.send(login);
    const expected = Buffer.concat([header("203.0.113.7"), login]);
    await until(() => heard.some((bytes) => bytes.equals(expected)));
  });

  test("wherever header and login are split, not a byte is lost", async () => {
    const edge = await startEdge();
    const { heard } = await startStrict(edge);
    const bytesRead = countReads();
    const bytes = Buffer.concat([header("203.0.113.7"), login]);
    for (let cut = 1; cut < bytes.length; cut++) {
      const player = await connect(edge);
      player.send(bytes.subarray(0, cut));
      await until(() => bytesRead() === cut, { everyMs: 1 });
      player.send(bytes.subarray(cut));
      await until(() => heard.filter((one) => one.equals(bytes)).length === cut, { everyMs: 1 });
      player.socket.destroy();
    }
  });

  test("lists and limits go by the player they name", async () => {
    const edge = await startEdge({ openPerIpMax: 2 });
    await startStrict(edge);
    for (const source of ["203.0.113.66", "2001:db8::66"]) {
      const blocked = await connect(edge);
      blocked.send(Buffer.concat([header(source), login]));
      await until(() => blocked.text.includes("Blacklisted"));
    }
    const joins = ["203.0.113.7", "203.0.113.7", "203.0.113.8"];
    for (const source of joins) {
      (await connect(edge)).send(Buffer.concat([header(source), login]));
    }
    await until(() => edge.counters.players === 3);
    const third = await connect(edge);
    third.send(Buffer.concat([header("203.0.113.7"), login]));
    await until(() => third.isOver);
    expect(edge.outcomes.get("shed_ip")).toBe(1);
  });

  test("LOCAL and UNKNOWN speak for the proxy itself", async () => {
    const edge = await startEdge();
    for (const own of [proxyV2Local, Buffer.from("PROXY UNKNOWN\r\n")]) {
      const check = await connect(edge);
      check.send(Buffer.concat([own, ping]));
      await until(() => check.text.length > 0);
    }
  });

  test("without a header they are malformed, and so is half of one that is none", async () => {
    const edge = await startEdge();
    await startStrict(edge);
    const wrong = [login, Buffer.from("PROXY TCP4 nonsense\r\n"), Buffer.alloc(300, "PROXY ")];
    for (const bytes of wrong) {
      const player = await connect(edge);
      player.send(bytes);
      await until(() => player.isOver);
    }
    expect(edge.outcomes.get("malformed")).toBe(wrong.length);
    expect(edge.admission.pending).toBe(0);
  });

  test("the deadline holds while the header is missing", async () => {
    const edge = await startEdge();
    const silent = await connect(edge);
    const slow = await connect(edge);
    slow.send(header("203.0.113.7").subarray(0, 20));
    await until(() => edge.admission.pending === 2);
    edge.advance(4_000);
    await until(() => silent.isOver && slow.isOver);
    expect(edge.outcomes.get("deadline")).toBe(2);
    expect(edge.admission.pending).toBe(0);
  });

  test("a header that announces too much is refused at once", async () => {
    const edge = await startEdge();
    const player = await connect(edge);
    const bomb = Buffer.from("0d0a0d0a000d0a515549540a21110000", "hex");
    bomb.writeUInt16BE(payload2BytesMax + 1, 14);
    player.send(bomb);
    await until(() => player.isOver);
    expect(edge.outcomes.get("malformed")).toBe(1);
  });

  test("one proxy's connections make room for each other, not for its share", async () => {
    const edge = await startEdge({ pendingPerIpMax: 4, pendingMax: 8 });
    const waiting: TestPlayer[] = [];
    for (let n = 0; n < 10; n++) waiting.push(await connect(edge));
    await until(() => edge.outcomes.get("shed_pending") === 2);
    expect(edge.admission.pending).toBe(8);
  });
});

describe("PROXY headers of anybody else", () => {
  test.each([
    ["version 2", header("203.0.113.7")],
    ["LOCAL", Buffer.from(proxyV2Local)],
    ["version 1", Buffer.from("PROXY TCP4 203.0.113.7 198.51.100.1 1 2\r\n")],
  ])("%s is just malformed bytes", async (_, bytes) => {
    const edge = await startEdge();
    const { heard } = await startStrict(edge);
    const player = await connect(edge, "127.0.0.2");
    player.send(Buffer.concat([bytes, login]));
    await until(() => player.isOver);
    expect(edge.outcomes.get("malformed")).toBe(1);
    expect(heard.filter((one) => one.includes("Steve"))).toEqual([]);
  });

  test("and without one they join as ever", async () => {
    const edge = await startEdge();
    const { heard } = await startStrict(edge);
    const player = await connect(edge, "127.0.0.2");
    player.send(login);
    await until(() => heard.some((bytes) => bytes.includes("Steve")));
    const joined = heard.find((bytes) => bytes.includes("Steve"));
    expect(joined?.subarray(16, 20)).toEqual(Buffer.from([127, 0, 0, 2]));
  });
});
