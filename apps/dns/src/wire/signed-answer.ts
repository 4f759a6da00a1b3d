import { readName } from "#src/wire/name.ts";

const headerBytes = 12;
const questionTailBytes = 4;
/** Type, class, TTL and length of the data. */
const recordTailBytes = 10;
const typeTsig = 250;
const classAny = 255;

export interface TsigRecord {
  /** Offset of the record in the message. */
  readonly start: number;
  readonly keyName: Buffer;
  readonly algorithm: Buffer;
  readonly timeSeconds: number;
  readonly fudgeSeconds: number;
  readonly mac: Buffer;
  readonly originalId: number;
  readonly error: number;
  readonly other: Buffer;
}

export interface SignedAnswer {
  readonly message: Buffer;
  readonly id: number;
  readonly isResponse: boolean;
  readonly opcode: number;
  readonly rcode: number;
  /** Null when it is not signed. */
  readonly tsig: TsigRecord | null;
}

/**
 * Reads header and signature of an answer to an update (RFC 2136 section 3.8) of untrusted origin and
 * skips its other records. Null when it is malformed. Never throws, and never reads beyond the
 * message, whatever its header claims.
 */
export function readSignedAnswer(message: Buffer): SignedAnswer | null {
  if (message.length < headerBytes) return null;
  const flags = message.readUInt16BE(2);
  const counts = [4, 6, 8, 10].map((at) => message.readUInt16BE(at));
  const [zones = 0, prerequisites = 0, updates = 0, additionals = 0] = counts;
  let at = headerBytes;
  for (let n = 0; n < zones; n += 1) {
    const name = readName(message, at);
    if (name === null || name.end + questionTailBytes > message.length) return null;
    at = name.end + questionTailBytes;
  }
  let tsig: TsigRecord | null = null;
  const records = prerequisites + updates + additionals;
  for (let n = 0; n < records; n += 1) {
    const name = readName(message, at);
    if (name === null || name.end + recordTailBytes > message.length) return null;
    const dataAt = name.end + recordTailBytes;
    const end = dataAt + message.readUInt16BE(name.end + 8);
    if (end > message.length) return null;
    if (message.readUInt16BE(name.end) === typeTsig) {
      // RFC 8945 section 5.2: once, and last of the additional section.
      if (n !== records - 1 || additionals === 0) return null;
      if (message.readUInt16BE(name.end + 2) !== classAny) return null;
      tsig = readTsig(message, at, name.wire, dataAt, end);
      if (tsig === null) return null;
    }
    at = end;
  }
  if (at !== message.length) return null;
  return {
    message,
    id: message.readUInt16BE(0),
    isResponse: (flags & 0x8000) !== 0,
    opcode: (flags >> 11) & 0xf,
    rcode: flags & 0xf,
    tsig,
  };
}

/** RFC 8945 section 4.2. */
function readTsig(
  message: Buffer,
  start: number,
  keyName: Buffer,
  dataAt: number,
  end: number,
): TsigRecord | null {
  const algorithm = readName(message, dataAt);
  if (algorithm === null || algorithm.end + 10 > end) return null;
  const macAt = algorithm.end + 10;
  const macEnd = macAt + message.readUInt16BE(algorithm.end + 8);
  if (macEnd + 6 > end) return null;
  if (macEnd + 6 + message.readUInt16BE(macEnd + 4) !== end) return null;
  return {
    start,
    keyName,
    algorithm: algorithm.wire,
    timeSeconds: message.readUIntBE(algorithm.end, 6),
    fudgeSeconds: message.readUInt16BE(algorithm.end + 6),
    mac: message.subarray(macAt, macEnd),
    originalId: message.readUInt16BE(macEnd),
    error: message.readUInt16BE(macEnd + 2),
    other: message.subarray(macEnd + 6, end),
  };
}
