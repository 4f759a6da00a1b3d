import { readAdvertisement } from "@palisade/minecraft-protocol/bedrock/advertisement";
import {
  readConnectedPing,
  readConnectedPong,
  readConnectionAccepted,
  readConnectionRequest,
  readNewIncomingConnection,
} from "@palisade/minecraft-protocol/bedrock/connected-messages";
import { isDisconnect } from "@palisade/minecraft-protocol/bedrock/disconnect-notification";
import {
  frameBytes,
  readAcknowledgement,
  readFrameSet,
} from "@palisade/minecraft-protocol/bedrock/frames";
import { readPackets, unpackBatch } from "@palisade/minecraft-protocol/bedrock/game-batch";
import {
  identityBytesMax,
  readLogin,
  readSettingsRequest,
} from "@palisade/minecraft-protocol/bedrock/game-packets";
import { KickExchange } from "@palisade/minecraft-protocol/bedrock/kick-exchange";
import { LoginReader } from "@palisade/minecraft-protocol/bedrock/login-reader";
import {
  readOpenReply1,
  readOpenReply2,
  readOpenRequest1,
  readOpenRequest2,
  readPing,
  readPong,
} from "@palisade/minecraft-protocol/bedrock/offline-messages";
import { decodeRecord } from "#src/bedrock/session-record.ts";
import { bedrockCorpus } from "./bedrock-corpus.ts";
import { mutate } from "./mutate.ts";
import type { Random } from "./random.ts";
import { type DecoderTarget, type Decoding, holds } from "./targets.ts";

const { requests, replies, datagrams, connected, batches, logins, client } = bedrockCorpus;
const contentMax = identityBytesMax + 64;
const mtus = [400, 576, 1_200, 1_492];
const changedOf = 4;

const offlineReaders = [
  ["ping", readPing],
  ["pong", readPong],
  ["request 1", readOpenRequest1],
  ["reply 1", readOpenReply1],
  ["request 2", (bytes: Buffer) => readOpenRequest2(bytes, true)],
  ["request 2 without cookie", (bytes: Buffer) => readOpenRequest2(bytes, false)],
  ["reply 2", readOpenReply2],
] as const;

const connectedReaders = [
  ["ping", readConnectedPing],
  ["pong", readConnectedPong],
  ["request", readConnectionRequest],
  ["accepted", readConnectionAccepted],
  ["new connection", readNewIncomingConnection],
] as const;

export const bedrockTargets: readonly DecoderTarget[] = [
  {
    name: "Bedrock offline",
    seeds: [...requests, ...replies],
    decode: ({ bytes }) => kindsOf(bytes, offlineReaders),
  },
  {
    name: "Bedrock advertisement",
    seeds: bedrockCorpus.advertisements,
    decode: ({ bytes }) => {
      const found = readAdvertisement(bytes.toString("utf8"));
      if (found === undefined) return "none";
      holds(found.online >= 0 && found.max >= 0, "numbers of players are not negative");
      return found.edition;
    },
  },
  { name: "Bedrock datagram", seeds: datagrams, decode: decodeDatagram },
  {
    name: "Bedrock connected",
    seeds: connected,
    decode: ({ bytes }) => kindsOf(bytes, connectedReaders),
  },
  { name: "Bedrock batch", seeds: batches, decode: decodeBatch },
  { name: "Bedrock login", seeds: datagrams, decode: decodeLogin },
  { name: "Bedrock kick", seeds: datagrams, decode: decodeKick },
  {
    name: "Bedrock session record",
    seeds: [sampleRecord()],
    decode: ({ bytes }) => (decodeRecord(bytes.toString("utf8")) === undefined ? "none" : "record"),
  },
];

type Reader = readonly [kind: string, read: (bytes: Buffer) => unknown];

/** Messages of different kinds begin with different bytes. */
function kindsOf(bytes: Buffer, readers: readonly Reader[]): string {
  const kinds = readers.filter(([, read]) => read(bytes) !== undefined).map(([kind]) => kind);
  holds(
    new Set(kinds.map((kind) => kind.slice(0, 9))).size <= 1,
    "a message is of one kind at most",
  );
  return kinds.join(" or ") || "none";
}

function decodeDatagram({ bytes }: Decoding): string {
  isDisconnect(bytes);
  const acknowledgement = readAcknowledgement(bytes);
  const set = readFrameSet(bytes);
  holds(acknowledgement === undefined || set === undefined, "a datagram is of one kind at most");
  for (const { first, last } of acknowledgement?.ranges ?? []) {
    holds(first <= last, "a range does not end before it begins");
  }
  if (acknowledgement !== undefined) return acknowledgement.kind;
  if (set === undefined) return "none";
  const size = set.frames.reduce((sum, each) => sum + frameBytes(each), 4);
  holds(size === bytes.length, "frames are all there, and nothing else is");
  return "frames";
}

function decodeBatch({ bytes, protocol, random }: Decoding): string {
  const isWhole = !random.once(3);
  const max = random.pick([1, 64, contentMax]);
  const known = random.once(2) ? undefined : random.pick([503, 649, protocol]);
  const kinds = new Set<string>();
  for (const start of unpackBatch(bytes, isWhole, known, max)) {
    holds(start.content.length <= max, "a batch gives no more than is wanted");
    for (const packet of readPackets(start) ?? []) {
      const login = readLogin(packet);
      if (typeof login === "object") {
        holds(login.identity.length <= identityBytesMax, "an identity is bounded");
        kinds.add("login");
      } else if (readSettingsRequest(packet) !== undefined) kinds.add("settings");
      else kinds.add(login ?? "other");
    }
  }
  return [...kinds].toSorted().join(" and ") || "none";
}

/** The datagrams of a real login, some of which are others or changed. */
function* conversation({ bytes, random }: Decoding): Generator<Buffer> {
  const login = random.pick(logins);
  const changedAt = random.below(login.length);
  for (const [index, datagram] of login.entries()) {
    if (index === changedAt) yield bytes;
    if (random.once(changedOf)) yield changedOne(random, datagram);
    else yield datagram;
    if (random.once(changedOf)) yield random.pick(login);
  }
}

function changedOne(random: Random, datagram: Buffer): Buffer {
  return mutate(datagram, random.pick(datagrams), random);
}

function decodeLogin(input: Decoding): string {
  const reader = new LoginReader();
  for (const datagram of conversation(input)) reader.receive(datagram);
  if (reader.login === undefined) return reader.isOver ? "given up" : "none";
  holds(reader.isOver, "nothing is read behind a login");
  return "login";
}

function decodeKick(input: Decoding): string {
  const mtu = input.random.pick(mtus);
  const exchange = new KickExchange({ client, mtu, message: "You are not on the list" });
  let received = 0;
  let sent = 0;
  for (const datagram of conversation(input)) {
    received += datagram.length;
    const answers = [...exchange.receive(datagram), ...exchange.resend()];
    for (const answer of answers) {
      holds(answer.length <= mtu, "an answer fits into the client's datagrams");
      sent += answer.length;
    }
    holds(sent <= 3 * received + mtu, "answers stay below three times what has come");
  }
  return exchange.isDone ? "done" : "open";
}

function sampleRecord(): Buffer {
  return Buffer.from(
    JSON.stringify({
      form: 2,
      shield: "0190a000-0000-7000-8000-000000000001",
      backend: "0190a000-0000-7000-8000-000000000101",
      port: 19_132,
      client: { ip: "203.0.113.9", port: 50_000 },
      guid: "4711",
      mtu: 1_492,
      header: "",
    }),
  );
}
