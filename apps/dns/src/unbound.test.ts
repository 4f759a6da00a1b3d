import { createSocket } from "node:dgram";
import { once } from "node:events";
import {
  startControlPlaneServer,
  type ControlPlaneServer,
} from "@palisade/control-client/testing/control-plane-server";
import { createTestFolder } from "@palisade/control-client/testing/recorder";
import { startFakeZone, type FakeZone } from "@palisade/testing/fake-zone";
import { startUnbound, unboundMissing, type UnboundOptions } from "@palisade/testing/unbound";
import { until } from "@palisade/testing/until";
import { decode, encode, type DecodedPacket, type RecordType } from "dns-packet";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startZoneDns, type ZoneDns } from "#src/compose.ts";
import { edgesOf, frankfurtLabel, shieldOf, standardEdges, testZone } from "#src/test-zone.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

interface Scene {
  readonly api: ControlPlaneServer;
  readonly other: FakeZone;
  readonly dns: ZoneDns;
  /** Starts zone DNS again where it was, from what it has on disk. */
  restart(): Promise<void>;
  /** Asks the resolver, as any program of a player does. */
  ask(name: string, type: RecordType): Promise<Answer>;
}

interface Answer {
  readonly rcode: number;
  readonly data: readonly unknown[];
  readonly ttls: readonly number[];
  readonly soaTtl: number | undefined;
}

/** Our server, another one for `example.test`, and a real resolver before both. */
async function startScene(options: Omit<UnboundOptions, "zones"> = {}): Promise<Scene> {
  const api = await startControlPlaneServer({ kind: "dns" });
  ends.push(() => api.close());
  const record = shieldOf(1, frankfurtLabel, "frankfurt");
  api.change([{ shield_id: record.shield_id, revision: 1, config: record }]);
  api.setZone(standardEdges);
  const folder = await createTestFolder();
  ends.push(async () => folder[Symbol.asyncDispose]());

  const start = (port: number): Promise<ZoneDns> =>
    startZoneDns(
      {
        folder: folder.path,
        logLevel: "silent",
        apiUrl: api.url,
        token: api.token,
        zone: testZone,
        host: "127.0.0.1",
        port,
        addresses: ["203.0.113.53", "2001:db8::53"],
        metricsPort: 0,
      },
      pino({ level: "silent" }),
    );
  let dns = await start(0);
  ends.push(() => dns.stop());
  // Only an acknowledged configuration is on its disk.
  await until(() => api.acks.length > 0);
  await until(async () => (await ask(portOf(dns), frankfurtLabel, "A")).answers?.length);

  const other = await startFakeZone({ origin: "example.test" });
  ends.push(() => other.close());
  const zones = { [testZone]: dns.address, "example.test": other.address };
  const unbound = await startUnbound({ ...options, zones });
  ends.push(() => unbound.stop());
  return {
    api,
    other,
    dns,
    async restart() {
      await dns.stop();
      dns = await start(portOf(dns));
    },
    ask: async (name, type) => toAnswer(await ask(unbound.port, name, type)),
  };
}

function portOf(dns: ZoneDns): number {
  return Number(dns.address.split(":").at(-1));
}

async function ask(port: number, name: string, type: RecordType): Promise<DecodedPacket> {
  const socket = createSocket("udp4");
  try {
    const question = encode({ type: "query", id: 7, flags: 0x100, questions: [{ name, type }] });
    socket.send(question, port, "127.0.0.1");
    const [message] = (await once(socket, "message", {
      signal: AbortSignal.timeout(20_000),
    })) as [Buffer];
    return decode(message);
  } finally {
    socket.close();
  }
}

function toAnswer(packet: DecodedPacket): Answer {
  const answers = packet.answers ?? [];
  const soa = packet.authorities?.find(({ type }) => type === "SOA");
  return {
    rcode: (packet.flags ?? 0) & 0xf,
    data: answers.map((answer) => ("data" in answer ? answer.data : undefined)),
    ttls: answers.map((answer) => ("ttl" in answer ? (answer.ttl ?? 0) : 0)),
    soaTtl: soa !== undefined && "ttl" in soa ? soa.ttl : undefined,
  };
}

const noCache = { cacheSecondsMax: 0 };
const noSuchName = 3;

