import { execFile } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { Resolver } from "node:dns/promises";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { promisify } from "node:util";
import {
  startControlPlaneServer,
  type ControlPlaneServer,
} from "@palisade/control-client/testing/control-plane-server";
import { createTestFolder } from "@palisade/control-client/testing/recorder";
import { until } from "@palisade/testing/until";
import { decode, encode, streamEncode } from "dns-packet";
import fc from "fast-check";
import { pino } from "pino";
import { afterEach, describe, expect, test } from "vitest";
import { startZoneDns, type ZoneDns } from "#src/compose.ts";
import {
  dallasLabel,
  edgesOf,
  frankfurtLabel,
  shieldOf,
  standardEdges,
  testZone,
} from "#src/test-zone.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const records = [shieldOf(1, frankfurtLabel, "frankfurt"), shieldOf(2, dallasLabel, "dallas")].map(
  (config) => ({ shield_id: config.shield_id, revision: config.revision, config }),
);

async function newFolder(): Promise<string> {
  const folder = await createTestFolder();
  ends.push(async () => folder[Symbol.asyncDispose]());
  return folder.path;
}

async function startApi(): Promise<ControlPlaneServer> {
  const api = await startControlPlaneServer({ kind: "dns" });
  api.change(records);
  api.setZone(standardEdges);
  return api;
}

async function startDns(folder: string, apiUrl: string, token?: string): Promise<ZoneDns> {
  const dns = await startZoneDns(
    {
      folder,
      logLevel: "silent",
      apiUrl,
      token,
      zone: testZone,
      host: "127.0.0.1",
      port: 0,
      addresses: [],
      metricsPort: 0,
    },
    pino({ level: "silent" }),
  );
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= dns.stop());
  ends.push(stop);
  return { ...dns, stop };
}

function resolverOf(dns: ZoneDns): Resolver {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  resolver.setServers([dns.address]);
  return resolver;
}

function portOf(dns: ZoneDns): number {
  return Number(dns.address.split(":").at(-1));
}

describe("zone DNS", () => {
  test("answers a real resolver with the control plane's data, and follows changes", async () => {
    const api = await startApi();
    ends.push(() => api.close());
    const dns = await startDns(await newFolder(), api.url, api.token);
    const resolver = resolverOf(dns);
    const addresses = await until(() => resolver.resolve4(frankfurtLabel, { ttl: true }));
    expect(addresses.map(({ address }) => address).toSorted()).toEqual([
      "203.0.113.1",
      "203.0.113.2",
    ]);
    expect(addresses.map(({ ttl }) => ttl)).toEqual([30, 30]);
    expect(await resolver.resolve6(frankfurtLabel)).toEqual(["2001:db8::1"]);
    expect(await resolver.resolveNs(testZone)).toEqual([`ns1.${testZone}`]);
    expect((await resolver.resolveSoa(testZone)).nsname).toBe(`ns1.${testZone}`);
    await expect(resolver.resolve4(`unknown.${testZone}`)).rejects.toMatchObject({
      code: "ENOTFOUND",
    });
    await expect(resolver.resolveTxt(frankfurtLabel)).rejects.toMatchObject({ code: "ENODATA" });
    await expect(resolver.resolve4("example.com")).rejects.toMatchObject({ code: "EREFUSED" });

    api.setZone(edgesOf({ location: "frankfurt", addresses: ["203.0.113.50"] }));
    await until(async () => (await resolver.resolve4(frankfurtLabel))[0] === "203.0.113.50");
    expect(api.acks.every((ack) => ack.outcome === "applied")).toBe(true);
  });

  test("answers from its last good copy while the control plane is dead", async () => {
    const api = await startApi();
    const folder = await newFolder();
    const first = await startDns(folder, api.url, api.token);
    await until(() => resolverOf(first).resolve4(frankfurtLabel));
    await until(() => api.acks.length === 2);
    await first.stop();
    await api.close();

    const second = await startDns(folder, api.url);
    const addresses = await resolverOf(second).resolve4(frankfurtLabel);
    expect(addresses.toSorted()).toEqual(["203.0.113.1", "203.0.113.2"]);
  });

  test("keeps the last good record and zone when a new one is refused", async () => {
    const api = await startApi();
    ends.push(() => api.close());
    const dns = await startDns(await newFolder(), api.url, api.token);
    const resolver = resolverOf(dns);
    await until(() => resolver.resolve4(frankfurtLabel));
    const poison = { ...shieldOf(1, frankfurtLabel, "frankfurt", 2), surprise: true };
    api.setZone({ zone: testZone, ttl_seconds: -1, edges: "none" });
    api.change([{ shield_id: poison.shield_id, revision: 2, config: poison }]);
    const refusal = await until(() => api.acks.find((ack) => ack.outcome === "rejected"));
    expect(refusal.shield_id).toBe(poison.shield_id);
    expect(await resolver.resolve4(frankfurtLabel)).toHaveLength(2);
  });

  test("ends with the fix when credential, token and last good copy are missing", async () => {
    const dns = await startDns(await newFolder(), "http://127.0.0.1:9");
    await expect(dns.following).rejects.toThrow(/PALISADE_EDGE_TOKEN.*--kind dns/s);
  });
});

