import type { MitigationReplay, ReplayedLogin } from "@palisade/contract/http/replay";
import type { Rights } from "@palisade/contract/http/member-rights";
import { renderText, type Locale } from "@palisade/contract/texts/render";
import { seesAddresses } from "#src/features/logs/log-search.service.ts";
import { versionOfProtocol } from "#src/features/minecraft/protocol-names.service.ts";
import { maskAddress } from "#src/platform/security/mask-addresses.ts";
import type { Replayed } from "./replay-run.ts";
import type { ReplayResult } from "./replay.service.ts";
import type { ChangedLogin } from "./replay-summary.ts";

export interface Reader {
  readonly rights: Rights;
  readonly locale: Locale;
}

export function presentReplay(result: ReplayResult, reader: Reader): MitigationReplay {
  const { from, to, isShortened, sizesUnknown, summary } = result;
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    logins: summary.logins,
    is_shortened: isShortened,
    left_out: summary.leftOut,
    assumed: summary.assumed,
    account_checks: summary.accountChecks,
    sizes_unknown: sizesUnknown,
    differing: summary.differing,
    saved: summary.saved,
    proposed: summary.proposed,
    changes: summary.changes
      .filter(({ count }) => count > 0)
      .map((change) => ({
        from: change.from,
        to: change.to,
        count: change.count,
        reasons: change.reasons,
        rows: change.rows.toReversed().map((row) => presentLogin(row, reader)),
      })),
  };
}

function presentLogin(
  { entry, saved, proposed }: ChangedLogin,
  { rights, locale }: Reader,
): ReplayedLogin {
  return {
    id: entry.id,
    at: entry.at.toISOString(),
    player: entry.player,
    ip: seesAddresses(rights) ? entry.ip : maskAddress(entry.ip),
    country: entry.country,
    version: versionOfProtocol(entry.protocol),
    trace: entry.trace,
    verdict: entry.verdict,
    verdict_reason: renderText(locale, `log.reason.${entry.verdict}`),
    saved: presentOutcome(saved, locale),
    proposed: presentOutcome(proposed, locale),
  };
}

function presentOutcome({ outcome, refusal }: Replayed, locale: Locale): ReplayedLogin["saved"] {
  const reason = refusal === undefined ? `replay.${outcome}` : (`log.reason.${refusal}` as const);
  return { outcome, refusal: refusal ?? null, reason: renderText(locale, reason) };
}
