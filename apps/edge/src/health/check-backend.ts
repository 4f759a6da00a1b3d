import type { BackendError } from "@palisade/contract/edge/telemetry";
import { currentProtocol } from "@palisade/minecraft-protocol/java/versions";
import type { Connection } from "@palisade/sockets/tcp-connection";
import {
  type Dialler,
  headerRefused,
  headerTook,
  ownHeader,
  ownHeaderFor,
} from "#src/dialling/dialler.ts";
import { parseStatus } from "./parse-status.ts";
import { exchangeStatus } from "./status-exchange.ts";
import type { Backend, BackendGroup } from "#src/shields/backend-groups.ts";

export interface CheckTarget {
  readonly backend: Backend;
  readonly group: Pick<BackendGroup, "game" | "proxyProtocol">;
  /** Host named in the handshake. */
  readonly host: string;
}

export type CheckResult =
  | {
      readonly kind: "up";
      readonly latencyMs: number;
      /** The icon of its status as a data URI; null without one, undefined where no status was asked for. */
      readonly favicon?: string | null;
      /** The IP address that has given the status; undefined where none was asked for. */
      readonly address?: string;
    }
  | {
      readonly kind: "failed";
      readonly error: BackendError;
      /** It gives a status only to a PROXY header, and its group sends none. */
      readonly expectsProxy: boolean;
    }
  /** The edge had no descriptors left for the check, or gave it up. */
  | { readonly kind: "skipped" }
  /** It must not be connected to now. */
  | { readonly kind: "postponed" };

/** The result of asking for the status alone. */
export type AskResult =
  | Required<Extract<CheckResult, { kind: "up" }>>
  | Exclude<CheckResult, { kind: "up" | "postponed" }>;

/** The outcome of asking for the status. */
type Answer =
  | { readonly kind: "status"; readonly favicon: string | null }
  | { readonly kind: "timeout" | "not_minecraft" };

const skipped = { kind: "skipped" } as const;

export interface CheckDeps {
  readonly dialler: Dialler;
  readonly monotonicMs: () => number;
  /** Whether a backend that has given no status may be connected to once more. */
  readonly mayAskAgain: () => boolean;
}

/** Checks a backend over a connection of its own. Never rejects. */
export async function checkBackend(
  target: CheckTarget,
  { dialler, monotonicMs, mayAskAgain }: CheckDeps,
  signal: AbortSignal,
): Promise<CheckResult> {
  const { backend, group } = target;
  if (group.game === "other") return connectOnly(target, dialler, monotonicMs, signal);
  const result = await askBackend(target, dialler, monotonicMs, signal);
  if (result.kind !== "failed" || result.error !== "not_minecraft" || group.proxyProtocol) {
    return result;
  }
  const expectsProxy = mayAskAgain()
    ? await answersToProxy(target, dialler, signal)
    : backend.health.expectsProxy;
  return { ...result, expectsProxy };
}

/** Asks a backend for its status, as its group says, over one connection. Never rejects. */
export async function askBackend(
  target: CheckTarget,
  dialler: Dialler,
  monotonicMs: () => number,
  signal: AbortSignal,
): Promise<AskResult> {
  if (!dialler.hasRoom) return skipped;
  const dialled = await dialler.dialTelling(target.backend, signal);
  if (dialled.kind === "no_room") return skipped;
  if (dialled.kind !== "connected") return failed(dialled.kind);
  const { socket } = dialled;
  const askedMs = monotonicMs();
  const answer = await ask(target, socket, target.group.proxyProtocol, signal);
  if (answer.kind !== "status") return failed(answer.kind);
  const latencyMs = monotonicMs() - askedMs;
  return { kind: "up", latencyMs, favicon: answer.favicon, address: socket.remote.ip };
}

/** A game that is not parsed is up if it accepts the connection. */
async function connectOnly(
  { backend, group }: CheckTarget,
  dialler: Dialler,
  monotonicMs: () => number,
  signal: AbortSignal,
): Promise<CheckResult> {
  if (!dialler.hasRoom) return skipped;
  const beganMs = monotonicMs();
  const dialled = await dialler.dialTelling(backend, signal);
  if (dialled.kind === "no_room") return skipped;
  if (dialled.kind !== "connected") return failed(dialled.kind);
  const { socket } = dialled;
  // A receiver that insists on a header would otherwise complain about every check.
  if (group.proxyProtocol) socket.write(ownHeader("local", socket));
  socket.closeWhenSent();
  return { kind: "up", latencyMs: monotonicMs() - beganMs };
}

function failed(error: BackendError): Extract<CheckResult, { kind: "failed" }> {
  return { kind: "failed", error, expectsProxy: false };
}

/** Whether a backend that has given no status gives one to a PROXY header. */
async function answersToProxy(
  target: CheckTarget,
  dialler: Dialler,
  signal: AbortSignal,
): Promise<boolean> {
  if (signal.aborted || !dialler.hasRoom) return false;
  const dialled = await dialler.dialTelling(target.backend, signal);
  if (dialled.kind !== "connected") return false;
  return (await ask(target, dialled.socket, true, signal)).kind === "status";
}

async function ask(
  { backend, host }: CheckTarget,
  socket: Connection,
  withHeader: boolean,
  signal: AbortSignal,
): Promise<Answer> {
  const header = withHeader ? ownHeaderFor(backend) : undefined;
  const request = { protocol: currentProtocol, hostname: host, port: backend.port, header };
  const result = await exchangeStatus(socket, request, signal);
  const status = result.kind === "json" ? parseStatus(result.json) : undefined;
  if (header !== undefined) {
    (status === undefined ? headerRefused : headerTook)(backend, header);
  }
  if (status !== undefined) return { kind: "status", favicon: status.favicon };
  return { kind: result.kind === "timeout" ? "timeout" : "not_minecraft" };
}