describe("the sockets of zone DNS", () => {
  async function startFilled(): Promise<ZoneDns> {
    const api = await startApi();
    ends.push(() => api.close());
    const dns = await startDns(await newFolder(), api.url, api.token);
    await until(() => resolverOf(dns).resolve4(frankfurtLabel));
    return dns;
  }

  test("a TCP connection accepts several questions in any pieces and answers in order", async () => {
    const dns = await startFilled();
    const socket = connect(portOf(dns), "127.0.0.1");
    ends.push(async () => socket.destroy());
    const names = [frankfurtLabel, dallasLabel, `unknown.${testZone}`];
    const bytes = Buffer.concat(
      names.map((name, id) =>
        streamEncode({ type: "query", id, questions: [{ name, type: "A" }] }),
      ),
    );
    let received = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
    });
    for (const byte of bytes) socket.write(Buffer.from([byte]));
    const ids: (number | undefined)[] = [];
    await until(() => {
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const end = 2 + received.readUInt16BE(0);
        ids.push(decode(received.subarray(2, end)).id);
        received = received.subarray(end);
      }
      return ids.length === names.length;
    });
    expect(ids).toEqual([0, 1, 2]);
  });

  test("after random datagrams and streams the next question is answered", async () => {
    const dns = await startFilled();
    const udp = createSocket("udp4");
    ends.push(async () => udp.close());
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 1_200 }), async (bytes) => {
        await new Promise((resolve) => udp.send(bytes, portOf(dns), "127.0.0.1", resolve));
      }),
      { numRuns: 150 },
    );
    for (const bytes of fc.sample(fc.uint8Array({ minLength: 1, maxLength: 3_000 }), 20)) {
      const socket = connect(portOf(dns), "127.0.0.1");
      socket.on("error", () => undefined);
      socket.end(bytes);
      socket.resume();
      await once(socket, "close");
    }
    expect(await resolverOf(dns).resolve4(frankfurtLabel)).toHaveLength(2);
  });

  test("a flood from one source is capped, and a real resolver gets its answer over TCP", async () => {
    const dns = await startFilled();
    const udp = createSocket("udp4");
    ends.push(async () => udp.close());
    let answered = 0;
    let truncated = 0;
    udp.on("message", (message) => {
      if (decode(message).flag_tc) truncated += 1;
      else answered += 1;
    });
    const question = encode({
      type: "query",
      id: 9,
      questions: [{ name: frankfurtLabel, type: "A" }],
    });
    const began = performance.now();
    // Sent in portions that fit the socket's buffer, so that the cap drops them and not the kernel.
    await until(async () => {
      for (let sent = 0; sent < 100; sent += 1) udp.send(question, portOf(dns), "127.0.0.1");
      await new Promise((resolve) => setImmediate(resolve));
      return truncated >= 50;
    });
    // The cap also applies to the resolver's datagram: truncated or dropped, then TCP.
    expect(await until(() => resolverOf(dns).resolve4(frankfurtLabel))).toHaveLength(2);
    // Datagrams that were still queued are under the same cap.
    const floodMs = performance.now() - began;
    expect(answered).toBeLessThanOrEqual(400 + (200 * floodMs) / 1_000 + 1);
  });

  test("dig agrees", async ({ skip }) => {
    skip(!existsSync("/usr/bin/dig"), "needs dig: apt-get install bind9-dnsutils");
    const dns = await startFilled();
    const dig = async (...args: string[]): Promise<string> => {
      const all = ["@127.0.0.1", "-p", String(portOf(dns)), ...args];
      return (await promisify(execFile)("/usr/bin/dig", all)).stdout;
    };
    expect((await dig("+short", frankfurtLabel, "A")).trim().split("\n").toSorted()).toEqual([
      "203.0.113.1",
      "203.0.113.2",
    ]);
    expect(await dig("+tcp", `unknown.${testZone}`)).toContain("status: NXDOMAIN");
    expect(await dig("+noedns", dallasLabel, "TXT")).toMatch(/status: NOERROR.*ANSWER: 0/s);
    expect(await dig("+edns=1", "+noednsneg", frankfurtLabel)).toContain("status: BADVERS");
    expect(await dig("example.com")).toContain("status: REFUSED");
    expect(await dig("+cookie", "+dnssec", "+subnet=192.0.2.0/24", frankfurtLabel)).toContain(
      "status: NOERROR",
    );
    // dig would report an answer that it cannot parse here.
    expect(await dig("+norecurse", frankfurtLabel)).not.toMatch(/WARNING|malformed/);
  });
});
