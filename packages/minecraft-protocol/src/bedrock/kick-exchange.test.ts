import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  encodeConnectedPing,
  encodeDisconnect,
  readConnectedPong,
  readConnectionAccepted,
} from "./connected-messages.ts";
import {
  encodeAcknowledgement,
  encodeFrameSet,
  readAcknowledgement,
  readFrameSet,
  reliabilities,
  type Frame,
} from "./frames.ts";
import { readPackets, unpackBatch } from "./game-batch.ts";
import { encodeKick, encodeNetworkSettings } from "./game-packets.ts";
import { KickExchange } from "./kick-exchange.ts";
import { recordedLogins } from "../testing/recorded-logins.ts";

const client = { ip: Uint8Array.of(127, 0, 0, 1), port: 50_000 };
const message = "You are not on the list.\nAsk the owner ☃";
const newKick = (text = message, mtu = 1_400): KickExchange =>
  new KickExchange({ client, mtu, message: text });

/** Collects the answers as a client does: frames by order, and parts joined. */
class Received {
  readonly acknowledged: number[] = [];
  readonly pongs: bigint[] = [];
  readonly sequences = new Map<number, number>();
  readonly #parts = new Map<number, Frame[]>();

  add(datagrams: readonly Buffer[]): void {
    for (const datagram of datagrams) {
      const acknowledgement = readAcknowledgement(datagram);
      for (const { first } of acknowledgement?.ranges ?? []) this.acknowledged.push(first);
      const set = readFrameSet(datagram);
      for (const frame of set?.frames ?? []) this.#addFrame(frame, set?.sequence ?? 0);
    }
  }

  #addFrame(frame: Frame, sequence: number): void {
    const pong = readConnectedPong(frame.body);
    if (pong !== undefined) this.pongs.push(pong.pingTime);
    if (frame.order === undefined || frame.reliableIndex === undefined) return;
    this.sequences.set(sequence, frame.reliableIndex);
    const parts = this.#parts.get(frame.order.index) ?? [];
    this.#parts.set(frame.order.index, parts);
    parts[frame.split?.index ?? 0] ??= frame;
  }

  /** Messages that have arrived as a whole, in their order. */
  get messages(): readonly Buffer[] {
    return [...this.#parts.entries()]
      .toSorted(([one], [other]) => one - other)
      .map(([, parts]) => parts)
      .filter((parts) => parts.filter(Boolean).length === (parts.find(Boolean)?.split?.count ?? 1))
      .map((parts) => Buffer.concat(parts.map(({ body }) => body)));
  }
}

/** Ids and fields of the packets in a batch of the exchange. */
function packetsOf(batch: Buffer | undefined, protocol: number | undefined): readonly Buffer[] {
  for (const start of unpackBatch(batch ?? Buffer.alloc(1), true, protocol, 60_000)) {
    const packets = readPackets(start);
    if (packets !== undefined && packets.length > 0) return packets.map(({ fields }) => fields);
  }
  return [];
}

const acknowledge = (kind: "ack" | "nack", sequences: Iterable<number>): Buffer =>
  encodeAcknowledgement({
    kind,
    ranges: [...sequences].map((sequence) => ({ first: sequence, last: sequence })),
  });

const datagramsOf = (version: string): readonly Buffer[] =>
  (recordedLogins.find((each) => each.version === version)?.datagrams ?? []).map((text) =>
    Buffer.from(text, "base64"),
  );

describe.each(recordedLogins)("a recorded client of $version", ({ version, protocol }) => {
  const named = protocol >= 554 ? protocol : undefined;

  test("is accepted, gets the settings if it asks for them, and then the text", () => {
    const kick = newKick();
    const received = new Received();
    for (const datagram of datagramsOf(version)) received.add(kick.receive(datagram));
    expect(received.acknowledged).toEqual(datagramsOf(version).map((_, place) => place));
    expect(received.pongs.length).toBe(1);
    const [accepted = Buffer.alloc(0), ...batches] = received.messages;
    expect(readConnectionAccepted(accepted)?.client).toEqual(client);
    const kickBatch = batches.at(-1);
    expect(packetsOf(kickBatch, named)).toEqual([encodeKick(message, named).subarray(1)]);
    expect(kick.protocol).toBe(named);
    if (named === undefined) expect(batches.length).toBe(1);
    else {
      const settings = encodeNetworkSettings(512);
      expect(batches[0]).toEqual(Buffer.concat([Buffer.of(0xfe, settings.length), settings]));
    }
  });

  test("ends the exchange by saying that it has the text", () => {
    const kick = newKick();
    const received = new Received();
    for (const datagram of datagramsOf(version)) received.add(kick.receive(datagram));
    expect(kick.isDone).toBe(false);
    expect(kick.receive(acknowledge("ack", received.sequences.keys()))).toEqual([]);
    expect(kick.isDone).toBe(true);
    expect(kick.receive(datagramsOf(version)[0] ?? Buffer.alloc(0))).toEqual([]);
    expect(kick.resend()).toEqual([]);
  });
});

