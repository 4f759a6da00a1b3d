import type { LogEntry } from "@palisade/contract/http/logs";
import { renderText } from "@palisade/contract/texts/render";
import type { Locale } from "@palisade/contract/texts/locale";

const suspicions: readonly LogEntry["suspicion"][] = [
  { score: 50, parts: { no_ping: 15, hosting_network: 20, network_failures: 15 } },
  null,
  { score: 15, parts: { no_ping: 15 } },
  { score: 100, parts: { early_bytes: 40, source_failed: 40, no_ping: 15, of_a_later_edge: 25 } },
];

/** Logins of a quiet hour and of a flood, with each kind of result. */
export function livelyLog(one: LogEntry, locale: Locale, count = 90): LogEntry[] {
  const verdicts = ["joined", "verified", "rate", "bot_check", "vpn", "left"] as const;
  const players = ["Notch", "jeb_", "Skyline_Builder1", "bot_48213", "x", "Anna"];
  return Array.from({ length: count }, (_, n) => {
    const verdict = n % 11 === 7 ? "vpn" : (verdicts[n % verdicts.length] ?? "joined");
    const isSpared = n % 12 === 6;
    return {
      ...one,
      id: logId(n),
      at: new Date(Date.now() - n * 7_000).toISOString(),
      verdict,
      reason: renderText(locale, `log.reason.${isSpared ? "would_challenge" : verdict}`),
      shadow: n % 11 === 7 || isSpared,
      would_challenge: isSpared ? "gravity" : null,
      suspicion: suspicions[n % suspicions.length] ?? null,
      player: players[n % players.length] ?? "",
      ip: n % 5 === 4 ? `2001:db8:85a3:1234:5678:8a2e:370:${7000 + n}` : `198.51.100.${n % 250}`,
      country: n % 7 === 3 ? null : (["DE", "FR", "US", "BR"][n % 4] ?? "DE"),
      host: n % 3 === 0 ? "mc.example.com" : "survival.a-rather-long-name.example-network.org",
      trace: n.toString().padStart(8, "7K3M9QXW"),
    };
  });
}

export function logId(n: number): string {
  return `0199a3f2-7c10-7000-8000-${n.toString(16).padStart(12, "0")}`;
}
