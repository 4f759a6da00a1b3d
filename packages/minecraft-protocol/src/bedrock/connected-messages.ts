import type { Endpoint } from "../proxy/proxy-v2.ts";
import {
  ipv4AddressBytes,
  rakNetAddressBytes,
  readRakNetAddress,
  writeRakNetAddress,
} from "./raknet-address.ts";

/**
 * RakNet's own messages within a connection, each the body of a frame. Times are the sender's clock in
 * milliseconds. Source: minecraft.wiki, "RakNet", section Packets.
 */
export const connectedIds = {
  ping: 0x00,
  pong: 0x03,
  connectionRequest: 0x09,
  connectionAccepted: 0x10,
  newIncomingConnection: 0x13,
  disconnect: 0x15,
} as const;

/** Addresses of a peer's network cards that the game's RakNet has room for. */
const internalAddressCount = 20;
const noAddress: Endpoint = { ip: new Uint8Array(4), port: 0 };

export interface ConnectionRequest {
  readonly guid: bigint;
  readonly time: bigint;
}

/** @returns undefined where the message is no connection request, or has RakNet's own password or encryption */
export function readConnectionRequest(body: Buffer): ConnectionRequest | undefined {
  if (body[0] !== connectedIds.connectionRequest || body.length !== 18) return undefined;
  if (body[17] !== 0) return undefined;
  return { guid: body.readBigUInt64BE(1), time: body.readBigUInt64BE(9) };
}

export function encodeConnectionRequest({ guid, time }: ConnectionRequest): Buffer {
  const body = Buffer.alloc(18);
  body[0] = connectedIds.connectionRequest;
  body.writeBigUInt64BE(guid, 1);
  body.writeBigUInt64BE(time, 9);
  return body;
}

export interface ConnectionAccepted {
  /** The client's address as the server sees it. */
  readonly client: Endpoint;
  /** Time of the request. */
  readonly requestTime: bigint;
  readonly time: bigint;
}

/** @returns undefined where the message does not accept a connection */
export function readConnectionAccepted(body: Buffer): ConnectionAccepted | undefined {
  if (body[0] !== connectedIds.connectionAccepted) return undefined;
  const client = readRakNetAddress(body, 1);
  if (client === undefined) return undefined;
  const start = skipInternalAddresses(body, 1 + rakNetAddressBytes(client) + 2);
  if (start === undefined) return undefined;
  return {
    client,
    requestTime: body.readBigUInt64BE(start),
    time: body.readBigUInt64BE(start + 8),
  };
}

export function encodeConnectionAccepted(accepted: ConnectionAccepted): Buffer {
  const { client, requestTime, time } = accepted;
  // Two bytes behind the address number the client; all programs write 0.
  const start = 1 + rakNetAddressBytes(client) + 2;
  const body = Buffer.alloc(start + internalAddressCount * ipv4AddressBytes + 16);
  body[0] = connectedIds.connectionAccepted;
  writeRakNetAddress(body, 1, client);
  writeTimes(body, writeInternalAddresses(body, start), requestTime, time);
  return body;
}

export interface NewIncomingConnection {
  /** The server's address as the client sees it. */
  readonly server: Endpoint;
  /** The server's time in its acceptance. */
  readonly acceptedTime: bigint;
  readonly time: bigint;
}

/** @returns undefined where the message is not the client's last one of the handshake */
export function readNewIncomingConnection(body: Buffer): NewIncomingConnection | undefined {
  if (body[0] !== connectedIds.newIncomingConnection) return undefined;
  const server = readRakNetAddress(body, 1);
  if (server === undefined) return undefined;
  const start = skipInternalAddresses(body, 1 + rakNetAddressBytes(server));
  if (start === undefined) return undefined;
  return {
    server,
    acceptedTime: body.readBigUInt64BE(start),
    time: body.readBigUInt64BE(start + 8),
  };
}

export function encodeNewIncomingConnection(message: NewIncomingConnection): Buffer {
  const { server, acceptedTime, time } = message;
  const start = 1 + rakNetAddressBytes(server);
  const body = Buffer.alloc(start + internalAddressCount * ipv4AddressBytes + 16);
  body[0] = connectedIds.newIncomingConnection;
  writeRakNetAddress(body, 1, server);
  writeTimes(body, writeInternalAddresses(body, start), acceptedTime, time);
  return body;
}

/**
 * Programs write 10 or 20 addresses, so the two times at the end say where the addresses stop.
 *
 * @returns the offset of the times, which are the last 16 bytes
 */
function skipInternalAddresses(body: Buffer, start: number): number | undefined {
  let at = start;
  for (let count = 0; body.length - at > 16 && count < internalAddressCount; count += 1) {
    const address = readRakNetAddress(body, at);
    if (address === undefined) return undefined;
    at += rakNetAddressBytes(address);
  }
  return body.length - at === 16 ? at : undefined;
}

function writeInternalAddresses(body: Buffer, start: number): number {
  let at = start;
  for (let count = 0; count < internalAddressCount; count += 1) {
    at = writeRakNetAddress(body, at, noAddress);
  }
  return at;
}

function writeTimes(body: Buffer, at: number, first: bigint, second: bigint): void {
  body.writeBigUInt64BE(first, at);
  body.writeBigUInt64BE(second, at + 8);
}

/** @returns the client's time, or undefined where the message is no ping */
export function readConnectedPing(body: Buffer): bigint | undefined {
  if (body[0] !== connectedIds.ping || body.length !== 9) return undefined;
  return body.readBigUInt64BE(1);
}

export function encodeConnectedPing(time: bigint): Buffer {
  const body = Buffer.alloc(9);
  body[0] = connectedIds.ping;
  body.writeBigUInt64BE(time, 1);
  return body;
}

export interface ConnectedPong {
  /** Time of the ping, which the pong repeats. */
  readonly pingTime: bigint;
  readonly time: bigint;
}

/** @returns undefined where the message is no pong */
export function readConnectedPong(body: Buffer): ConnectedPong | undefined {
  if (body[0] !== connectedIds.pong || body.length !== 17) return undefined;
  return { pingTime: body.readBigUInt64BE(1), time: body.readBigUInt64BE(9) };
}

export function encodeConnectedPong({ pingTime, time }: ConnectedPong): Buffer {
  const body = Buffer.alloc(17);
  body[0] = connectedIds.pong;
  writeTimes(body, 1, pingTime, time);
  return body;
}

/** Whether the message ends the connection. */
export function isDisconnect(body: Buffer): boolean {
  return body[0] === connectedIds.disconnect;
}

export function encodeDisconnect(): Buffer {
  return Buffer.of(connectedIds.disconnect);
}
