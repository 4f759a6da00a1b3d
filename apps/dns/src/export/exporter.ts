import { createBackoff } from "@palisade/control-client/backoff";
import type { Log } from "@palisade/control-client/log";
import { sleep } from "@palisade/control-client/sleep";
import type { ExportTarget } from "#src/config.ts";
import { createExportPass, type PassOutcome } from "#src/export/export-pass.ts";
import { createUpdateClient } from "#src/export/update-client.ts";
import { describeTrouble } from "#src/export/trouble.ts";
import type { ZoneTable } from "#src/zone/zone-table.ts";

export interface ExporterOptions {
  readonly target: ExportTarget;
  readonly table: ZoneTable;
  /** Whether a label that is not in the table has been removed. */
  readonly isComplete: () => boolean;
  /** Folder for the note of what is published. */
  readonly folder: string;
  readonly log: Log;
  readonly nowMs?: () => number;
  readonly timing?: Partial<ExportTiming>;
}

export interface ExportTiming {
  /** Changes within this time after the first go out together. */
  readonly gatherMs: number;
  /** Time for one update, connecting included. */
  readonly updateMs: number;
  readonly retry: { readonly baseMs: number; readonly capMs: number };
  /** After this time everything is sent again, against what was changed or restored over there. */
  readonly repeatMs: number;
  /** The same after trouble: an update we gave up may be carried out after a later one. */
  readonly repeatAfterTroubleMs: number;
}

const defaultTiming: ExportTiming = {
  gatherMs: 100,
  updateMs: 10_000,
  retry: { baseMs: 500, capMs: 30_000 },
  repeatMs: 600_000,
  repeatAfterTroubleMs: 60_000,
};

export interface Exporter {
  start(): void;
  /** Looks again for what is to be done. */
  wake(): void;
  stop(): Promise<void>;
}

/**
 * Keeps the labels in a zone of another provider abreast of the table, by DNS UPDATE (RFC 2136).
 * Nothing is queued: each pass looks at what differs then, so that the newest state wins and a
 * server that is away costs no memory. Tries for ever; trouble is told once, until it changes.
 */
export function createExporter(options: ExporterOptions): Exporter {
  const { target, table, log } = options;
  const timing = { ...defaultTiming, ...options.timing };
  const client = createUpdateClient(target, timing.updateMs, options.nowMs ?? Date.now);
  const { host, port } = target.server;
  const server = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
  const pass = createExportPass({ ...options, client, server });
  const ending = new AbortController();
  let isPoked = false;
  let pause = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let told: string | null = null;
  let hasExported = false;

  function wake(): void {
    isPoked = true;
    pause.abort();
  }

  /** Resolves with whether it was woken. */
  async function rest(ms: number): Promise<boolean> {
    pause = new AbortController();
    if (!isPoked && !ending.signal.aborted) await sleep(Math.max(0, ms), pause.signal);
    return isPoked;
  }

  /** Not to be cut short by changes: a server that refuses is not asked the more often for them. */
  async function holdBack(ms: number): Promise<void> {
    const until = performance.now() + ms;
    while (!ending.signal.aborted && performance.now() < until) {
      isPoked = false;
      await rest(until - performance.now());
    }
  }

  function tell(outcome: PassOutcome): void {
    if (outcome.kind === "done") {
      if (outcome.updated + outcome.removed === 0) return;
      const facts = {
        zone: table.zone,
        server,
        updated: outcome.updated,
        removed: outcome.removed,
      };
      if (told !== null) log.info(facts, "labels are exported again");
      else if (hasExported) log.debug(facts, "labels exported");
      else log.info(facts, "labels exported");
      told = null;
      hasExported = true;
      return;
    }
    // Not by the text: seconds and reasons in it may be others at every try.
    const kind = outcome.kind === "refused" ? outcome.refusal : outcome.kind;
    if (kind === told) return;
    told = kind;
    const text = describeTrouble(outcome, { zone: table.zone, server, keyName: target.key.name });
    log.error({ zone: table.zone, server }, `labels are not exported: ${text}`);
  }

  async function run(): Promise<void> {
    const backoff = createBackoff(timing.retry);
    let repeatAt = performance.now() + timing.repeatMs;
    while (!ending.signal.aborted) {
      isPoked = false;
      const outcome = await pass.run();
      client.close();
      if (ending.signal.aborted) break;
      tell(outcome);
      if (outcome.kind !== "done") {
        repeatAt = Math.min(repeatAt, performance.now() + timing.repeatAfterTroubleMs);
        await holdBack(backoff.next());
        continue;
      }
      backoff.reset();
      if (await rest(repeatAt - performance.now())) await holdBack(timing.gatherMs);
      if (performance.now() < repeatAt) continue;
      repeatAt = performance.now() + timing.repeatMs;
      pass.repeatAll();
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
    async stop() {
      ending.abort();
      pause.abort();
      client.close();
      await running;
    },
  };
}
