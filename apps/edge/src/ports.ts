import type { ProbeRequest, ProbeResult } from "@palisade/contract/edge/probe";
import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import type { MinuteCounters } from "@palisade/contract/edge/plain-values";
import type {
  AttackReport,
  BackendFavicon,
  BackendHealth,
  LiveGauge,
  LoginEntry,
} from "@palisade/contract/edge/telemetry";

/**
 * The interfaces between the packet path and the control side of an edge. The packet path offers
 * `ShieldSink` and `CounterSource`; `control/control.ts` exports `createControl(deps: ControlDeps):
 * Control`, which compose.ts starts.
 */

interface WriteLine {
  (facts: object, text: string): void;
  (text: string): void;
}

/** The log of the edge, as its parts see it. */
export interface Logger {
  readonly debug: WriteLine;
  readonly info: WriteLine;
  readonly warn: WriteLine;
  readonly error: WriteLine;
}

export type ApplyResult = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export interface ShieldSink {
  /**
   * Applies a checked configuration at once, for every new connection. If it is refused, the
   * shield's earlier configuration stays (NACK with the reason). An older revision than the running
   * one is accepted as well: a rollback is up to the control plane.
   */
  apply(config: ShieldConfig): ApplyResult;
  /** Forgets a shield. Players who have joined stay connected. Unknown ids are ignored. */
  remove(shieldId: string): void;
}

export interface CounterDrain {
  /** Whole or partial minutes since the last drain; the same minute may come again with the rest of it. */
  readonly minutes: MinuteCounters[];
  readonly live: LiveGauge[];
}

export interface CounterSource {
  /** Takes the counters; the caller reports them or gives them back by `restore`. */
  drain(nowMs: number): CounterDrain;
  /** Adds counters again that were drained and could not be kept. Bounded: the oldest minutes are dropped. */
  restore(minutes: readonly MinuteCounters[]): void;
}

export interface FaviconSource {
  /** Changed icons that have not arrived yet. */
  readonly size: number;
  /** As many of them as fit into a report. */
  reports(): BackendFavicon[];
  /** These have arrived, or will never be taken. */
  markDelivered(reports: readonly BackendFavicon[]): void;
}

export interface HealthSource {
  /** Icons that checks have seen in the backends' status. */
  readonly favicons: FaviconSource;
  /** Backends with something to report; the newest entry of each is enough. */
  drain(): BackendHealth[];
}

export interface AttackSource {
  /** Attacks with something to report. */
  readonly size: number;
  /** Running attacks, and those whose end was not delivered yet: as many as fit into a report. */
  reports(): AttackReport[];
  /** These have arrived, or will never be taken. */
  markDelivered(reports: readonly AttackReport[]): void;
  /** The edge is stopping: its running attacks end. */
  close(): void;
}

export interface LoginSource {
  readonly size: number;
  /** Takes the oldest entries; the caller reports them or they are lost. */
  take(max: number): LoginEntry[];
}

export interface LocationSink {
  /** The location this edge was enrolled in, by which backend groups are chosen. */
  setLocation(location: string): void;
}

export type ProbeReport = (result: ProbeResult) => void;

export interface ProbeSink {
  /** Probes a backend in the background and reports once, within the request's deadline. */
  take(request: ProbeRequest, report: ProbeReport): void;
}

export interface FleetSink {
  /** Sets the addresses of all edges: from now on none of them is dialled for a customer. */
  replace(addresses: readonly string[]): void;
}

export interface ControlDeps {
  readonly home: string;
  readonly apiUrl: string;
  readonly edgeToken: string | undefined;
  readonly addresses: readonly string[];
  readonly failpoints: readonly string[];
  readonly sink: ShieldSink;
  /** Resolves once everything applied so far is in service on every thread, or should have been. */
  readonly served?: () => Promise<void>;
  readonly location: LocationSink;
  readonly counters: CounterSource;
  readonly health: HealthSource;
  readonly attacks: AttackSource;
  readonly logins: LoginSource;
  readonly probes: ProbeSink;
  readonly fleet: FleetSink;
  /** Whether there are databases of countries and of networks. */
  readonly places?: { readonly hasCountries: boolean; readonly hasNetworks: boolean };
  /** Whether a VPN list is in use. */
  readonly hasVpnLists?: () => boolean;
  /** The predecessor of this edge still reports; see `takeOver`. */
  readonly isSuccessor?: boolean;
  readonly log: Logger;
}

export interface Control {
  /** Applies the last good configuration from disk, after the location. Never throws for what it finds there. */
  loadLastGood(): Promise<{ readonly found: boolean; readonly shields: number }>;
  /** Opens the configuration stream and telemetry in the background; failures are retried for ever. */
  start(): void;
  /** The predecessor no longer reports: telemetry begins, with all that was counted. */
  takeOver(): void;
  /** Resolves once a whole snapshot was applied since `start`; rejects where enrolment is refused. */
  readonly firstSnapshot: Promise<void>;
  /** Stops following the control plane, because the successor does so. Telemetry goes on. */
  unfollow(): Promise<void>;
  /** Sends the remaining telemetry within a short deadline, then ends every connection. */
  stop(): Promise<void>;
}
