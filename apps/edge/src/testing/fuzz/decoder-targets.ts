import { gzipSync } from "node:zlib";
import { textFromComponent } from "@palisade/minecraft-protocol/java/chat-text";
import { decodeConfigurationPacket } from "@palisade/minecraft-protocol/java/configuration";
import { decodeCookieResponse } from "@palisade/minecraft-protocol/java/cookies";
import { decodeEncryptionResponse } from "@palisade/minecraft-protocol/java/encryption";
import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import { Fall } from "@palisade/minecraft-protocol/java/limbo/fall";
import { decodeLimboPacket } from "@palisade/minecraft-protocol/java/limbo/client-packets";
import { arrival } from "@palisade/minecraft-protocol/java/limbo/place";
import { decodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { hasForgeMarker, normaliseHost, splitHost } from "@palisade/minecraft-protocol/java/host";
import { detectLegacy, readLegacyHello } from "@palisade/minecraft-protocol/java/legacy";
import { decodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { decodePlayPacket } from "@palisade/minecraft-protocol/java/play";
import { readStatusResponse } from "@palisade/minecraft-protocol/java/status";
import { readVarInt } from "@palisade/minecraft-protocol/java/varint";
import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import { readProxyHeader } from "@palisade/minecraft-protocol/proxy/read-proxy-header";
import { isSaneBrand, isSaneInformation } from "#src/challenge/rules/client-settings.ts";
import { platform } from "#src/challenge/steps/places.ts";
import { readCookieAnswer, checkTransferCookie } from "#src/challenge/transfer-cookie.ts";
import { parseList } from "#src/address-files/parse-list.ts";
import { readMmdb } from "#src/address-files/read-mmdb.ts";
import type { SourceRead } from "#src/address-files/parsed-list.ts";
import { unpack } from "#src/address-files/unpack.ts";
import { bodies, corpus, cookieKey, protocols } from "./corpus.ts";
import { bedrockTargets } from "./bedrock-targets.ts";
import { mutate } from "./mutate.ts";
import type { Random } from "./random.ts";
import { type DecoderTarget, type Decoding, holds } from "./targets.ts";

const limits = { linesMax: 2, charactersMax: 200 };
const unpackedMax = 65_536;

const packetTargets: readonly DecoderTarget[] = [
  { name: "frame", seeds: corpus.frames, decode: decodeFrame },
  {
    name: "varint",
    seeds: corpus.frames,
    decode: ({ bytes, start, end }) => {
      const result = readVarInt(bytes, start, end);
      if (result.kind === "value") holds(result.next <= end, "a number ends within its bytes");
      return result.kind;
    },
  },
  {
    name: "handshake",
    seeds: bodies(corpus.handshakes),
    decode: ({ bytes, start, end }) => {
      const result = decodeHandshake(bytes, start, end);
      if (result.ok) hasForgeMarker(result.handshake.suffix);
      return result.ok ? result.handshake.intent : "malformed";
    },
  },
  {
    name: "login start",
    seeds: bodies(corpus.logins),
    decode: ({ bytes, start, end, protocol }) => {
      const result = decodeLoginStart(bytes, start, end, protocol);
      if (result.ok) holds(result.name.length <= 16, "a name is short");
      return result.ok ? "login" : "malformed";
    },
  },
  { name: "legacy", seeds: corpus.legacy, decode: decodeLegacy },
  { name: "status", seeds: corpus.statuses, decode: decodeStatus },
  {
    name: "cookie",
    seeds: corpus.cookies,
    decode: ({ bytes, start, end }) => {
      const answer = readCookieAnswer(bytes, 0);
      if (answer.kind === "answered") holds(answer.end <= bytes.length, "a cookie is all there");
      return decodeCookieResponse(bytes, start, end).ok ? "cookie" : answer.kind;
    },
  },
  {
    name: "transfer cookie",
    seeds: corpus.transferCookies,
    decode: ({ bytes }) =>
      checkTransferCookie(bytes, { name: "Steve_01", ip: corpus.ip }, cookieKey, 0).kind,
  },
  {
    name: "encryption",
    seeds: bodies(corpus.encryptions),
    decode: ({ bytes, start, end, protocol }) => {
      const result = decodeEncryptionResponse(bytes, start, end, protocol);
      return result.ok ? result.proof.kind : "malformed";
    },
  },
  { name: "configuration and play", seeds: corpus.settings, decode: decodeClientPacket },
  { name: "movement", seeds: corpus.falls, decode: decodeFalls },
  {
    name: "PROXY",
    seeds: corpus.proxies,
    decode: ({ bytes }) => {
      const result = readProxyHeader(bytes);
      if (result.kind === "header") holds(result.length <= bytes.length, "a header is all there");
      return result.kind;
    },
  },
  {
    name: "texts",
    seeds: corpus.texts,
    decode: ({ bytes }) => {
      const text = bytes.toString("utf8");
      const host = normaliseHost(splitHost(text).host);
      holds(normaliseHost(host) === host, "what is normalised stays as it is");
      const ip = parseIp(text);
      return ip === undefined ? "no address" : `${ip.length} bytes`;
    },
  },
];

/** Input from other servers or from disk. */
const listTargets: readonly DecoderTarget[] = [
  { name: "VPN list", seeds: corpus.lists, decode: ({ bytes }) => kindOf(parseList("a", bytes)) },
  { name: "MaxMind", seeds: corpus.mmdbs, decode: ({ bytes }) => kindOf(readMmdb("a", bytes)) },
  { name: "archive", seeds: corpus.archives, decode: decodeArchive },
];

export const decoderTargets: readonly DecoderTarget[] = [
  ...packetTargets,
  ...listTargets,
  ...bedrockTargets,
];

function kindOf({ image, problem }: SourceRead): string {
  holds(image !== undefined || problem !== undefined, "what is no list has a problem");
  return image === undefined
    ? "problem"
    : `${image.kind}${problem === undefined ? "" : ", broken"}`;
}

function decodeArchive({ bytes, random }: Decoding): string {
  // Changed below the gzip, since its checksum would end most of it; nothing is compressed.
  const file = unpacked(random.once(8) ? bytes : gzipSync(bytes, { level: 0 }));
  if (file === undefined) return "damaged";
  holds(file.length <= unpackedMax, "an archive gives no more than allowed");
  return "unpacked";
}

/** Undefined if it says, by throwing, that it is damaged. */
function unpacked(bytes: Buffer): Buffer | undefined {
  try {
    return unpack(bytes, unpackedMax);
  } catch {
    return undefined;
  }
}

/** One input to one decoder. @returns what it was taken for */
export function decodeOnce({ name, seeds, decode }: DecoderTarget, random: Random): string {
  const seed = random.pick(seeds);
  const bytes = random.once(8) ? seed : mutate(seed, random.pick(seeds), random);
  const isWindow = random.once(4);
  const start = isWindow ? random.below(bytes.length + 1) : 0;
  const end = isWindow ? start + random.below(bytes.length - start + 1) : bytes.length;
  const protocol = random.pick(protocols);
  try {
    return decode({ bytes, start, end, protocol, random });
  } catch (error) {
    const input = `${bytes.toString("hex")} from ${start} to ${end}, protocol ${protocol}`;
    throw new Error(`${name} of ${input}: ${String(error)}`, { cause: error });
  }
}

/** Told of a whole packet only when all of it is there, and of nothing else before. */
function decodeFrame({ bytes, start, random }: Decoding): string {
  const max = random.pick([9, 64, 4_096, 2_097_151]);
  const frame = readFrame(bytes, start, max);
  if (frame.kind !== "packet") return frame.kind;
  holds(frame.bodyStart <= frame.bodyEnd && frame.bodyEnd <= bytes.length, "a packet is all there");
  holds(frame.bodyEnd - start <= max + 3, "a packet is no longer than allowed");
  const cut = start + random.below(frame.bodyEnd - start);
  const before = readFrame(bytes.subarray(0, cut), start, max);
  holds(before.kind === "need-more", "of a whole packet every part needs more");
  return frame.kind;
}

function decodeLegacy({ bytes }: Decoding): string {
  if (bytes.length === 0) return "nothing";
  const { kind } = detectLegacy(bytes);
  if (kind !== "login" && kind !== "ping-1.6") return kind;
  return `${kind}, ${readLegacyHello(bytes, kind).kind}`;
}

function decodeStatus({ bytes }: Decoding): string {
  const result = readStatusResponse(bytes);
  if (result.kind !== "status") return result.kind;
  const status: unknown = JSON.parse(result.json);
  const lines = textFromComponent(status, limits);
  holds(lines.length >= 1 && lines.length <= 2, "a text has one line or two");
  holds(
    lines.every(({ length }) => length <= 200),
    "lines are short",
  );
  return result.kind;
}

/** A whole packet, or none. */
function packetOf({ bytes, start, random }: Decoding) {
  const frame = readFrame(bytes, start, 8_192);
  if (frame.kind !== "packet") return undefined;
  return random.once(8) ? { ...frame, id: random.below(40) - 1 } : frame;
}

function decodeClientPacket(input: Decoding): string {
  const frame = packetOf(input);
  if (frame === undefined) return "no packet";
  const { bytes, protocol } = input;
  const decode = protocol >= 764 ? decodeConfigurationPacket : decodePlayPacket;
  const packet = decode(protocol, frame.id, bytes, frame.bodyStart, frame.bodyEnd);
  if (packet.kind === "brand") isSaneBrand(packet.brand);
  if (packet.kind === "client-information") isSaneInformation(packet.information);
  return packet.kind;
}

function decodeFalls(input: Decoding): string {
  const frame = packetOf(input);
  if (frame === undefined) return "no packet";
  const { bytes, protocol } = input;
  const packet = decodeLimboPacket(protocol, frame.id, bytes, frame.bodyStart, frame.bodyEnd);
  if (packet.kind !== "moved" && packet.kind !== "stood") return packet.kind;
  return `${packet.kind}, ${new Fall(arrival, platform).accept(packet)}`;
}
