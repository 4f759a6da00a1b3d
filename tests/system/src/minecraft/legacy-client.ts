import { connect } from "node:net";
import type { HostPort } from "../product/palisade.ts";

/**
 * Clients before 1.7, which no program here can run: their bytes, from minecraft.wiki, "Java
 * Edition protocol/Server List Ping", and wiki.vg, "Protocol", of versions 61 and 78.
 */

export interface LegacyOptions {
  readonly edge: HostPort;
  readonly host: string;
  /** 61 for 1.5.2, 78 for 1.6.4. */
  readonly protocol: number;
  readonly from?: string;
}

/** @returns the text of the kick */
export function legacyLogin(target: LegacyOptions, name: string): Promise<string> {
  const hello = [u8(0x02), u8(target.protocol), string(name), string(target.host), port(target)];
  return kickAfter(target, Buffer.concat(hello));
}

/** The ping of 1.6, or that of 1.4 and 1.5, which names no host. @returns the fields of the answer */
export async function legacyPing(target: LegacyOptions): Promise<string[]> {
  const rest = Buffer.concat([u8(target.protocol), string(target.host), port(target)]);
  const host = [u8(0xfa), string("MC|PingHost"), u16(rest.length), rest];
  const isNamed = target.protocol >= 73;
  const hello = Buffer.concat([u8(0xfe), u8(0x01), ...(isNamed ? host : [])]);
  return (await kickAfter(target, hello)).split("\0");
}

function kickAfter({ edge, from }: LegacyOptions, hello: Buffer): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect({
    host: edge.host,
    port: edge.port,
    ...(from === undefined ? {} : { localAddress: from }),
  });
  let bytes = Buffer.alloc(0);
  socket.on("connect", () => socket.write(hello));
  socket.on("data", (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    if (bytes[0] !== 0xff) reject(new Error(`not a kick: ${bytes.toString("hex")}`));
    const end = bytes.length < 3 ? Infinity : 3 + 2 * bytes.readUInt16BE(1);
    if (bytes.length < end) return;
    resolve(Buffer.from(bytes.subarray(3, end)).swap16().toString("utf16le"));
    socket.destroy();
  });
  socket.on("error", reject);
  socket.on("close", () => reject(new Error("closed without an answer")));
  return promise;
}

function u8(value: number): Buffer {
  return Buffer.of(value);
}

function u16(value: number): Buffer {
  return Buffer.of(value >> 8, value & 0xff);
}

function string(text: string): Buffer {
  return Buffer.concat([u16(text.length), Buffer.from(text, "utf16le").swap16()]);
}

function port({ edge }: LegacyOptions): Buffer {
  return Buffer.concat([u16(0), u16(edge.port)]);
}
