import { encodeStatusResponse } from "@palisade/minecraft-protocol/java/status";
import { type Dialler, headerRefused, headerTook, ownHeaderFor } from "#src/dialling/dialler.ts";
import { parseStatus } from "#src/health/parse-status.ts";
import { exchangeStatus } from "#src/health/status-exchange.ts";
import type { TimerWheel } from "@palisade/sockets/timer-wheel";
import type { Backend } from "#src/shields/backend-groups.ts";

export interface StatusRequest {
  readonly backend: Backend;
  readonly proxyProtocol: boolean;
  readonly protocol: number;
  /** Host named in the handshake. */
  readonly host: string;
  /** Number of the owner's purge the answer is kept under; undefined: it is for one ping alone. */
  readonly purge?: number | undefined;
}

export type StatusFetchResult =
  /** The answer, ready to be written to a player. */
  | {
      readonly kind: "answer";
      readonly frame: Buffer;
      /** The IP address that gave it, where it was not known to answer as Minecraft. */
      readonly address?: string;
    }
  /** The backend cannot be reached. */
  | { readonly kind: "unreachable" }
  /** It answers, but not with a status. */
  | { readonly kind: "refused" }
  /** Not asked: what descriptors are left are for players. */
  | { readonly kind: "skipped" };

/**
 * The backend's address within its shield: a backend keeps its id when its owner changes its
 * address, but answers of the old address are not those of the new one.
 */
export function placeOf({
  backend: { id, host, port },
  proxyProtocol,
}: Pick<StatusRequest, "backend" | "proxyProtocol">): string {
  return `${id} ${host} ${port} ${proxyProtocol}`;
}

/** From dialling to the last byte. */
export const statusFetchMs = 3_000;

/** Asks a backend for its status as a client of the given protocol would. Never rejects. */
export async function fetchStatus(
  question: StatusRequest,
  dialler: Dialler,
  wheel: TimerWheel,
): Promise<StatusFetchResult> {
  const { backend, proxyProtocol, protocol, host } = question;
  if (!dialler.hasRoom) return { kind: "skipped" };
  const abort = new AbortController();
  const deadline = { expire: () => abort.abort() };
  wheel.schedule(deadline, statusFetchMs);
  try {
    const socket = await dialler.dial(backend, abort.signal);
    if (socket === undefined) return { kind: "unreachable" };
    const header = proxyProtocol ? ownHeaderFor(backend) : undefined;
    const exchange = { protocol, hostname: host, port: backend.port, header };
    const result = await exchangeStatus(socket, exchange, abort.signal);
    if (header !== undefined) {
      (result.kind === "json" ? headerTook : headerRefused)(backend, header);
    }
    if (result.kind === "json") {
      const { ip: address } = socket.remote;
      const isNews = !backend.proof.answered.includes(address);
      const isProof = isNews && parseStatus(result.json) !== undefined;
      return {
        kind: "answer",
        frame: encodeStatusResponse(result.json),
        ...(isProof && { address }),
      };
    }
    // A backend that accepts and says nothing in time is as good as gone, for every protocol.
    return { kind: abort.signal.aborted ? "unreachable" : "refused" };
  } finally {
    wheel.cancel(deadline);
  }
}
