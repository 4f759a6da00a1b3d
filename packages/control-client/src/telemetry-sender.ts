import { edgeRoutes } from "@palisade/contract/edge/edge-routes";
import type { MinuteCounters } from "@palisade/contract/edge/plain-values";
import type {
  AttackReport,
  BackendFavicon,
  BackendHealth,
  LiveGauge,
  LoginEntry,
} from "@palisade/contract/edge/telemetry";
import { CallError, type Client } from "@palisade/contract/http/client";
import { createBackoff } from "./backoff.ts";
import { countedMinutes } from "./counted-minutes.ts";
import type { Log } from "./log.ts";
import { createMinuteBuffer, minutesKeptMax } from "./minute-buffer.ts";
import { splitRefusedReport, type NumberedReport } from "./report-splitting.ts";

/** As the contract caps them. */
const gaugesPerReportMax = 10_000;
const minutesPerReportMax = 4_000;
/**
 * Bytes of JSON of logins, attacks and minutes together; the api accepts 4 MiB with the rest. A larger
 * report is sent in halves.
 */
const reportBytesMax = 3 * 1024 * 1024;
const backendsPerReportMax = 2_000;
const loginsPerReportMax = 1_000;
/** Enough refusals to find two invalid items; if there are more, the api is of another version. */
const refusalsMax = 40;
/** Backends whose health waits to be reported. */
const backendsKeptMax = 100_000;
const minuteMs = 60_000;
/** A report is sent at least this often: it shows that the edge is alive, and carries open minutes. */
const reportIntervalMaxMsDefault = 10_000;

export interface TelemetrySource {
  /** Removes and returns the counters; the gauges are those of this moment. */
  drain(nowMs: number): { readonly minutes: MinuteCounters[]; readonly live: LiveGauge[] };
}

export interface BackendHealthSource {
  /** Health changes of backends since the last call. */
  drain(): readonly BackendHealth[];
}

export interface FaviconReportSource {
  /** Changed icons of backends that have not arrived yet. */
  readonly size: number;
  /** As many of them as fit into a report. */
  reports(): BackendFavicon[];
  /** These have arrived, or the api will never accept them. */
  markDelivered(reports: readonly BackendFavicon[]): void;
}

export interface AttackReportSource {
  /** Attacks that have something to report. */
  readonly size: number;
  /** Running attacks, and ended ones whose end is not reported yet: as many as fit into a report. */
  reports(): AttackReport[];
  /** These have arrived, or the api will never accept them. */
  markDelivered(reports: readonly AttackReport[]): void;
  /** Ends all running attacks, because this program stops. */
  close(): void;
}

export interface LoginEntrySource {
  readonly size: number;
  /** Removes and returns the oldest entries. */
  take(max: number): LoginEntry[];
}

export interface TelemetrySenderOptions {
  readonly call: Client;
  /** New for every start of the program. */
  readonly bootId: string;
  readonly source: TelemetrySource;
  readonly health?: BackendHealthSource;
  readonly favicons?: FaviconReportSource;
  readonly attacks?: AttackReportSource;
  readonly logins?: LoginEntrySource;
  /** Whether the edge has a VPN list in use. */
  readonly hasVpnLists?: () => boolean;
  /** Whether the edge has databases of countries and of networks. */
  readonly places?: { readonly hasCountries: boolean; readonly hasNetworks: boolean };
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
  /** Sends everything that is left, open minutes included, within the deadline. */
  stop(deadlineMs: number): Promise<void>;
  stats(): { readonly buffered: number; readonly dropped: number; readonly reports: number };
}

/**
 * Reports counters when their minute is over and gauges as long as there are any, and sends a report
 * regularly in any case: reports show the control plane that an edge is alive, because a stream to a
 * machine that is gone looks open. A report keeps its number, counters, logins and attacks until it is
 * answered, so a repeated report counts nothing twice. Gauges, backend health and icons are those of
 * the attempt; the newest health and icon of each backend are kept until they have arrived. When a report is refused
 * for good, only the invalid items are lost.
 */
