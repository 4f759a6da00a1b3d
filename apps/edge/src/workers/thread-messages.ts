import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import type { BackendError, BedrockHealth } from "@palisade/contract/edge/telemetry";
import type { Logger } from "#src/ports.ts";
import type { SessionCopyMessage } from "#src/bedrock/session-copies.ts";
import type { HeldSession } from "#src/bedrock/session-record.ts";
import type { WatchedSocket } from "#src/admission/watched-socket.ts";
import type { PlaceTable, VpnTable } from "#src/rules/address-lookups.ts";
import type { HealthStatus } from "#src/routing/backends.ts";
import type { WorkerCounts } from "#src/telemetry/worker-counts.ts";
import type { RelayCounts } from "#src/relay/relay-host.ts";
import type { PipelineOptions } from "./connection-pipeline.ts";
import type { SharedStateBuffers } from "./shared-state.ts";
import type { WorkerContextOptions } from "./worker-context.ts";

/** Messages between the main thread and the workers. All of them can be cloned. */

export type WorkerOptions = Omit<
  WorkerContextOptions & PipelineOptions,
  "log" | "nowMs" | "monotonicMs"
>;

/**
 * Raised with every change of these messages and of the memory that threads share: a worker that
 * starts again is of the release whose files are there by then.
 */
export const threadProtocol = 7;

/** The data a worker starts with. */
export interface WorkerStart {
  readonly protocol: number;
  readonly index: number;
  readonly options: WorkerOptions;
  readonly shared: SharedStateBuffers;
  /** Notes its descriptors there; see `noteHeld`. */
  readonly descriptors: SharedArrayBuffer;
}

export type ShieldChange = { readonly apply: ShieldConfig } | { readonly remove: string };

/** The shield, its backend, and what is known of it; the addresses have answered as Minecraft. */
export type BackendHealthUpdate = readonly [
  shieldId: string,
  backendId: string,
  health: HealthStatus,
  answered: readonly string[],
];

export type ToWorker =
  /** `text`: ShieldChange[] as JSON, made once for all workers. */
  | { readonly kind: "changes"; readonly number: number; readonly text: string }
  | { readonly kind: "location"; readonly location: string }
  | { readonly kind: "fleet"; readonly addresses: readonly string[] }
  | { readonly kind: "vpn"; readonly table: VpnTable }
  | { readonly kind: "places"; readonly table: PlaceTable }
  | { readonly kind: "health"; readonly updates: readonly BackendHealthUpdate[] }
  /** A port of the edge's that the worker does not listen on itself. */
  | { readonly kind: "own-port"; readonly port: number }
  /** Accepts on these sockets, which stay the main thread's. */
  | { readonly kind: "listen"; readonly sockets: readonly WatchedSocket[] }
  | { readonly kind: "watch"; readonly socket: WatchedSocket }
  | { readonly kind: "unwatch"; readonly fd: number }
  /** Bedrock players of an earlier edge; the descriptors belong to the worker from now on. */
  | { readonly kind: "sessions"; readonly sessions: readonly HeldSession[] }
  /** Every player ends. */
  | { readonly kind: "stop" }
  /** Players are left to their relay processes. */
  | { readonly kind: "drain"; readonly hasSuccessor: boolean };

export type Ending = Extract<ToWorker, { kind: "stop" | "drain" }>;

export type BackendEvent =
  | readonly [
      shieldId: string,
      backendId: string,
      event: "succeeded" | "hung-up" | "players" | BackendError,
    ]
  | readonly [shieldId: string, backendId: string, event: "proven", proven: ProvenAddress]
  | readonly [shieldId: string, backendId: string, event: "bedrock", health: BedrockHealth];

/** The backend as it was configured when the address answered. */
export interface ProvenAddress {
  readonly host: string;
  readonly port: number;
  readonly address: string;
}

/** A line for the log of the edge. */
export interface WorkerLine {
  readonly level: keyof Logger;
  readonly facts: object;
  readonly text: string;
}

export type FromWorker =
  /** The relay process is there. */
  | { readonly kind: "prepared" }
  | { readonly kind: "listening" }
  | { readonly kind: "refused"; readonly error: Error }
  /** All changes up to this one are in service. */
  | { readonly kind: "applied"; readonly number: number }
  | {
      readonly kind: "counts";
      readonly counts: WorkerCounts;
      readonly relays: RelayCounts;
    }
  | { readonly kind: "backends"; readonly events: readonly BackendEvent[] }
  | { readonly kind: "log"; readonly line: WorkerLine }
  /** The descriptor's number is not used any more. */
  | { readonly kind: "unwatched"; readonly fd: number }
  | { readonly kind: "relays"; readonly pids: readonly number[] }
  /** Bedrock players for the next edge; the descriptors belong to the main thread from now on. */
  | { readonly kind: "sessions"; readonly sessions: readonly HeldSession[] }
  | SessionCopyMessage
  /** Nothing more is coming. */
  | { readonly kind: "stopped" };
