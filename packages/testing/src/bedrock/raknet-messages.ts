import type { Endpoint } from "@palisade/minecraft-protocol/proxy/proxy-v2";
import {
  ipv4AddressBytes,
  rakNetAddressBytes,
  writeRakNetAddress,
} from "@palisade/minecraft-protocol/bedrock/raknet-address";

/**
 * RakNet's own messages inside of a connection. Source: minecraft.wiki, "RakNet", section Packets.
 */

export const connectedIds = {
  ping: 0x00,
  pong: 0x03,
  connectionRequest: 0x09,
  connectionAccepted: 0x10,
  newConnection: 0x13,
  disconnect: 0x15,
} as const;

/** Minecraft's RakNet names 20 addresses of the sender's own, most of them empty. */
const ownAddresses = 20;
const nowhere: Endpoint = { ip: new Uint8Array(4), port: 0 };

export function encodeConnectionRequest(guid: bigint, time: bigint): Buffer {
  const bytes = Buffer.alloc(18);
  bytes.writeUInt8(connectedIds.connectionRequest, 0);
  bytes.writeBigUInt64BE(guid, 1);
  bytes.writeBigUInt64BE(time, 9);
  return bytes;
}

export interface ConnectionTimes {
  readonly request: bigint;
  readonly answer: bigint;
}

/** @param client its address as the server sees it */
export function encodeConnectionAccepted(client: Endpoint, times: ConnectionTimes): Buffer {
  const size = 1 + rakNetAddressBytes(client) + 2 + ownAddresses * ipv4AddressBytes + 16;
  const bytes = Buffer.alloc(size);
  bytes.writeUInt8(connectedIds.connectionAccepted, 0);
  // The connection's number on the server, which no client reads.
  const at = bytes.writeUInt16BE(0, writeRakNetAddress(bytes, 1, client));
  writeTimes(bytes, writeOwnAddresses(bytes, at), times);
  return bytes;
}

/** @param server its address as the client sees it */
export function encodeNewConnection(server: Endpoint, times: ConnectionTimes): Buffer {
  const size = 1 + rakNetAddressBytes(server) + ownAddresses * ipv4AddressBytes + 16;
  const bytes = Buffer.alloc(size);
  bytes.writeUInt8(connectedIds.newConnection, 0);
  const at = writeRakNetAddress(bytes, 1, server);
  writeTimes(bytes, writeOwnAddresses(bytes, at), times);
  return bytes;
}

function writeOwnAddresses(bytes: Buffer, start: number): number {
  let at = start;
  for (let left = ownAddresses; left > 0; left -= 1) at = writeRakNetAddress(bytes, at, nowhere);
  return at;
}

function writeTimes(bytes: Buffer, at: number, { request, answer }: ConnectionTimes): void {
  bytes.writeBigUInt64BE(request, at);
  bytes.writeBigUInt64BE(answer, at + 8);
}

/** Both messages end with two times, whatever addresses are before them. */
export function readTimes(bytes: Buffer): ConnectionTimes {
  const least = 1 + ipv4AddressBytes + 16;
  if (bytes.length < least) throw new Error("a message of the handshake is too short");
  return {
    request: bytes.readBigUInt64BE(bytes.length - 16),
    answer: bytes.readBigUInt64BE(bytes.length - 8),
  };
}

export function encodeConnectedPing(time: bigint): Buffer {
  const bytes = Buffer.alloc(9);
  bytes.writeUInt8(connectedIds.ping, 0);
  bytes.writeBigUInt64BE(time, 1);
  return bytes;
}

/** @param ping the message that it answers */
export function encodeConnectedPong(ping: Buffer, time: bigint): Buffer {
  const bytes = Buffer.alloc(17);
  bytes.writeUInt8(connectedIds.pong, 0);
  ping.copy(bytes, 1, 1, 9);
  bytes.writeBigUInt64BE(time, 9);
  return bytes;
}

/**
 * Keeps messages of a test from being taken for RakNet's own.
 *
 * @throws Error where the first byte is below 0x80
 */
export function ofTheGame(body: Buffer): Buffer {
  if (body.readUInt8(0) >= 0x80) return body;
  throw new Error("the first byte of a message must be 0x80 or more");
}

/** RakNet's clock: milliseconds, of which only differences have a meaning. */
export function rakNetTime(): bigint {
  return BigInt(Math.floor(performance.now()));
}
