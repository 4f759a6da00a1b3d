import { decode, encode, type OptAnswer, type Question } from "dns-packet";
import { rcode } from "#src/wire/rcode.ts";

const headerBytes = 12;
const responseBit = 0x8000;
const opcodeMask = 0x7800;
/** OPT, and at most a signature, which is not checked. */
const additionalsMax = 2;

export interface Edns {
  /** Largest datagram that the sender accepts, in bytes. */
  readonly payloadBytes: number;
  readonly version: number;
}

export interface Query {
  readonly id: number;
  readonly recursionDesired: boolean;
  readonly question: Question & { readonly class: string };
  readonly edns: Edns | null;
}

export type ReadQuery =
  | { readonly kind: "query"; readonly query: Query }
  /** Answered with this code and without a question. */
  | { readonly kind: "error"; readonly id: number; readonly rcode: number }
  /** Not answered: it is an answer, or too short for an id. */
  | { readonly kind: "ignore" };

/** Reads a message of untrusted origin. Never throws, and allocates no more than the message. */
export function readQuery(message: Buffer): ReadQuery {
  if (message.length < headerBytes) return { kind: "ignore" };
  const id = message.readUInt16BE(0);
  const flags = message.readUInt16BE(2);
  // Otherwise two servers could answer each other for ever.
  if ((flags & responseBit) !== 0) return { kind: "ignore" };
  if ((flags & opcodeMask) !== 0) return { kind: "error", id, rcode: rcode.notImplemented };
  const counts = [4, 6, 8, 10].map((at) => message.readUInt16BE(at));
  const [questions = 0, answers = 0, authorities = 0, additionals = 0] = counts;
  // Checked before decoding, because the library allocates arrays of the lengths in the header.
  if (questions !== 1 || answers !== 0 || authorities !== 0 || additionals > additionalsMax) {
    return { kind: "error", id, rcode: rcode.formatError };
  }
  try {
    const packet = decode(message);
    const question = packet.questions?.[0];
    if (question === undefined || !isExact(message, question)) {
      return { kind: "error", id, rcode: rcode.formatError };
    }
    const options = (packet.additionals ?? []).filter((record) => record.type === "OPT");
    if (options.length > 1) return { kind: "error", id, rcode: rcode.formatError };
    return {
      kind: "query",
      query: {
        id,
        recursionDesired: packet.flag_rd,
        question: { ...question, class: question.class ?? "IN" },
        edns: ednsOf(options[0]),
      },
    };
  } catch {
    return { kind: "error", id, rcode: rcode.formatError };
  }
}

function ednsOf(option: OptAnswer | undefined): Edns | null {
  if (option === undefined) return null;
  return { payloadBytes: option.udpPayloadSize, version: option.ednsVersion };
}

/**
 * Whether the library encodes the question exactly as it was received, so that the answer repeats it
 * byte for byte (0x20 case included) and is about the name that was asked.
 */
function isExact(message: Buffer, question: Question): boolean {
  const copy = encode({ type: "query", questions: [question] }).subarray(headerBytes);
  return message.subarray(headerBytes, headerBytes + copy.length).equals(copy);
}
