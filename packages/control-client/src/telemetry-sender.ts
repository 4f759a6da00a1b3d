import { edgeRoutes } from "@palisade/contract/edge/edge-routes";
import type {
  AttackReport,
  BackendHealth,
  LiveGauge,
  LoginEntry,
  MinuteCounters,
} from "@palisade/contract/edge/telemetry";
import { CallError, type Client } from "@palisade/contract/http/client";
import { createBackoff } from "./backoff.ts";
import type { Log } from "./log.ts";
import { createMinuteBuffer } from "./minute-buffer.ts";
import { splitRefusedReport, type NumberedReport } from "./report-splitting.ts";

/** As the contract caps them. */
const gaugesPerReportMax = 10_000;
// Fewer than the contract allows, so that a report mostly stays below the 4 MiB the api takes: after
// an outage they come in portions. One that is larger is sent in halves.
const minutesPerReportMax = 4_000;
const backendsPerReportMax = 2_000;
const loginsPerReportMax = 1_000;
/** Enough to find two things that are wrong; where there are many the api is of another version. */
const refusalsMax = 40;
/** Backends whose health waits to be told. */
const backendsKeptMax = 100_000;
const minuteMs = 60_000;
/** A report at least this often: it says that the edge is there, and carries what open minutes hold. */
const reportIntervalMaxMsDefault = 10_000;

export interface TelemetrySource {
  /** Takes the counters away; gauges are those of this moment. */
  drain(nowMs: number): { readonly minutes: MinuteCounters[]; readonly live: LiveGauge[] };
}

export interface BackendHealthSource {
  /** What there is to tell of backends since the last call. */
  drain(): readonly BackendHealth[];
}

export interface AttackReportSource {
  /** Attacks of which there is something to tell. */
  readonly size: number;
  /** Attacks that run, and those whose end was not told yet: as many as fit into a report. */
  reports(): AttackReport[];
  /** These have arrived, or will never be taken. */
  markDelivered(reports: readonly AttackReport[]): void;
  /** What runs has ended as far as this program can tell. */
  close(): void;
}

export interface LoginEntrySource {
  readonly size: number;
  /** Takes the oldest entries away. */
  take(max: number): LoginEntry[];
}

export interface TelemetrySenderOptions {
  readonly call: Client;
  /** New for every start of the program. */
  readonly bootId: string;
  readonly source: TelemetrySource;
  readonly health?: BackendHealthSource;
  readonly attacks?: AttackReportSource;
  readonly logins?: LoginEntrySource;
  /** Whether the edge has a VPN list in use. */
  readonly hasVpnLists?: () => boolean;
  readonly log: Log;
  readonly now?: () => number;
  readonly intervalMs?: number;
  /** Longest time between two reports. */
  readonly reportIntervalMaxMs?: number;
  readonly retry?: { readonly baseMs: number; readonly capMs: number };
  readonly refusedRetryMs?: number;
  readonly timeoutMs?: number;
  /** Counters kept while the control plane is away. */
  readonly bufferMax?: number;
}

export interface TelemetrySender {
  start(): void;
  /** Sends what is left, open minutes included, within the deadline. */
  stop(deadlineMs: number): Promise<void>;
  stats(): { readonly buffered: number; readonly dropped: number; readonly reports: number };
}

/**
 * Reports counters once their minute is over and gauges while there are any, and every so often
 * in any case: the control plane tells from reports that an edge is alive, since a stream it
 * writes to may be one to a machine that is gone. A report keeps its number, its counters, its
 * logins and what it tells of attacks until it is answered, so repeating it counts nothing twice
 * and what was answered has been read; the gauges in it are those of the attempt, and so is what
 * it tells of backends, of which the newest word is kept until it has arrived. Of a report that is
 * refused for good only what is wrong is lost.
 */
