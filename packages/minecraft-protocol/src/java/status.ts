import { encodeFrame, encodeString, FieldReader } from "./fields.ts";
import { readFrame } from "./frame.ts";

/**
 * Status state: request (serverbound 0, no fields), response (clientbound 0,
 * one String of JSON), ping and pong (1, a Long given back as it came).
 * Source: minecraft.wiki, "Java Edition protocol/Packets", Status.
 */

export const statusRequestPacketId = 0;
export const pingPacketId = 1;
export const pingPayloadBytes = 8;

/** A ping's frame: id and payload. */
export const statusFrameBytesMax = 1 + pingPayloadBytes;

/** Characters of the JSON a client takes. */
export const statusCharactersMax = 32_767;

/** A status answer with room for 4 bytes a character and what mods append. */
export const statusResponseBytesMax = 4 * statusCharactersMax + 1024;

/** The request as a client sends it. */
export const statusRequest: Uint8Array = encodeFrame(statusRequestPacketId);

/** @param json at most `statusCharactersMax` characters; the caller sees to that */
export function encodeStatusResponse(json: string): Buffer {
  return encodeFrame(0, encodeString(json));
}

/** @param payload the 8 bytes of the ping */
export function encodePong(payload: Uint8Array): Buffer {
  return encodeFrame(pingPacketId, payload);
}

export type StatusResponseResult =
  | { readonly kind: "status"; readonly json: string }
  | { readonly kind: "need-more" }
  | { readonly kind: "malformed" };

/**
 * Reads a server's answer from what has come in so far. The text is checked to
 * be a JSON object a client takes; bytes that mods append behind it are dropped.
 */
export function readStatusResponse(bytes: Buffer): StatusResponseResult {
  const frame = readFrame(bytes, 0, statusResponseBytesMax);
  if (frame.kind !== "packet") return { kind: frame.kind };
  if (frame.id !== 0) return { kind: "malformed" };
  const fields = new FieldReader(bytes, frame.bodyStart, frame.bodyEnd);
  const json = fields.string(statusResponseBytesMax);
  if (fields.failed || json.length > statusCharactersMax || !isJsonObject(json)) {
    return { kind: "malformed" };
  }
  return { kind: "status", json };
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
