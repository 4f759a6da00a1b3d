import type {
  Analytics,
  AnalyticsSeries,
  AnalyticsStep,
  AnalyticsTotals,
} from "@palisade/contract/http/analytics";
import { routes } from "@palisade/contract/http/routes";
import { exampleIds } from "@palisade/contract/reference/example-story";
import type { StubApi } from "./stub-api.ts";

const { analytics } = routes;
const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const lengths = { "1h": hourMs, "24h": dayMs, "7d": 7 * dayMs, "30d": 30 * dayMs } as const;

interface Asked {
  readonly range: Analytics["range"];
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly compare: "true" | "false";
}

/** A busy shield with an attack, a gap and a change of settings in every period. */
export function handleAnalytics(api: StubApi): void {
  api.handle(analytics.getAnalytics, ({ query }) => analyticsOf(query));
  api.handle(analytics.exportAnalytics, ({ query }) => {
    const { times, series } = analyticsOf({ ...query, compare: "false" });
    const rows = times.map((time, index) => `${time},${series.joins[index] ?? ""}`);
    return ["time,joins", ...rows, ""].join("\n");
  });
}

function analyticsOf({ range, from, to, compare }: Asked): Analytics {
  const now = Date.now();
  const asked = { start: Date.parse(from ?? ""), end: Date.parse(to ?? "") };
  const end = range === "custom" ? asked.end : now;
  const start = range === "custom" ? asked.start : now - lengths[range];
  const stepMs = stepOf(end - start) * secondMs;
  const first = Math.floor(start / stepMs) * stepMs;
  const count = Math.max(1, Math.ceil((end - first) / stepMs));
  const times = Array.from({ length: count }, (_, index) => first + index * stepMs);
  const series = seriesOf(times, stepMs);
  const earlier = times.map((time) => time - count * stepMs);
  const before = seriesOf(earlier, stepMs, 0.8);
  const time = (ms: number) => new Date(ms).toISOString();
  const last = first + count * stepMs;
  const isLong = count * stepMs >= 7 * dayMs;
  const totals = totalsOf(series, 4_812);
  return {
    range,
    from: time(first),
    to: time(last),
    step_seconds: stepMs / secondMs,
    kept_from: time(now - 400 * dayMs),
    times: times.map(time),
    series,
    totals,
    before:
      compare === "true"
        ? {
            from: time(earlier[0] ?? first),
            to: time(first),
            series: before,
            totals: totalsOf(before, 4_233),
          }
        : null,
    ...sharesOf(totals.joins),
    hours_of_week: isLong ? hoursOfWeek() : null,
    retention: isLong ? retentionOf(last) : [],
    marks: marksOf(times, time),
  };
}

function stepOf(lengthMs: number): AnalyticsStep {
  if (lengthMs <= 2 * hourMs) return 60;
  return lengthMs <= 2 * dayMs ? 600 : 3_600;
}

/** Players by the time of day, as on a server of one continent; fewer at night. */
function playersAt(timeMs: number): number {
  const hour = (timeMs / hourMs) % 24;
  return 160 + 120 * Math.sin(((hour - 13) / 24) * 2 * Math.PI) + 9 * Math.sin(timeMs / 7.3e5);
}

function seriesOf(times: readonly number[], stepMs: number, part = 1): AnalyticsSeries {
  const { length } = times;
  const now = Date.now();
  /** The last step is not over yet. */
  const minutesOf = (index: number) =>
    Math.min(stepMs, Math.max(minuteMs / 6, now - (times[index] ?? now))) / minuteMs;
  const isGap = (index: number) => index >= length * 0.18 && index < length * 0.22;
  const isAttack = (index: number) => index >= length * 0.62 && index < length * 0.7;
  const measure = (valueAt: (players: number, index: number) => number) =>
    times.map((time, index) =>
      isGap(index) ? null : Math.round(valueAt(playersAt(time) * part, index) * 10) / 10,
    );
  const count = (valueAt: (players: number, index: number) => number) =>
    measure(valueAt).map((value) => (value === null ? null : Math.round(value)));
  /** Amounts that count up, given per minute. */
  const amount = (valueAt: (players: number, index: number) => number) =>
    count((players, index) => valueAt(players, index) * minutesOf(index));
  const refused = (normal: number, attack: number) =>
    amount((_, index) => (isAttack(index) ? attack * (1 + (index % 3) / 5) : normal));
  const failed = amount((players, index) => (isAttack(index) ? 90 : players / 90));
  const verified = amount((players) => players / 20);
  return {
    players: measure((players) => players),
    players_peak: count((players, index) => players * 1.08 + (index % 4)),
    joins: amount((players) => players / 8),
    bedrock_players: measure((players) => players / 6),
    bedrock_joins: amount((players) => players / 44),
    pings: amount((players) => players * 3),
    connections_peak: count((players, index) => (isAttack(index) ? 4_800 : players / 20)),
    refused: {
      rate: refused(2, 900),
      bot_check: refused(1, 640),
      vpn: refused(3, 180),
      invalid_name: refused(1, 90),
      cooldown: refused(2, 6),
      blacklist: refused(1, 40),
      invalid_version: refused(2, 2),
      full: refused(0.3, 0.3),
    },
    challenged: verified.map((value, index) =>
      value === null ? null : value + (failed[index] ?? 0),
    ),
    verified,
    challenges_failed: failed,
    bytes_up: amount((players) => players * 18_000),
    bytes_down: amount((players) => players * 240_000),
    attack_bytes: amount((_, index) => (isAttack(index) ? 61_000_000 : 20_000)),
    backend_latency_ms: measure((_, index) => 14 + 3 * Math.sin(index / 5)),
    backend_health: times.map((_, index) => (isGap(index) ? null : isAttack(index) ? 0.98 : 1)),
  };
}