export function createTelemetrySender(options: TelemetrySenderOptions): TelemetrySender {
  const { call, bootId, source, log } = options;
  const now = options.now ?? Date.now;
  const buffer = createMinuteBuffer(options.bufferMax ?? 20_000);
  const health = new Map<string, BackendHealth>();
  const backoff = createBackoff(options.retry ?? { baseMs: 1_000, capMs: 30_000 });
  const intervalMaxMs = options.reportIntervalMaxMs ?? reportIntervalMaxMsDefault;
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  /** The report that was sent and not answered yet, and what is left of one that was too much. */
  const open: NumberedReport[] = [];
  /** Of what was taken as one report. */
  let refusals = 0;
  let seq = 0;
  let answered = 0;
  let sending: Promise<boolean> | null = null;
  /** On the monotonic clock: setting the time back must not silence telemetry. */
  let notBefore = 0;
  let beatAt = performance.now();
  let hadGauges = false;
  let failing = false;

  /** True where the report was answered, whatever the answer. */
  async function deliver(live: readonly LiveGauge[], closedBefore: number): Promise<boolean> {
    const report = open[0] ?? takeReport(closedBefore);
    open[0] = report;
    const { isWithoutGauges, ...numbered } = report;
    const backends = isWithoutGauges ? [] : [...health.values()].slice(0, backendsPerReportMax);
    try {
      await call(edgeRoutes.telemetry, {
        body: {
          boot_id: bootId,
          ...numbered,
          live: isWithoutGauges ? [] : live.slice(0, gaugesPerReportMax),
          backends,
          ...(options.hasVpnLists && { vpn_lists: options.hasVpnLists() }),
        },
        signal: AbortSignal.any([ending.signal, AbortSignal.timeout(options.timeoutMs ?? 5_000)]),
      });
      forget(backends);
      if (failing) {
        const buffered = buffer.size();
        log.info({ buffered, dropped: buffer.dropped() }, "telemetry is delivered again");
      }
      failing = false;
      backoff.reset();
      notBefore = 0;
    } catch (error) {
      const status = error instanceof CallError ? error.status : 0;
      const refusedForGood = status === 400 || status === 413 || status === 422;
      if (!failing && !ending.signal.aborted) {
        log.warn({ err: error, status }, "telemetry cannot be delivered, counters are kept");
      }
      failing = true;
      notBefore =
        performance.now() + (status === 401 ? (options.refusedRetryMs ?? 300_000) : backoff.next());
      if (!refusedForGood) return false;
      forget(backends);
      refusals += 1;
      const instead = refusals < refusalsMax ? splitRefusedReport(report, nextSeq) : [];
      if (instead.length > 0) {
        open.splice(0, 1, ...instead);
        return true;
      }
      const lost = { minutes: report.minutes.length, logins: report.logins.length };
      log.error({ seq: report.seq, ...lost }, "report refused and dropped");
    }
    options.attacks?.markDelivered(report.attacks);
    open.shift();
    answered += 1;
    return true;
  }

  /** With all that is left of it, where it was too much. */
  async function deliverWhole(live: readonly LiveGauge[], closedBefore: number): Promise<boolean> {
    do {
      if (!(await deliver(live, closedBefore))) return false;
    } while (open.length > 0);
    return true;
  }

  function takeReport(closedBefore: number): NumberedReport {
    refusals = 0;
    return {
      seq: nextSeq(),
      minutes: buffer.take(minutesPerReportMax, closedBefore),
      logins: options.logins?.take(loginsPerReportMax) ?? [],
      attacks: options.attacks?.reports() ?? [],
      isWithoutGauges: false,
    };
  }

  function nextSeq(): number {
    seq += 1;
    return seq;
  }

  function forget(told: readonly BackendHealth[]): void {
    for (const one of told) if (health.get(one.backend_id) === one) health.delete(one.backend_id);
  }

  /** Keeps the newest word on each backend; past the bound the oldest go, to be told again later. */
  function takeHealth(): void {
    for (const told of options.health?.drain() ?? []) {
      health.delete(told.backend_id);
      health.set(told.backend_id, told);
    }
    for (const backendId of health.keys()) {
      if (health.size <= backendsKeptMax) break;
      health.delete(backendId);
    }
  }

  /** Owners wait for these. */
  function hasEvents(): boolean {
    return (options.logins?.size ?? 0) > 0 || (options.attacks?.size ?? 0) > 0;
  }

  function tick(): void {
    const at = now();
    takeHealth();
    const { minutes, live } = source.drain(at);
    buffer.add(minutes);
    if (sending !== null || performance.now() < notBefore) return;
    const isBeat = performance.now() - beatAt >= intervalMaxMs;
    const closedBefore = isBeat ? Number.MAX_SAFE_INTEGER : at - minuteMs;
    const hasGauges = live.length > 0 || hadGauges || health.size > 0;
    const hasNews = open.length > 0 || hasGauges || buffer.has(closedBefore) || hasEvents();
    if (!hasNews && !isBeat) return;
    if (isBeat) beatAt = performance.now();
    // One report without gauges says that the last player has left.
    hadGauges = live.length > 0;
    sending = deliverWhole(live, closedBefore).finally(() => {
      sending = null;
    });
  }

  return {
    start() {
      timer = setInterval(tick, options.intervalMs ?? 1_000);
      timer.unref();
    },
    async stop(deadlineMs) {
      clearInterval(timer);
      const deadline = setTimeout(() => ending.abort(), deadlineMs);
      await sending;
      buffer.add(source.drain(now()).minutes);
      options.attacks?.close();
      let delivered = true;
      while (delivered && (open.length > 0 || buffer.size() > 0 || hasEvents())) {
        delivered = await deliverWhole([], Number.MAX_SAFE_INTEGER);
      }
      clearTimeout(deadline);
      ending.abort();
    },
    stats: () => ({ buffered: buffer.size(), dropped: buffer.dropped(), reports: answered }),
  };
}
