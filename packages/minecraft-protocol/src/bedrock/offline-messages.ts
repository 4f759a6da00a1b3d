import type { Endpoint } from "../proxy/proxy-v2.ts";
import { rakNetAddressBytes, readRakNetAddress, writeRakNetAddress } from "./raknet-address.ts";

/**
 * RakNet's messages outside of a connection: pings, and the handshake that opens one. Numbers are in
 * network byte order. Source: minecraft.wiki, "RakNet", section Packets.
 */

export const offlineIds = {
  ping: 0x01,
  /** Answered only by a server that has a free connection. */
  pingOpen: 0x02,
  openRequest1: 0x05,
  openReply1: 0x06,
  openRequest2: 0x07,
  openReply2: 0x08,
  alreadyConnected: 0x12,
  noFreeConnections: 0x14,
  banned: 0x17,
  incompatibleProtocol: 0x19,
  pong: 0x1c,
} as const;

const magic = Buffer.from("00ffff00fefefefefdfdfdfd12345678", "hex");
const guidBytes = 8;
export const pingBytes = 1 + 8 + magic.length + guidBytes;
/** Bytes of a pong before its advertisement. */
export const pongHeadBytes = 1 + 8 + guidBytes + magic.length + 2;
const request1HeadBytes = 1 + magic.length + 1;
/** An advertisement that a client still shows; longer ones are cut. */
export const advertisementBytesMax = 338;

/** Bytes that IP and UDP put before a datagram, which count for RakNet's MTU. */
export const headerBytes = { ipv4: 28, ipv6: 48 } as const;

/** Says in a datagram outside of a connection what it is, without reading more. */
function hasMagic(bytes: Buffer, at: number): boolean {
  // Four times as fast as Buffer's `compare`, for so few bytes.
  for (let index = 0; index < magic.length; index += 1) {
    if (bytes[at + index] !== magic[index]) return false;
  }
  return true;
}

export interface OfflinePing {
  /** The client's clock, which the pong repeats. */
  readonly time: bigint;
  readonly guid: bigint;
  /** Length of the datagram. */
  readonly bytes: number;
  /** The client wants no answer from a server that is full. */
  readonly isOpenOnly: boolean;
}

/** @returns undefined where the datagram is no ping */
export function readPing(bytes: Buffer): OfflinePing | undefined {
  const [id] = bytes;
  if (id !== offlineIds.ping && id !== offlineIds.pingOpen) return undefined;
  // Old clients leave their id out.
  if (bytes.length < pingBytes - guidBytes || bytes.length > pingBytes || !hasMagic(bytes, 9)) {
    return undefined;
  }
  return {
    time: bytes.readBigUInt64BE(1),
    guid: bytes.length === pingBytes ? bytes.readBigUInt64BE(pingBytes - guidBytes) : 0n,
    bytes: bytes.length,
    isOpenOnly: id === offlineIds.pingOpen,
  };
}

export function encodePing(time: bigint, guid: bigint): Buffer {
  const bytes = Buffer.alloc(pingBytes);
  bytes[0] = offlineIds.ping;
  bytes.writeBigUInt64BE(time, 1);
  bytes.set(magic, 9);
  bytes.writeBigUInt64BE(guid, 9 + magic.length);
  return bytes;
}

export interface OfflinePong {
  readonly time: bigint;
  readonly guid: bigint;
  /** Text as the server sent it; empty where it sent none. */
  readonly advertisement: string;
}

/** @returns undefined where the datagram is no pong; an advertisement that is too long is cut */
export function readPong(bytes: Buffer): OfflinePong | undefined {
  const head = 1 + 8 + guidBytes + magic.length;
  if (bytes[0] !== offlineIds.pong || bytes.length < head || !hasMagic(bytes, 17)) return undefined;
  const pong = { time: bytes.readBigUInt64BE(1), guid: bytes.readBigUInt64BE(9) };
  if (bytes.length < head + 2) return { ...pong, advertisement: "" };
  const length = bytes.readUInt16BE(head);
  if (bytes.length < head + 2 + length) return undefined;
  return { ...pong, advertisement: bytes.toString("utf8", head + 2, head + 2 + length) };
}

/** @param advertisement at most `advertisementBytesMax` bytes */
export function encodePong(time: bigint, guid: bigint, advertisement: Uint8Array): Buffer {
  const head = 1 + 8 + guidBytes + magic.length;
  const bytes = Buffer.allocUnsafe(head + 2 + advertisement.length);
  bytes[0] = offlineIds.pong;
  bytes.writeBigUInt64BE(time, 1);
  bytes.writeBigUInt64BE(guid, 9);
  bytes.set(magic, 17);
  bytes.writeUInt16BE(advertisement.length, head);
  bytes.set(advertisement, head + 2);
  return bytes;
}

export interface OpenRequest1 {
  /** RakNet's version; Minecraft has had 11 since 1.16. */
  readonly protocol: number;
}

/** @returns undefined where the datagram is no first request; its length is what it tries as MTU */
export function readOpenRequest1(bytes: Buffer): OpenRequest1 | undefined {
  if (bytes[0] !== offlineIds.openRequest1 || bytes.length < request1HeadBytes) return undefined;
  return hasMagic(bytes, 1) ? { protocol: bytes[request1HeadBytes - 1] ?? 0 } : undefined;
}

/** @param length of the datagram, padded with zeros; at least 18 */
export function encodeOpenRequest1(protocol: number, length: number): Buffer {
  const bytes = Buffer.alloc(Math.max(length, request1HeadBytes));
  bytes[0] = offlineIds.openRequest1;
  bytes.set(magic, 1);
  bytes[request1HeadBytes - 1] = protocol;
  return bytes;
}