function totalsOf(series: AnalyticsSeries, unique: number): AnalyticsTotals {
  const known = (values: readonly (number | null)[]) => values.filter((value) => value !== null);
  const sum = (values: readonly (number | null)[]) => known(values).reduce((a, b) => a + b, 0);
  const most = (values: readonly (number | null)[]) =>
    known(values).length === 0 ? null : Math.max(...known(values));
  const mean = (values: readonly (number | null)[]) =>
    known(values).length === 0 ? null : sum(values) / known(values).length;
  return {
    players: mean(series.players),
    players_peak: most(series.players_peak),
    joins: sum(series.joins),
    bedrock_players: mean(series.bedrock_players),
    bedrock_joins: sum(series.bedrock_joins),
    pings: sum(series.pings),
    connections_peak: most(series.connections_peak),
    refused: Object.fromEntries(
      Object.entries(series.refused).map(([reason, values]) => [reason, sum(values)]),
    ),
    challenged: sum(series.challenged),
    verified: sum(series.verified),
    challenges_failed: sum(series.challenges_failed),
    bytes_up: sum(series.bytes_up),
    bytes_down: sum(series.bytes_down),
    attack_bytes: sum(series.attack_bytes),
    backend_latency_ms: mean(series.backend_latency_ms),
    backend_health: mean(series.backend_health),
    unique_players: unique,
  };
}

function sharesOf(joins: number) {
  const part = (share: number) => ({ joins: Math.round(joins * share) });
  return {
    versions: [
      { version: "1.21.8", ...part(0.41) },
      { version: "1.21.4", ...part(0.23) },
      { version: "1.20.1", ...part(0.12) },
      { version: "1.19.4", ...part(0.08) },
      { version: "1.16.5", ...part(0.07) },
      { version: "1.12.2", ...part(0.05) },
      { version: "1.8.9", ...part(0.03) },
      { version: null, ...part(0.01) },
    ],
    protocols: [
      { protocol: 772, ...part(0.41) },
      { protocol: 769, ...part(0.23) },
      { protocol: 763, ...part(0.12) },
      { protocol: null, ...part(0.24) },
    ],
    countries: [
      { country: "DE", ...part(0.31) },
      { country: "RU", ...part(0.22) },
      { country: "US", ...part(0.12) },
      { country: "PL", ...part(0.09) },
      { country: "FR", ...part(0.07) },
      { country: "BR", ...part(0.05) },
      { country: "GB", ...part(0.04) },
      { country: "AU", ...part(0.03) },
      { country: "SG", ...part(0.02) },
      { country: "XK", ...part(0.01) },
      { country: null, ...part(0.04) },
    ],
    networks: [
      { asn: 64_496, name: "Example Telecom", ...part(0.28) },
      { asn: 64_497, name: "Rheinland Breitband Gesellschaft", ...part(0.19) },
      { asn: 64_498, name: "Северная связь", ...part(0.17) },
      { asn: 64_499, name: null, ...part(0.05) },
      { asn: null, name: null, ...part(0.31) },
    ],
  };
}

function hoursOfWeek(): NonNullable<Analytics["hours_of_week"]> {
  const players = Array.from({ length: 168 }, (_, hour) =>
    hour === 50 ? null : Math.round(playersAt(hour * hourMs) * (hour >= 96 ? 1.4 : 1)),
  );
  return { players, joins: players.map((value) => (value === null ? null : value / 4)) };
}

function retentionOf(endMs: number): Analytics["retention"] {
  const lastDay = Math.floor(endMs / dayMs) * dayMs;
  return Array.from({ length: 7 }, (_, index) => {
    const from = lastDay - (7 - index) * dayMs;
    const unique = 900 + index * 40;
    const returned = Math.round(unique * (0.42 + index / 50));
    return {
      from: new Date(from).toISOString(),
      to: new Date(from + dayMs).toISOString(),
      unique_players: unique,
      returned,
      share: returned / unique,
    };
  });
}

function marksOf(times: readonly number[], time: (ms: number) => string): Analytics["marks"] {
  const at = (part: number) => times[Math.floor(times.length * part)] ?? 0;
  return [
    {
      kind: "change",
      id: exampleIds.plan,
      at: time(at(0.8)),
      area: "mitigation",
      fields: ["antibot_level", "rejoin_cooldown"],
    },
    {
      kind: "attack",
      id: exampleIds.entry,
      at: time(at(0.62)),
      ended_at: time(at(0.7)),
      peak_per_second: 4_812,
      datagrams_peak: 0,
    },
    { kind: "change", id: exampleIds.other, at: time(at(0.3)), area: "firewall", fields: [] },
  ];
}

/** An answer about a shield of which no edge has reported anything. */
export function nothingReported(usual: Analytics): Analytics {
  const unknown = (values: readonly unknown[]) => values.map(() => null);
  const { refused: _refused, ...lists } = usual.series;
  const series = Object.fromEntries(
    Object.entries(lists).map(([name, values]) => [name, unknown(values)]),
  );
  return {
    ...usual,
    // The same keys with gaps alone: `fromEntries` cannot know.
    series: { ...(series as Omit<AnalyticsSeries, "refused">), refused: {} },
    before: null,
    marks: [],
  };
}
