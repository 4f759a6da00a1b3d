import { decode, encode, type Answer, type Packet, type RecordType } from "dns-packet";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createResponder, type Responder } from "#src/responder.ts";
import {
  createFilledTable,
  dallasLabel,
  edgesOf,
  emptyLabel,
  frankfurtLabel,
  labelOf,
  shieldOf,
  testZone,
} from "#src/test-zone.ts";
import { rcode } from "#src/wire/rcode.ts";
import type { Transport } from "#src/wire/reply.ts";
import { createZoneTable } from "#src/zone/zone-table.ts";

const responder = createResponder(createFilledTable(), ["127.0.0.1"]);

function query(name: string, type: RecordType, extra: Partial<Packet> = {}): Buffer {
  return encode({ type: "query", id: 0x1234, questions: [{ name, type }], ...extra });
}

interface Reply {
  readonly rcode: number;
  readonly authoritative: boolean;
  readonly truncated: boolean;
  readonly data: unknown[];
  readonly answers: readonly Answer[];
  readonly authorities: readonly Answer[];
  readonly question: string | undefined;
  readonly bytes: number;
}

function ask(
  name: string,
  type: RecordType,
  extra: Partial<Packet> = {},
  by: Responder = responder,
  transport: Transport = "udp",
): Reply {
  const message = by.respond(query(name, type, extra), transport);
  if (message === null) throw new Error("no answer");
  const packet = decode(message);
  expect(packet.id).toBe(0x1234);
  expect(packet.flag_qr).toBe(true);
  expect(packet.flag_ra).toBe(false);
  const answers = packet.answers ?? [];
  return {
    rcode: (packet.flags ?? 0) & 0xf,
    authoritative: packet.flag_aa,
    truncated: packet.flag_tc,
    answers,
    data: answers.map((answer) => ("data" in answer ? answer.data : null)),
    authorities: packet.authorities ?? [],
    question: packet.questions?.[0]?.name,
    bytes: message.length,
  };
}

function opt(udpPayloadSize: number, ednsVersion = 0): Partial<Packet> {
  return {
    additionals: [
      {
        type: "OPT",
        name: ".",
        udpPayloadSize,
        extendedRcode: 0,
        ednsVersion,
        flags: 0,
        flag_do: false,
        options: [],
      },
    ],
  };
}

