import { createBackoff } from "@palisade/control-client/backoff";
import type { Log } from "@palisade/control-client/log";
import { sleep } from "@palisade/control-client/sleep";
import type { ExportTarget } from "#src/config.ts";
import { createZoneReconciler, type ReconcileOutcome } from "#src/export/zone-reconciler.ts";
import { createUpdateClient } from "#src/export/update-client.ts";
import { describeFailure } from "#src/export/describe-failure.ts";
import type { ZoneTable } from "#src/zone/zone-table.ts";

export interface ExporterOptions {
  readonly target: ExportTarget;
  readonly table: ZoneTable;
  /** Whether a label that is missing from the table has been removed. */
  readonly isComplete: () => boolean;
  /** Folder for the list of published labels. */
  readonly folder: string;
  readonly log: Log;
  readonly nowMs?: () => number;
  readonly timing?: Partial<ExportTiming>;
}

export interface ExportTiming {
  /** Changes within this time after the first one are sent together. */
  readonly gatherMs: number;
  /** Deadline of one update, connecting included. */
  readonly updateMs: number;
  readonly retry: { readonly baseMs: number; readonly capMs: number };
  /** After this time everything is sent again, because the server's data may have been changed or restored. */
  readonly repeatMs: number;
  /** The same after a failure: the server may carry out an abandoned update after a later one. */
  readonly repeatAfterFailureMs: number;
}

const defaultTiming: ExportTiming = {
  gatherMs: 100,
  updateMs: 10_000,
  retry: { baseMs: 500, capMs: 30_000 },
  repeatMs: 600_000,
  repeatAfterFailureMs: 60_000,
};

export interface ExportStats {
  /** Runs since the start of the program, by how they ended. */
  readonly outcomes: ReadonlyMap<ReconcileOutcome["kind"], number>;
  /** Whether the last run failed. */
  readonly isFailing: boolean;
}

export interface Exporter {
  start(): void;
  /** Starts the next run. */
  wake(): void;
  stats(): ExportStats;
  stop(): Promise<void>;
}

/**
 * Keeps the labels in a zone of another provider equal to the table, by DNS UPDATE (RFC 2136).
 * Nothing is queued: each run computes the differences, so that the newest state wins and an outage of
 * the server costs no memory. It retries for ever and logs a failure once, until the failure changes.
 */
export function createExporter(options: ExporterOptions): Exporter {
  const { target, table, log } = options;
  const timing = { ...defaultTiming, ...options.timing };
  const client = createUpdateClient(target, timing.updateMs, options.nowMs ?? Date.now);
  const { host, port } = target.server;
  const server = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
  const reconciler = createZoneReconciler({ ...options, client, server });
  const ending = new AbortController();
  let isWoken = false;
  let pause = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let loggedFailure: string | null = null;
  let hasExported = false;
  const outcomes = new Map<ReconcileOutcome["kind"], number>();
  let isFailing = false;

  function wake(): void {
    isWoken = true;
    pause.abort();
  }

  /** Waits. @returns whether it was woken */
  async function rest(ms: number): Promise<boolean> {
    pause = new AbortController();
    if (!isWoken && !ending.signal.aborted) await sleep(Math.max(0, ms), pause.signal);
    return isWoken;
  }

  /** Waits, however often it is woken: changes must not make us ask a refusing server more often. */
  async function holdBack(ms: number): Promise<void> {
    const until = performance.now() + ms;
    while (!ending.signal.aborted && performance.now() < until) {
      isWoken = false;
      await rest(until - performance.now());
    }
  }

  function logOutcome(outcome: ReconcileOutcome): void {
    if (outcome.kind === "done") {
      if (outcome.updated + outcome.removed === 0) return;
      const fields = {
        zone: table.zone,
        server,
        updated: outcome.updated,
        removed: outcome.removed,
      };
      if (loggedFailure !== null) log.info(fields, "labels are exported again");
      else if (hasExported) log.debug(fields, "labels exported");
      else log.info(fields, "labels exported");
      loggedFailure = null;
      hasExported = true;
      return;
    }
    // Compared by kind and not by text, because seconds and reasons may differ at every attempt.
    const kind = outcome.kind === "refused" ? outcome.refusal : outcome.kind;
    if (kind === loggedFailure) return;
    loggedFailure = kind;
    const text = describeFailure(outcome, { zone: table.zone, server, keyName: target.key.name });
    log.error({ zone: table.zone, server }, `labels are not exported: ${text}`);
  }

  async function run(): Promise<void> {
    const backoff = createBackoff(timing.retry);
    let repeatAt = performance.now() + timing.repeatMs;
    while (!ending.signal.aborted) {
      isWoken = false;
      const outcome = await reconciler.reconcile();
      client.close();
      if (ending.signal.aborted) break;
      outcomes.set(outcome.kind, (outcomes.get(outcome.kind) ?? 0) + 1);
      isFailing = outcome.kind !== "done";
      logOutcome(outcome);
      if (outcome.kind !== "done") {
        repeatAt = Math.min(repeatAt, performance.now() + timing.repeatAfterFailureMs);
        await holdBack(backoff.next());
        continue;
      }
      backoff.reset();
      if (await rest(repeatAt - performance.now())) await holdBack(timing.gatherMs);
      if (performance.now() < repeatAt) continue;
      repeatAt = performance.now() + timing.repeatMs;
      reconciler.resendAll();
    }
  }

  return {
    start() {
      table.onChange(wake);
      log.info(
        { server, zone: table.zone, key: target.key.name },
        "labels are exported by DNS UPDATE",
      );
      running = run();
    },
    wake,
    stats: () => ({ outcomes, isFailing }),
    async stop() {
      ending.abort();
      pause.abort();
      client.close();
      await running;
    },
  };
}