describe("zone DNS behind a real resolver (unbound)", () => {
  beforeEach(({ skip }) => skip(unboundMissing !== undefined, unboundMissing));

  test("a label has its edges' addresses of both families, for 30 s at most", async () => {
    const { ask: look } = await startScene();
    const v4 = await look(frankfurtLabel, "A");
    expect(v4.data.map(String).toSorted()).toEqual(["203.0.113.1", "203.0.113.2"]);
    expect(await look(frankfurtLabel.toUpperCase(), "AAAA")).toMatchObject({
      data: ["2001:db8::1"],
    });
    for (const ttl of v4.ttls) {
      expect(ttl).toBeGreaterThan(0);
      expect(ttl).toBeLessThanOrEqual(30);
    }
  });

  test("a CNAME of another zone leads to the label's addresses, also through a chain", async () => {
    const { ask: look, other } = await startScene();
    other.records = [
      { type: "CNAME", name: "play.example.test", value: "lb.example.test" },
      { type: "CNAME", name: "lb.example.test", value: frankfurtLabel },
      { type: "SRV", name: "_minecraft._tcp.example.test", value: `0 5 25565 ${frankfurtLabel}` },
    ];
    const { data } = await look("play.example.test", "A");
    expect(data.slice(0, 2)).toEqual(["lb.example.test", frankfurtLabel]);
    expect(data.slice(2).map(String).toSorted()).toEqual(["203.0.113.1", "203.0.113.2"]);
    const srv = await look("_minecraft._tcp.example.test", "SRV");
    expect(srv.data).toMatchObject([{ target: frankfurtLabel, port: 25_565 }]);
  });

  test("a missing name and a missing record differ, and are cached for 30 s at most", async () => {
    const { ask: look } = await startScene();
    const absent = await look(`unknown.${testZone}`, "A");
    const empty = await look(frankfurtLabel, "TXT");
    expect([absent.rcode, empty.rcode]).toEqual([noSuchName, 0]);
    for (const { data, soaTtl } of [absent, empty]) {
      expect(data).toEqual([]);
      expect(soaTtl).toBeLessThanOrEqual(30);
    }
    // The zone itself exists, whatever labels come and go.
    expect((await look(testZone, "SOA")).data).toHaveLength(1);
    expect((await look(testZone, "NS")).data).toEqual([`ns1.${testZone}`]);
    expect((await look(`ns1.${testZone}`, "A")).data).toEqual(["203.0.113.53"]);
    expect((await look(`ns1.${testZone}`, "AAAA")).data).toEqual(["2001:db8::53"]);
  });

  test("an answer that does not fit its datagram comes complete over TCP", async () => {
    const { ask: look, api, dns } = await startScene({ ednsBytes: 512, ...noCache });
    const addresses = Array.from({ length: 16 }, (_, n) => `2001:db8::${(n + 1).toString(16)}`);
    api.setZone(edgesOf({ location: "frankfurt", addresses }));
    await until(async () => (await ask(portOf(dns), frankfurtLabel, "AAAA")).flag_tc);
    const { data } = await look(frankfurtLabel, "AAAA");
    expect(data.map(String).toSorted()).toEqual(addresses.toSorted());
  });

  test("a drained or dead edge disappears from the answers", async () => {
    const { ask: look, api } = await startScene(noCache);
    const edges = (changes: { healthy?: boolean; drained?: boolean }) =>
      edgesOf(
        { location: "frankfurt", addresses: ["203.0.113.1"], ...changes },
        { location: "frankfurt", addresses: ["203.0.113.2"] },
      );
    for (const changes of [{ drained: true }, {}, { healthy: false }, {}]) {
      api.setZone(edges(changes));
      const expected =
        Object.keys(changes).length === 0 ? ["203.0.113.1", "203.0.113.2"] : ["203.0.113.2"];
      const isExpected = async () => {
        const { data } = await look(frankfurtLabel, "A");
        return data.map(String).toSorted().join() === expected.join();
      };
      expect(await until(isExpected)).toBe(true);
    }
  });

  test("restarted without a control plane, zone DNS answers from its last good copy", async () => {
    const { ask: look, api, restart } = await startScene(noCache);
    await until(async () => (await look(frankfurtLabel, "A")).data.length === 2);
    await api.close();
    await restart();
    const { data } = await until(async () => {
      const answer = await look(frankfurtLabel, "A");
      return answer.rcode === 0 && answer;
    });
    expect(data.map(String).toSorted()).toEqual(["203.0.113.1", "203.0.113.2"]);
    expect((await look(`unknown.${testZone}`, "A")).rcode).toBe(noSuchName);
  });
});