describe("answers of the zone", () => {
  test("a label has the healthy, undrained edges of its location, for 30 s", () => {
    const reply = ask(frankfurtLabel, "A");
    expect(reply.rcode).toBe(rcode.noError);
    expect(reply.authoritative).toBe(true);
    expect(new Set(reply.data)).toEqual(new Set(["203.0.113.1", "203.0.113.2"]));
    expect(reply.answers.map((answer) => "ttl" in answer && answer.ttl)).toEqual([30, 30]);
    expect(ask(frankfurtLabel, "AAAA").data).toEqual(["2001:db8::1"]);
  });

  test("a location without a healthy edge is answered with its undrained ones", () => {
    expect(ask(dallasLabel, "A").data).toEqual(["198.51.100.1"]);
  });

  test("a label without addresses, or asked for another type, is 'no data' with the SOA", () => {
    for (const reply of [
      ask(emptyLabel, "A"),
      ask(frankfurtLabel, "TXT"),
      ask(testZone, "A"),
      ask(dallasLabel, "AAAA"),
    ]) {
      expect(reply.rcode).toBe(rcode.noError);
      expect(reply.answers).toEqual([]);
      expect(reply.authorities).toMatchObject([
        { type: "SOA", name: testZone, ttl: 30, data: { minimum: 30 } },
      ]);
    }
  });

  test("an unknown name is 'no such name' with the SOA, also below a label", () => {
    for (const name of [
      `unknown.${testZone}`,
      `x.${frankfurtLabel}`,
      `_minecraft._tcp.${testZone}`,
    ]) {
      const reply = ask(name, "A");
      expect(reply.rcode).toBe(rcode.noSuchName);
      expect(reply.authorities.map((answer) => answer.type)).toEqual(["SOA"]);
    }
  });

  test("the apex has SOA and NS, and its name server an address", () => {
    expect(ask(testZone, "SOA").answers).toMatchObject([{ type: "SOA", name: testZone }]);
    expect(ask(testZone, "NS").data).toEqual([`ns1.${testZone}`]);
    expect(ask(`ns1.${testZone}`, "A").data).toEqual(["127.0.0.1"]);
  });

  test("names outside the zone, other classes and transfers are refused", () => {
    expect(ask("example.com", "A").rcode).toBe(rcode.refused);
    expect(ask(`x${testZone}`, "A").rcode).toBe(rcode.refused);
    expect(ask(".", "NS").rcode).toBe(rcode.refused);
    expect(ask(testZone, "AXFR").rcode).toBe(rcode.refused);
    const chaos = { questions: [{ name: frankfurtLabel, type: "A", class: "CH" }] } as const;
    expect(ask(frankfurtLabel, "A", { questions: [...chaos.questions] }).rcode).toBe(rcode.refused);
  });

  // The library supports it, its type declarations do not.
  const any = "ANY" as RecordType;
  test("ANY gets the small answer of RFC 8482", () => {
    const reply = ask(frankfurtLabel, any);
    expect(reply.answers.map((answer) => answer.type)).toEqual(["HINFO"]);
    expect(reply.bytes).toBeLessThan(120);
  });

  test("the question comes back in the case it was asked in", () => {
    const name = "FrAnKfUrT123.gS.LoCaLhOsT";
    const reply = ask(name, "A");
    expect(reply.question).toBe(name);
    expect(reply.answers.every((answer) => answer.name === name)).toBe(true);
    expect(reply.data).toHaveLength(2);
  });

  test("the order of addresses rotates from question to question", () => {
    const firsts = new Set(Array.from({ length: 8 }, () => ask(frankfurtLabel, "A").data[0]));
    expect(firsts).toEqual(new Set(["203.0.113.1", "203.0.113.2"]));
  });

  test("before the control plane has named the edges it fails and denies no name", () => {
    const empty = createResponder(createZoneTable(testZone, 1), []);
    expect(ask(frankfurtLabel, "A", {}, empty).rcode).toBe(rcode.serverFailure);
    expect(ask("example.com", "A", {}, empty).rcode).toBe(rcode.refused);
  });

  test("a removed shield's label is gone, and a changed location is followed", () => {
    const table = createFilledTable();
    const own = createResponder(table, []);
    table.setShield(shieldOf(2, dallasLabel, "frankfurt", 2));
    const moved = ask(dallasLabel, "A", {}, own).data;
    expect(new Set(moved)).toEqual(new Set(["203.0.113.1", "203.0.113.2"]));
    table.removeShield(shieldOf(1, frankfurtLabel, "frankfurt").shield_id);
    expect(ask(frankfurtLabel, "A", {}, own).rcode).toBe(rcode.noSuchName);
  });

  test("the try address of a shield is answered as its label, and gone with its record's", () => {
    const table = createFilledTable();
    const own = createResponder(table, []);
    const tried = labelOf(77);
    const record = shieldOf(1, frankfurtLabel, "frankfurt");
    table.setShield({ ...record, revision: 2, try_label: tried.toUpperCase() });
    const both = [frankfurtLabel, tried].map((name) =>
      ask(name, "A", {}, own).data.map(String).toSorted(),
    );
    expect(both[1]).toEqual(both[0]);
    expect([...table.labels()]).toContain(tried);
    table.setShield({ ...record, revision: 3 });
    expect(ask(tried, "A", {}, own).rcode).toBe(rcode.noSuchName);
    expect(ask(frankfurtLabel, "A", {}, own).data).toHaveLength(2);
  });
});

