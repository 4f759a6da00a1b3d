import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import {
  encodeStatusResponse,
  readStatusResponse,
  statusRequest,
  statusResponseBytesMax,
} from "@palisade/minecraft-protocol/java/status";
import type { Dialler } from "#src/forwarding/dialler.ts";
import {
  headerRefused,
  headerTook,
  ownHeader,
  ownHeaderFor,
} from "#src/forwarding/proxy-header.ts";
import type { TimerWheel } from "#src/session/timer-wheel.ts";
import type { Backend } from "#src/shields/compiled-shield.ts";

export interface StatusQuestion {
  readonly backend: Backend;
  readonly proxyProtocol: boolean;
  readonly protocol: number;
  /** Host named in the handshake. */
  readonly host: string;
}

export type StatusFetchResult =
  /** The answer, ready to be written to a player. */
  | { readonly kind: "answer"; readonly frame: Buffer }
  /** Nobody answers there. */
  | { readonly kind: "unreachable" }
  /** Somebody does, but not with a status. */
  | { readonly kind: "refused" }
  /** Not asked: what descriptors are left are for players. */
  | { readonly kind: "skipped" };

/** From dialling to the last byte. */
export const statusFetchMs = 3_000;

/** Asks a backend for its status as a client of the given protocol would. Never rejects. */
export async function fetchStatus(
  question: StatusQuestion,
  dialler: Dialler,
  wheel: TimerWheel,
): Promise<StatusFetchResult> {
  if (!dialler.hasRoom) return { kind: "skipped" };
  const abort = new AbortController();
  const deadline = { expire: () => abort.abort() };
  wheel.schedule(deadline, statusFetchMs);
  try {
    const socket = await dialler.dial(question.backend, abort.signal);
    if (socket === undefined) return { kind: "unreachable" };
    if (abort.signal.aborted) socket.destroy();
    const { promise, resolve } = Promise.withResolvers<StatusFetchResult>();
    const tooLate = (): void => {
      // A backend that accepts and says nothing is as good as gone, for every protocol.
      resolve({ kind: "unreachable" });
      socket.destroy();
    };
    abort.signal.addEventListener("abort", tooLate, { once: true });
    socket.once("close", () => resolve({ kind: "refused" }));
    socket.once("end", () => socket.destroy());
    let received: Buffer = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const result = readStatusResponse(received);
      if (result.kind === "need-more" && received.length <= statusResponseBytesMax) return;
      if (result.kind === "status") {
        resolve({ kind: "answer", frame: encodeStatusResponse(result.json) });
      }
      socket.destroy();
    });
    const header = question.proxyProtocol ? ownHeaderFor(question.backend) : undefined;
    const opening = header === undefined ? undefined : ownHeader(header, socket);
    socket.write(encodeQuestion(question, opening));
    const result = await promise;
    if (header !== undefined) {
      (result.kind === "answer" ? headerTook : headerRefused)(question.backend, header);
    }
    return result;
  } finally {
    wheel.cancel(deadline);
  }
}

function encodeQuestion(question: StatusQuestion, header: Uint8Array | undefined): Buffer {
  const { protocol, host, backend } = question;
  const handshake = encodeHandshake({ protocol, host, port: backend.port, intent: "status" });
  return Buffer.concat([header ?? Buffer.alloc(0), handshake, statusRequest]);
}