describe("the text", () => {
  const datagrams = datagramsOf("1.26.45");

  test("may depend on the client's version", () => {
    const received = new Received();
    const kick = new KickExchange({ client, mtu: 1_400, message: (each) => `version ${each}` });
    for (const datagram of datagrams) received.add(kick.receive(datagram));
    expect(packetsOf(received.messages.at(-1), 2_169)).toEqual([
      encodeKick("version 2169", 2_169).subarray(1),
    ]);
  });

  test("is split where it does not fit into a datagram of the client's MTU", () => {
    const long = "long ☃ ".repeat(400);
    for (const mtu of [576, 1_400]) {
      const kick = newKick(long, mtu);
      const received = new Received();
      for (const datagram of datagrams) {
        const answers = kick.receive(datagram);
        for (const answer of answers) expect(answer.length).toBeLessThanOrEqual(mtu - 28);
        received.add(answers);
      }
      expect(packetsOf(received.messages.at(-1), 2_169)).toEqual([
        encodeKick(long, 2_169).subarray(1),
      ]);
    }
  });

  test("is sent again when the client misses it, repeats its login, or the caller asks", () => {
    const kick = newKick();
    const received = new Received();
    for (const datagram of datagrams) received.add(kick.receive(datagram));
    const [last] = [...received.sequences.keys()].toSorted((one, other) => other - one);
    const login = datagrams.at(-2) ?? Buffer.alloc(0);
    for (const again of [
      kick.receive(acknowledge("nack", [last ?? 0])),
      kick.receive(login),
      kick.resend(),
    ]) {
      const frames = again.flatMap((datagram) => readFrameSet(datagram)?.frames ?? []);
      const repeated = frames.map(({ reliableIndex }) => reliableIndex);
      expect(repeated).toContain(received.sequences.get(last ?? 0));
    }
  });

  test("is not sent before the client has connected", () => {
    const kick = newKick();
    for (const datagram of datagrams.slice(3)) {
      for (const answer of kick.receive(datagram)) expect(readFrameSet(answer)).toBeUndefined();
    }
  });
});

const frameOf = (body: Buffer): Frame => ({
  reliability: reliabilities.unreliable,
  reliableIndex: undefined,
  sequenceIndex: undefined,
  order: undefined,
  split: undefined,
  body,
});

test("the text arrives where datagrams are lost in both directions", () => {
  const [request, incoming, ping, settingsRequest, ...login] = datagramsOf("1.26.45");
  // The client goes on to the next step when it has the answer to the one before.
  const steps = [[request], [incoming, ping, settingsRequest], login];
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat(99)), (chances) => {
      const losses = chances[Symbol.iterator]();
      const arrives = (): boolean => (losses.next().value ?? 99) >= 25;
      const long = "long ☃ ".repeat(400);
      const kick = newKick(long);
      const received = new Received();
      for (let round = 0; round < 16 && !kick.isDone; round += 1) {
        const acknowledgement = acknowledge("ack", received.sequences.keys());
        const sent = [...(steps[received.messages.length] ?? []), acknowledgement];
        for (const datagram of sent.filter((each) => each !== undefined && arrives())) {
          received.add(kick.receive(datagram ?? acknowledgement).filter(arrives));
        }
        received.add(kick.resend().filter(arrives));
      }
      expect(packetsOf(received.messages.at(-1), 2_169)).toEqual([
        encodeKick(long, 2_169).subarray(1),
      ]);
    }),
    { numRuns: 200 },
  );
});

test("a client that leaves ends the exchange", () => {
  const kick = newKick();
  kick.receive(encodeFrameSet(0, [frameOf(encodeDisconnect())]));
  expect(kick.isDone).toBe(true);
});

test("a client that goes on without end gets no more answers", () => {
  const kick = newKick();
  const ping = encodeFrameSet(0, [frameOf(encodeConnectedPing(1n))]);
  let answers = 0;
  for (let count = 0; count < 1_000; count += 1) answers += kick.receive(ping).length;
  expect(kick.isDone).toBe(true);
  expect(answers).toBeLessThanOrEqual(2 * 128);
});

test("whatever comes, the answers stay below three times its bytes and one datagram", () => {
  const known = recordedLogins.flatMap(({ datagrams }) =>
    datagrams.map((text) => Buffer.from(text, "base64")),
  );
  const range = fc
    .tuple(fc.nat(9), fc.nat(9))
    .map(([first, more]) => ({ first, last: first + more }));
  const datagram = fc.oneof(
    fc.constantFrom(...known),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    fc
      .uint8Array({ minLength: 1, maxLength: 60 })
      .map((bytes) => encodeFrameSet(1, [frameOf(Buffer.from(bytes))])),
    fc
      .tuple(fc.constantFrom("ack" as const, "nack" as const), fc.array(range, { maxLength: 3 }))
      .map(([kind, ranges]) => encodeAcknowledgement({ kind, ranges })),
    fc.constant(undefined),
  );
  fc.assert(
    fc.property(
      fc.array(datagram, { maxLength: 60 }),
      fc.nat(3_000),
      fc.integer({ min: 0, max: 2_000 }),
      (datagrams, characters, mtu) => {
        const kick = newKick("☃".repeat(characters), mtu);
        let received = 0;
        let sent = 0;
        for (const each of datagrams) {
          received += each?.length ?? 0;
          const answers = each === undefined ? kick.resend() : kick.receive(each);
          for (const answer of answers) sent += answer.length;
          expect(sent).toBeLessThanOrEqual(3 * received + 1_500);
        }
      },
    ),
    { numRuns: 300 },
  );
});