describe("the size of answers", () => {
  const table = createFilledTable();
  const addresses = Array.from({ length: 16 }, (_, n) => `203.0.113.${n + 1}`);
  table.setEdges(
    edgesOf(
      { location: "frankfurt", addresses },
      { location: "frankfurt", addresses: ["198.51.100.1", "198.51.100.2"] },
    ),
  );
  const many = createResponder(table, []);

  test("an answer above 512 bytes sends an old client to TCP, which has all of it", () => {
    const reply = ask(frankfurtLabel, "A", {}, many);
    expect(reply.truncated).toBe(true);
    expect(reply.answers).toEqual([]);
    expect(reply.bytes).toBeLessThanOrEqual(512);
    const whole = ask(frankfurtLabel, "A", {}, many, "tcp");
    expect(whole.truncated).toBe(false);
    expect(whole.answers).toHaveLength(16);
  });

  test("a client with EDNS gets up to its own limit and 1232 bytes, and an OPT", () => {
    const reply = ask(frankfurtLabel, "A", opt(4096), many);
    expect(reply.truncated).toBe(false);
    expect(reply.answers).toHaveLength(16);
    const message = many.respond(query(frankfurtLabel, "A", opt(4096)), "udp");
    expect(decode(message ?? Buffer.alloc(0)).additionals).toMatchObject([
      { type: "OPT", udpPayloadSize: 1232 },
    ]);
    expect(ask(frankfurtLabel, "A", opt(100), many).truncated).toBe(true);
  });

  test("a newer EDNS version is answered with BADVERS", () => {
    const message = many.respond(query(frankfurtLabel, "A", opt(1232, 1)), "udp");
    const packet = decode(message ?? Buffer.alloc(0));
    expect(packet.additionals).toMatchObject([{ type: "OPT", extendedRcode: 1 }]);
    expect(packet.answers).toEqual([]);
  });
});

describe("messages of untrusted origin", () => {
  test("an answer is not answered, nor is a message without an id", () => {
    const answer = encode({ type: "response", id: 1, questions: [{ name: testZone, type: "A" }] });
    expect(responder.respond(answer, "udp")).toBeNull();
    expect(responder.respond(Buffer.alloc(11), "udp")).toBeNull();
  });

  test("another opcode is not implemented, no or two questions are malformed", () => {
    const notify = query(testZone, "SOA");
    notify.writeUInt16BE(4 << 11, 2);
    const codeOf = (message: Buffer) =>
      (decode(responder.respond(message, "udp") ?? Buffer.alloc(0)).flags ?? 0) & 0xf;
    expect(codeOf(notify)).toBe(rcode.notImplemented);
    expect(codeOf(encode({ type: "query", id: 5 }))).toBe(rcode.formatError);
    const question = { name: testZone, type: "A" } as const;
    expect(codeOf(encode({ type: "query", id: 5, questions: [question, question] }))).toBe(
      rcode.formatError,
    );
  });

  test("a header that claims 65,535 records costs no memory", () => {
    const bomb = query(frankfurtLabel, "A");
    for (const at of [6, 8, 10]) bomb.writeUInt16BE(0xffff, at);
    // Warm-up, so that the first use of the code is not measured.
    responder.respond(bomb, "udp");
    const before = process.memoryUsage();
    for (let n = 0; n < 1_000; n += 1) responder.respond(bomb, "udp");
    const after = process.memoryUsage();
    expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(
      64 * 1024 * 1024,
    );
  });

  test("never throw, and get no answer or one with their id", () => {
    const valid = query(frankfurtLabel, "A", opt(1232));
    const hostile = fc.oneof(
      fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes)),
      // Almost valid messages reach more code: a query cut, or with some bytes changed.
      fc.nat(valid.length).map((length) => Buffer.from(valid.subarray(0, length))),
      fc
        .array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
        .map((changes) => {
          const copy = Buffer.from(valid);
          for (const [at, byte] of changes) copy[at] = byte;
          return copy;
        }),
      // Any bytes as a name, including pointers to anywhere.
      fc.uint8Array({ maxLength: 270 }).map((name) => {
        const head = Buffer.from("123400000001000000000000", "hex");
        return Buffer.concat([head, name, Buffer.from([0, 0, 1, 0, 1])]);
      }),
    );
    fc.assert(
      fc.property(hostile, fc.constantFrom<Transport>("udp", "tcp"), (message, transport) => {
        const reply = responder.respond(message, transport);
        if (reply === null) return;
        expect(reply.readUInt16BE(0)).toBe(message.readUInt16BE(0));
        expect(reply.readUInt16BE(2) & 0x8000).toBe(0x8000);
        if (transport === "udp") expect(reply.length).toBeLessThanOrEqual(1232);
      }),
      { numRuns: 3_000 },
    );
  });
});
