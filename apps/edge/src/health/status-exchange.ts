import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import {
  readStatusResponse,
  statusRequest,
  statusResponseBytesMax,
} from "@palisade/minecraft-protocol/java/status";
import { readVarInt } from "@palisade/minecraft-protocol/java/varint";
import type { Connection } from "@palisade/sockets/tcp-connection";
import { ownHeader } from "#src/dialling/dialler.ts";
import type { OwnHeader } from "#src/shields/backend-groups.ts";

export interface StatusExchange {
  readonly protocol: number;
  /** Host named in the handshake. */
  readonly hostname: string;
  readonly port: number;
  /** The PROXY header that goes first; undefined for none. */
  readonly header: OwnHeader | undefined;
}

export type ExchangeResult =
  | { readonly kind: "json"; readonly json: string }
  /** The backend answered or hung up without a status. */
  | { readonly kind: "not_minecraft" }
  /** No byte came. */
  | { readonly kind: "timeout" };

/** Asks for the status over a fresh connection, which is used up by it. Never rejects. */
export async function exchangeStatus(
  socket: Connection,
  question: StatusExchange,
  signal: AbortSignal,
): Promise<ExchangeResult> {
  const { promise, resolve } = Promise.withResolvers<ExchangeResult>();
  const answer = new GatheredAnswer();
  const tooLate = (): void => resolve({ kind: answer.isEmpty ? "timeout" : "not_minecraft" });
  signal.addEventListener("abort", tooLate, { once: true });
  if (signal.aborted) tooLate();
  const tooShort = (): void => resolve({ kind: "not_minecraft" });
  socket.listen({
    received(chunk) {
      const result = answer.add(chunk);
      if (result === "need-more") return;
      socket.pause();
      resolve(result);
    },
    ended: tooShort,
    closed: tooShort,
  });
  const { protocol, hostname, port } = question;
  const handshake = encodeHandshake({ protocol, host: hostname, port, intent: "status" });
  const header =
    question.header === undefined ? Buffer.alloc(0) : ownHeader(question.header, socket);
  socket.write(Buffer.concat([header, handshake, statusRequest]));
  socket.resume();
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", tooLate);
    socket.destroy();
  }
}

/** A greeting in place of an answer: the rest of it is not worth waiting for. */
function isOtherPacket(bytes: Buffer): boolean {
  const frame = readFrame(bytes, 0, statusResponseBytesMax);
  return frame.kind === "need-more" && frame.id !== undefined && frame.id !== 0;
}

/** Joins chunks only when a whole frame can be there: many small ones cost nothing extra. */
class GatheredAnswer {
  #chunks: Buffer[] = [];
  #length = 0;
  #needed = 1;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(chunk: Buffer): ExchangeResult | "need-more" {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length < this.#needed) return "need-more";
    const bytes = Buffer.concat(this.#chunks);
    const result = readStatusResponse(bytes);
    if (result.kind === "status") return { kind: "json", json: result.json };
    if (result.kind === "malformed" || isOtherPacket(bytes)) return { kind: "not_minecraft" };
    this.#chunks = [bytes];
    const length = readVarInt(bytes, 0, bytes.length);
    this.#needed = length.kind === "value" ? length.next + length.value : bytes.length + 1;
    return "need-more";
  }
}
