import type { BackendError } from "@palisade/contract/edge/telemetry";
import { currentProtocol } from "@palisade/minecraft-protocol/java/versions";
import type { Dialler } from "#src/forwarding/dialler.ts";
import {
  headerRefused,
  headerTook,
  ownHeader,
  ownHeaderFor,
} from "#src/forwarding/proxy-header.ts";
import { parseStatus } from "#src/probe/parse-status.ts";
import { exchangeStatus } from "#src/probe/status-exchange.ts";
import type { Backend, BackendGroup } from "#src/shields/compiled-shield.ts";

export interface CheckTarget {
  readonly backend: Backend;
  readonly group: Pick<BackendGroup, "game" | "proxyProtocol">;
  /** Host named in the handshake. */
  readonly host: string;
}

export type CheckResult =
  | { readonly kind: "up"; readonly latencyMs: number }
  | { readonly kind: "failed"; readonly error: BackendError }
  /** The edge had no room for it, or gave it up. */
  | { readonly kind: "skipped" };

/** Asks a backend whether it is there, as a player's connection would begin. Never rejects. */
export async function checkBackend(
  target: CheckTarget,
  dialler: Dialler,
  monotonicMs: () => number,
  signal: AbortSignal,
): Promise<CheckResult> {
  if (!dialler.hasRoom) return { kind: "skipped" };
  const { backend, group } = target;
  const beganMs = monotonicMs();
  const dialled = await dialler.dialTelling(backend, signal);
  if (dialled.kind === "no_room") return { kind: "skipped" };
  if (dialled.kind !== "connected") return { kind: "failed", error: dialled.kind };
  const { socket } = dialled;
  if (group.game === "other") {
    // A receiver that insists on a header would otherwise complain about every check.
    if (group.proxyProtocol) socket.end(ownHeader("local", socket));
    socket.destroySoon();
    return { kind: "up", latencyMs: monotonicMs() - beganMs };
  }
  const askedMs = monotonicMs();
  const header = group.proxyProtocol ? ownHeaderFor(backend) : undefined;
  const question = { protocol: currentProtocol, hostname: target.host, port: backend.port, header };
  const result = await exchangeStatus(socket, question, signal);
  const isStatus = result.kind === "json" && parseStatus(result.json) !== undefined;
  if (header !== undefined) (isStatus ? headerTook : headerRefused)(backend, header);
  if (isStatus) return { kind: "up", latencyMs: monotonicMs() - askedMs };
  return { kind: "failed", error: result.kind === "timeout" ? "timeout" : "not_minecraft" };
}
