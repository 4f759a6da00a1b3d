import {
  AUTHORITATIVE_ANSWER,
  encode,
  RECURSION_DESIRED,
  TRUNCATED_RESPONSE,
  type Answer,
} from "dns-packet";
import type { Query } from "#src/wire/query.ts";

/** Datagram limit of a sender without EDNS (RFC 1035), and our own limit, which avoids fragments. */
const plainBytesMax = 512;
const ednsBytesMax = 1232;
const messageBytesMax = 65_535;

/** The content of an answer. */
export interface Resolution {
  readonly rcode: number;
  readonly authoritative: boolean;
  readonly answers: Answer[];
  readonly authorities: Answer[];
}

export type Transport = "udp" | "tcp";

/** Encodes the answer within the limits of the transport and the sender. */
export function encodeReply(query: Query, resolution: Resolution, transport: Transport): Buffer {
  const whole = encodeWith(query, resolution, 0);
  if (whole.length <= bytesMax(query, transport)) return whole;
  return encodeTruncated(query, resolution);
}

/** An answer that only says 'ask again over TCP'. */
export function encodeTruncated(query: Query, resolution: Resolution): Buffer {
  const empty = { ...resolution, answers: [], authorities: [] };
  return encodeWith(query, empty, TRUNCATED_RESPONSE);
}

/** An answer to a message without a readable question. */
export function encodeError(id: number, code: number): Buffer {
  return encode({ type: "response", id, flags: code & 0xf, questions: [] });
}

function bytesMax(query: Query, transport: Transport): number {
  if (transport === "tcp") return messageBytesMax;
  if (query.edns === null) return plainBytesMax;
  return Math.min(Math.max(query.edns.payloadBytes, plainBytesMax), ednsBytesMax);
}

function encodeWith(query: Query, resolution: Resolution, extraFlags: number): Buffer {
  return encode({
    type: "response",
    id: query.id,
    flags:
      (resolution.rcode & 0xf) |
      (resolution.authoritative ? AUTHORITATIVE_ANSWER : 0) |
      (query.recursionDesired ? RECURSION_DESIRED : 0) |
      extraFlags,
    questions: [query.question],
    answers: resolution.answers,
    authorities: resolution.authorities,
    additionals: query.edns === null ? [] : [option(resolution.rcode)],
  });
}

function option(code: number): Answer {
  return {
    type: "OPT",
    name: ".",
    udpPayloadSize: ednsBytesMax,
    extendedRcode: code >> 4,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  };
}