export function createTelemetrySender(options: TelemetrySenderOptions): TelemetrySender {
  const { call, bootId, source, log } = options;
  const now = options.now ?? Date.now;
  const buffer = createMinuteBuffer(options.bufferMax ?? minutesKeptMax);
  const health = new Map<string, BackendHealth>();
  const backoff = createBackoff(options.retry ?? { baseMs: 1_000, capMs: 30_000 });
  const intervalMaxMs = options.reportIntervalMaxMs ?? reportIntervalMaxMsDefault;
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  /** The report that is not answered yet, and the remaining parts of a split one. */
  const open: NumberedReport[] = [];
  /** Refusals of the current report and its parts. */
  let refusals = 0;
  let seq = 0;
  let answered = 0;
  let sending: Promise<boolean> | null = null;
  /** On the monotonic clock: setting the time back must not silence telemetry. */
  let notBefore = 0;
  let lastReportAt = performance.now();
  let hadGauges = false;
  /** Start of the first minute that no answered report has told of. */
  let countedFrom = minuteStart(now());
  let failing = false;

  /** Sends one report. @returns whether it was answered, also when it was refused for good */
  async function deliver(live: readonly LiveGauge[], closedBefore: number): Promise<boolean> {
    const report = open[0] ?? takeReport(closedBefore);
    open[0] = report;
    const { isWithoutGauges, ...numbered } = report;
    const backends = isWithoutGauges ? [] : [...health.values()].slice(0, backendsPerReportMax);
    const favicons = isWithoutGauges ? [] : (options.favicons?.reports() ?? []);
    const minute = minuteStart(now());
    const parts = open.slice(1).flatMap(({ minutes }) => minutes);
    const counted = countedMinutes({ buffer, parts, countedFrom, minute });
    try {
      await call(edgeRoutes.telemetry, {
        body: {
          boot_id: bootId,
          ...numbered,
          live: isWithoutGauges ? [] : live.slice(0, gaugesPerReportMax),
          backends,
          favicons,
          ...(options.hasVpnLists && { vpn_lists: options.hasVpnLists() }),
          counted_from: new Date(counted.fromMs).toISOString(),
          counted_to: new Date(counted.toMs).toISOString(),
          ...(options.places && {
            has_countries: options.places.hasCountries,
            has_networks: options.places.hasNetworks,
          }),
        },
        signal: AbortSignal.any([ending.signal, AbortSignal.timeout(options.timeoutMs ?? 5_000)]),
      });
      forget(backends, favicons);
      countedFrom = counted.nextMs;
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
        log.warn({ err: error, status }, "telemetry cannot be delivered; counters are kept");
      }
      failing = true;
      notBefore =
        performance.now() + (status === 401 ? (options.refusedRetryMs ?? 300_000) : backoff.next());
      if (!refusedForGood) return false;
      forget(backends, favicons);
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

  /** Sends a report with all its parts. */
  async function deliverWhole(live: readonly LiveGauge[], closedBefore: number): Promise<boolean> {
    do {
      if (!(await deliver(live, closedBefore))) return false;
    } while (open.length > 0);
    return true;
  }

  function takeReport(closedBefore: number): NumberedReport {
    refusals = 0;
    const logins = options.logins?.take(loginsPerReportMax) ?? [];
    const attacks = options.attacks?.reports() ?? [];
    const bytesLeft = reportBytesMax - JSON.stringify([logins, attacks]).length;
    return {
      seq: nextSeq(),
      minutes: buffer.take(minutesPerReportMax, closedBefore, bytesLeft),
      logins,
      attacks,
      isWithoutGauges: false,
    };
  }

  function nextSeq(): number {
    seq += 1;
    return seq;
  }

  function forget(delivered: readonly BackendHealth[], favicons: readonly BackendFavicon[]): void {
    for (const one of delivered)
      if (health.get(one.backend_id) === one) health.delete(one.backend_id);
    options.favicons?.markDelivered(favicons);
  }

  /** Keeps the newest health of each backend. Past the bound the oldest are dropped; the edge reports them again later. */
  function takeHealth(): void {
    for (const one of options.health?.drain() ?? []) {
      health.delete(one.backend_id);
      health.set(one.backend_id, one);
    }
    for (const backendId of health.keys()) {
      if (health.size <= backendsKeptMax) break;
      health.delete(backendId);
    }
  }

  /** Owners wait for attacks and logins. */
  function hasEvents(): boolean {
    return (options.logins?.size ?? 0) > 0 || (options.attacks?.size ?? 0) > 0;
  }

  function tick(): void {
    const at = now();
    takeHealth();
    const { minutes, live } = source.drain(at);
    buffer.add(minutes);
    if (sending !== null || performance.now() < notBefore) return;
    const isDue = performance.now() - lastReportAt >= intervalMaxMs;
    const closedBefore = isDue ? Number.MAX_SAFE_INTEGER : at - minuteMs;
    const hasGauges = live.length > 0 || hadGauges || health.size > 0;
    const hasIcons = (options.favicons?.size ?? 0) > 0;
    const hasContent =
      open.length > 0 || hasGauges || hasIcons || buffer.has(closedBefore) || hasEvents();
    if (!hasContent && !isDue) return;
    if (isDue) lastReportAt = performance.now();
    // One report without gauges shows that the last player has left.
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

function minuteStart(ms: number): number {
  return ms - (ms % minuteMs);
}
