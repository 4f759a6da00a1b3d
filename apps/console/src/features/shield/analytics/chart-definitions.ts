import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { Analytics, AnalyticsSeries } from "@palisade/contract/http/analytics";
import type { Locale } from "@palisade/contract/texts/locale";
import { bandwidth, bytes, count, perSecond, rate } from "#src/lib/format.ts";
import { line, previous, type Format, type Line } from "./chart-line.ts";
import { milliseconds, share } from "./format.ts";
import { refusalLines } from "./refusal-lines.ts";
import { addAll, asRate, without, zerosWhereKnown, type Clock, type Values } from "./values.ts";

/** The content of a chart, apart from the state of the page. */
export interface ChartDefinition {
  readonly id: string;
  readonly title: MessageDescriptor;
  readonly lines: readonly Line[];
  readonly format: Format;
  readonly isStacked?: boolean;
  readonly isWhole?: boolean;
  readonly isWide?: boolean;
}

/** The charts of an answer, in the order of the page. */
export function chartsOf(data: Analytics, clock: Clock, locale: Locale): ChartDefinition[] {
  const whole: Format = (value) => count(locale, value);
  return [
    playersChart(data, whole, (value) => rate(locale, value)),
    connectionsChart(data, (value) => perSecond(locale, value)),
    refusedChart(data, whole),
    joinsChart(data, whole),
    trafficChart(data, clock, locale),
    verificationChart(data, whole),
    pingsChart(data, whole),
    latencyChart(data, (value) => milliseconds(locale, value)),
    healthChart(data, (value) => share(locale, value)),
  ];
}

function playersChart({ series, totals, before }: Analytics, whole: Format, mean: Format) {
  return {
    id: "players",
    title: msg`Players online`,
    format: mean,
    isWhole: true,
    lines: [
      line("players_peak", msg`peak`, "accent", series.players_peak, totals.players_peak, whole),
      line("players_mean", msg`mean`, "protected", series.players, totals.players, mean),
      ...editionLines(
        "players",
        [series.players, series.bedrock_players],
        [totals.players, totals.bedrock_players],
        mean,
      ),
      ...previous("players", before?.series.players, before?.totals.players, mean),
    ],
  };
}

/** The editions apart, where players of Bedrock have come. */
function editionLines(
  id: string,
  [all, bedrock]: readonly [Values, Values],
  [total, ofBedrock]: readonly [number | null, number | null],
  format: Format,
): Line[] {
  if (ofBedrock === null || ofBedrock === 0) return [];
  return [
    line(
      `${id}_java`,
      msg`Java`,
      "violet",
      without(all, bedrock),
      (total ?? 0) - ofBedrock,
      format,
    ),
    line(`${id}_bedrock`, msg`Bedrock`, "cyan", bedrock, ofBedrock, format),
  ];
}

function connectionsChart({ series, totals, before }: Analytics, format: Format) {
  const { connections_peak: values } = series;
  const id = "connections";
  return {
    id,
    title: msg`Connections per second`,
    format,
    isWhole: true,
    lines: [
      line("connections_peak", msg`peak`, "accent", values, totals.connections_peak, format),
      ...previous(id, before?.series.connections_peak, before?.totals.connections_peak, format),
    ],
  };
}

function refusedChart({ series, totals, before }: Analytics, format: Format) {
  const all = before && [
    ...Object.values(before.series.refused),
    zerosWhereKnown(before.series.joins),
  ];
  const sum = before && Object.values(before.totals.refused).reduce((a, b) => a + b, 0);
  return {
    id: "refused",
    title: msg`Refused by reason`,
    format,
    isWhole: true,
    isStacked: true,
    isWide: true,
    lines: [
      ...refusalLines(series, totals, format),
      ...previous("refused", all && addAll(all), sum, format),
    ],
  };
}

function joinsChart({ series, totals, before }: Analytics, format: Format) {
  return {
    id: "joins",
    title: msg`Joins`,
    format,
    isWhole: true,
    lines: [
      line("joins", msg`joins`, "protected", series.joins, totals.joins, format),
      ...editionLines(
        "joins",
        [series.joins, series.bedrock_joins],
        [totals.joins, totals.bedrock_joins],
        format,
      ),
      ...previous("joins", before?.series.joins, before?.totals.joins, format),
    ],
  };
}

function trafficChart({ series, totals, before }: Analytics, clock: Clock, locale: Locale) {
  const amount: Format = (value) => bytes(locale, value);
  const bits = (values: Values) => asRate(values, clock, 8);
  const both = ({ bytes_up: up, bytes_down: down }: AnalyticsSeries) => addAll([up, down]);
  const past = { ...clock, times: [] };
  return {
    id: "traffic",
    title: msg`Traffic`,
    format: (value: number) => bandwidth(locale, value),
    lines: [
      line(
        "bytes_down",
        msg`to players`,
        "accent",
        bits(series.bytes_down),
        totals.bytes_down,
        amount,
      ),
      line(
        "bytes_up",
        msg`from players`,
        "protected",
        bits(series.bytes_up),
        totals.bytes_up,
        amount,
      ),
      line(
        "attack_bytes",
        msg`attack, not billed`,
        "attack",
        bits(series.attack_bytes),
        totals.attack_bytes,
        amount,
      ),
      ...previous(
        "traffic",
        before && asRate(both(before.series), past, 8),
        before && before.totals.bytes_up + before.totals.bytes_down,
        amount,
      ),
    ],
  };
}

function verificationChart({ series, totals }: Analytics, format: Format) {
  const { challenged, verified, challenges_failed: failed } = series;
  return {
    id: "verification",
    title: msg`Verification of unknown players`,
    format,
    isWhole: true,
    lines: [
      line("challenged", msg`begun`, "accent", challenged, totals.challenged, format),
      line("verified", msg`passed`, "protected", verified, totals.verified, format),
      line("challenges_failed", msg`failed`, "danger", failed, totals.challenges_failed, format),
    ],
  };
}

function pingsChart({ series, totals, before }: Analytics, format: Format) {
  return {
    id: "pings",
    title: msg`Server list pings`,
    format,
    isWhole: true,
    lines: [
      line("pings", msg`pings`, "cyan", series.pings, totals.pings, format),
      ...previous("pings", before?.series.pings, before?.totals.pings, format),
    ],
  };
}

function latencyChart({ series, totals, before }: Analytics, format: Format) {
  const { backend_latency_ms: values } = series;
  const id = "latency";
  return {
    id,
    title: msg`Latency of the backends`,
    format,
    lines: [
      line("latency", msg`mean`, "violet", values, totals.backend_latency_ms, format),
      ...previous(id, before?.series.backend_latency_ms, before?.totals.backend_latency_ms, format),
    ],
  };
}

function healthChart({ series, totals }: Analytics, format: Format) {
  const { backend_health: values } = series;
  return {
    id: "health",
    title: msg`Successful health checks`,
    format,
    lines: [line("health", msg`successful`, "protected", values, totals.backend_health, format)],
  };
}
