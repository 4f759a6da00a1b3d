import type {
  MitigationReplay,
  ReplayChange,
  ReplayedLogin,
  ReplayOutcome,
} from "@palisade/contract/http/replay";
import type { RefusalReason } from "@palisade/contract/edge/plain-values";
import type { Locale } from "@palisade/contract/texts/locale";
import { renderText } from "@palisade/contract/texts/render";
import { logId } from "./lively-log.ts";

const players = ["Notch", "jeb_", "Skyline_Builder1", "bot_48213", "x", "Anna"];

/** A day on which a change would have refused some, checked many and let in a few. */
export function livelyReplay(usual: MitigationReplay, locale: Locale): MitigationReplay {
  const change = (
    from: ReplayOutcome,
    to: ReplayOutcome,
    count: number,
    reasons: readonly RefusalReason[] = [],
  ): ReplayChange => {
    const outcome = (of: ReplayOutcome, n: number): ReplayedLogin["saved"] => {
      const refusal = of === "refused" ? (reasons[n % reasons.length] ?? "rate") : null;
      const key = refusal === null ? (`replay.${of}` as const) : (`log.reason.${refusal}` as const);
      return { outcome: of, refusal, reason: renderText(locale, key) };
    };
    const rows = Array.from({ length: Math.min(count, 100) }, (_, n): ReplayedLogin => ({
      id: logId(n),
      at: new Date(Date.now() - n * 61_000).toISOString(),
      player: players[n % players.length] ?? "",
      ip: n % 5 === 4 ? `2001:db8:85a3:1234:5678:8a2e:370:${7000 + n}` : `198.51.100.${n % 250}`,
      country: n % 7 === 3 ? null : "DE",
      version: n % 7 === 5 ? null : "1.21.4",
      trace: n.toString().padStart(8, "7K3M9QXW"),
      verdict: "joined",
      verdict_reason: renderText(locale, "log.reason.joined"),
      saved: outcome(from, n),
      proposed: outcome(to, n),
    }));
    const each = Math.floor(count / Math.max(1, reasons.length));
    const counted = Object.fromEntries(reasons.map((reason) => [reason, each]));
    return { from, to, count, reasons: counted, rows };
  };
  return {
    ...usual,
    logins: 12_340,
    is_shortened: true,
    left_out: 481,
    assumed: 21,
    differing: 3,
    account_checks: 4,
    sizes_unknown: true,
    saved: { admitted: 11_200, verify: 640, refused: 500, reasons: { rate: 500 } },
    proposed: { admitted: 10_881, verify: 947, refused: 512, reasons: { rate: 500, forge: 12 } },
    changes: [
      change("admitted", "verify", 310),
      change("admitted", "refused", 12, ["forge", "forge", "vpn"]),
      change("refused", "admitted", 3, ["rate"]),
    ],
  };
}