export interface OpenReply1 {
  readonly guid: bigint;
  /** The client repeats it in its second request; undefined: the server wants none. */
  readonly cookie: number | undefined;
  readonly mtu: number;
}

/** @returns undefined where the datagram is no reply to a first request */
export function readOpenReply1(bytes: Buffer): OpenReply1 | undefined {
  const head = 1 + magic.length + guidBytes + 1;
  if (bytes[0] !== offlineIds.openReply1 || bytes.length < head + 2 || !hasMagic(bytes, 1)) {
    return undefined;
  }
  const hasCookie = bytes[head - 1] !== 0;
  if (hasCookie && bytes.length < head + 6) return undefined;
  return {
    guid: bytes.readBigUInt64BE(1 + magic.length),
    cookie: hasCookie ? bytes.readUInt32BE(head) : undefined,
    mtu: bytes.readUInt16BE(hasCookie ? head + 4 : head),
  };
}

/** Bytes of a first reply with a cookie. */
export const openReply1Bytes = 1 + magic.length + guidBytes + 1 + 4 + 2;

export function encodeOpenReply1({ guid, cookie, mtu }: OpenReply1): Buffer {
  const head = 1 + magic.length + guidBytes + 1;
  const bytes = Buffer.allocUnsafe(head + (cookie === undefined ? 0 : 4) + 2);
  bytes[0] = offlineIds.openReply1;
  bytes.set(magic, 1);
  bytes.writeBigUInt64BE(guid, 1 + magic.length);
  bytes[head - 1] = cookie === undefined ? 0 : 1;
  if (cookie !== undefined) bytes.writeUInt32BE(cookie, head);
  bytes.writeUInt16BE(mtu, bytes.length - 2);
  return bytes;
}

export interface OpenRequest2 {
  readonly cookie: number | undefined;
  /** The server's address as the client sees it. */
  readonly server: Endpoint;
  readonly mtu: number;
  readonly guid: bigint;
}

/**
 * @param hasCookie whether the reply to the first request had one
 * @returns undefined where the datagram is no second request of that kind
 */
export function readOpenRequest2(bytes: Buffer, hasCookie: boolean): OpenRequest2 | undefined {
  if (bytes[0] !== offlineIds.openRequest2 || !hasMagic(bytes, 1)) return undefined;
  // Behind the cookie a client says whether it proves a key, which no client does.
  const at = 1 + magic.length + (hasCookie ? 5 : 0);
  const server = readRakNetAddress(bytes, at);
  if (server === undefined) return undefined;
  const end = at + rakNetAddressBytes(server);
  if (bytes.length !== end + 2 + guidBytes) return undefined;
  return {
    cookie: hasCookie ? bytes.readUInt32BE(1 + magic.length) : undefined,
    server,
    mtu: bytes.readUInt16BE(end),
    guid: bytes.readBigUInt64BE(end + 2),
  };
}

export function encodeOpenRequest2({ cookie, server, mtu, guid }: OpenRequest2): Buffer {
  const at = 1 + magic.length + (cookie === undefined ? 0 : 5);
  const bytes = Buffer.alloc(at + rakNetAddressBytes(server) + 2 + guidBytes);
  bytes[0] = offlineIds.openRequest2;
  bytes.set(magic, 1);
  if (cookie !== undefined) bytes.writeUInt32BE(cookie, 1 + magic.length);
  const end = writeRakNetAddress(bytes, at, server);
  bytes.writeUInt16BE(mtu, end);
  bytes.writeBigUInt64BE(guid, end + 2);
  return bytes;
}

export interface OpenReply2 {
  readonly guid: bigint;
  /** The client's address as the server sees it. */
  readonly client: Endpoint;
  readonly mtu: number;
}

/** @returns undefined where the datagram is no reply to a second request, or asks for RakNet's own encryption */
export function readOpenReply2(bytes: Buffer): OpenReply2 | undefined {
  const at = 1 + magic.length + guidBytes;
  if (bytes[0] !== offlineIds.openReply2 || !hasMagic(bytes, 1)) return undefined;
  const client = readRakNetAddress(bytes, at);
  if (client === undefined) return undefined;
  const end = at + rakNetAddressBytes(client);
  if (bytes.length < end + 3 || bytes[end + 2] !== 0) return undefined;
  return {
    guid: bytes.readBigUInt64BE(1 + magic.length),
    client,
    mtu: bytes.readUInt16BE(end),
  };
}

export function encodeOpenReply2({ guid, client, mtu }: OpenReply2): Buffer {
  const at = 1 + magic.length + guidBytes;
  const bytes = Buffer.alloc(at + rakNetAddressBytes(client) + 3);
  bytes[0] = offlineIds.openReply2;
  bytes.set(magic, 1);
  bytes.writeBigUInt64BE(guid, 1 + magic.length);
  const end = writeRakNetAddress(bytes, at, client);
  bytes.writeUInt16BE(mtu, end);
  return bytes;
}

type RefusalId = "alreadyConnected" | "noFreeConnections" | "banned";

/** The answer to a request that ends it; the game shows a text of its own. */
export function encodeRefusal(kind: RefusalId, guid: bigint): Buffer {
  const bytes = Buffer.alloc(1 + magic.length + guidBytes);
  bytes[0] = offlineIds[kind];
  bytes.set(magic, 1);
  bytes.writeBigUInt64BE(guid, 1 + magic.length);
  return bytes;
}

/** @param protocol the RakNet version that the server has */
export function encodeIncompatibleProtocol(protocol: number, guid: bigint): Buffer {
  const bytes = Buffer.alloc(2 + magic.length + guidBytes);
  bytes[0] = offlineIds.incompatibleProtocol;
  bytes[1] = protocol;
  bytes.set(magic, 2);
  bytes.writeBigUInt64BE(guid, 2 + magic.length);
  return bytes;
}
