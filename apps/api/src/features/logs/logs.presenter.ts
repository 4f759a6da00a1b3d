import { refreshIntervals, type LogEntry, type LogSettings } from "@palisade/contract/http/logs";
import type { Rights } from "@palisade/contract/http/member-rights";
import { renderText, type Locale } from "@palisade/contract/texts/render";
import { versionOfProtocol } from "#src/features/minecraft/protocol-names.service.ts";
import { seesAddresses } from "./log-search.service.ts";
import type { FoundLogin } from "./log-search.repository.ts";
import { maskAddress, maskText } from "#src/platform/security/mask-addresses.ts";

export interface Reader {
  readonly rights: Rights;
  readonly locale: Locale;
}

export function presentLogin(row: FoundLogin, { rights, locale }: Reader): LogEntry {
  const isSeeing = seesAddresses(rights);
  return {
    id: row.id,
    at: row.at.toISOString(),
    verdict: row.verdict,
    reason: renderText(locale, reasonKey(row)),
    shadow: row.shadow,
    would_challenge: row.wouldChallenge ?? null,
    suspicion: row.score ? { score: row.score, parts: row.parts ?? {} } : null,
    player: row.player,
    ip: isSeeing ? row.ip : maskAddress(row.ip),
    country: row.country,
    network: row.asn === null ? null : { asn: Number(row.asn), name: row.network ?? "" },
    ...clientOf(row),
    host: row.host,
    edge: row.edge ?? "",
    trace: row.trace,
    facts: isSeeing ? row.facts : maskFacts(row.facts),
  };
}

/** Numbers of Bedrock overlap with those of Java, so an entry has its number among the facts. */
function clientOf({ protocol, facts }: Pick<FoundLogin, "protocol" | "facts">) {
  if (facts["edition"] !== "bedrock") {
    return { edition: "java" as const, version: versionOfProtocol(protocol), protocol };
  }
  const told = Number(facts["protocol"] ?? 0);
  const isNumber = Number.isInteger(told) && Math.abs(told) < 2 ** 31;
  return { edition: "bedrock" as const, version: null, protocol: isNumber ? told : 0 };
}

function reasonKey({ verdict, shadow, facts }: Pick<FoundLogin, "verdict" | "shadow" | "facts">) {
  if (shadow && verdict === "joined") return "log.reason.would_challenge";
  const isName = verdict === "blacklist" && facts["entry"] === "name";
  return isName ? "log.reason.blacklist_name" : (`log.reason.${verdict}` as const);
}

function maskFacts(facts: FoundLogin["facts"]): Record<string, string> {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, maskText(value)]));
}

export const csvColumns = [
  "at",
  "verdict",
  "reason",
  "shadow",
  "player",
  "ip",
  "country",
  "asn",
  "network",
  "edition",
  "version",
  "protocol",
  "host",
  "edge",
  "trace",
  "facts",
  "suspicion",
  "signals",
  "would_challenge",
] as const;

export function csvRow(entry: LogEntry): (string | number | null)[] {
  return [
    entry.at,
    entry.verdict,
    entry.reason,
    entry.shadow ? "yes" : "no",
    entry.player,
    entry.ip,
    entry.country,
    entry.network?.asn ?? null,
    entry.network?.name ?? null,
    entry.edition,
    entry.version,
    entry.protocol,
    entry.host,
    entry.edge,
    entry.trace,
    listOf(entry.facts),
    entry.suspicion?.score ?? null,
    listOf(entry.suspicion?.parts ?? {}),
    entry.would_challenge,
  ];
}

function listOf(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join("; ");
}

export function presentSettings(seconds: number, locale: Locale): LogSettings {
  const nameOf = (each: number) => {
    if (each === 0) return renderText(locale, "interval.never");
    if (each === 60) return renderText(locale, "interval.minute");
    return renderText(locale, "interval.seconds", { seconds: each });
  };
  return {
    available_intervals: Object.fromEntries(
      refreshIntervals.map((each) => [String(each), nameOf(each)]),
    ),
    logs_refresh_interval: seconds,
    logs_refresh_interval_display: nameOf(seconds),
  };
}
