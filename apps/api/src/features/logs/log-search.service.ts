import { isIP } from "node:net";
import { loginVerdicts, type LoginVerdict } from "@palisade/contract/edge/telemetry";
import { refusalReasons } from "@palisade/contract/edge/plain-values";
import { tidyTrace, verdictGroups, type LogFilter } from "@palisade/contract/http/logs";
import { allows, type Rights } from "@palisade/contract/http/member-rights";
import type { Executor } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { TimeCursor } from "#src/platform/http/time-cursor.ts";
import {
  selectAmongNewest,
  selectByIndex,
  selectLastScanned,
  selectLogins,
  type FoundLogin,
  type LoginFilter,
  type LoginWindow,
} from "./log-search.repository.ts";

/** Newest entries that are looked at one by one: some 20 ms of work. */
const scannedMax = 10_000;
const dayMs = 86_400_000;

export function seesAddresses(rights: Rights): boolean {
  return allows(rights, "addresses", "view");
}

/**
 * @throws DomainError `forbidden` where the caller filters by addresses that they may not see: what
 *   is found would tell them
 */
export function filterOf(query: LogFilter, rights: Rights): LoginFilter {
  const isSeeing = seesAddresses(rights);
  if (query.ip !== undefined && !isSeeing) {
    throw new DomainError("forbidden", { text: "logs.addresses_hidden" });
  }
  const { edition, player, country, host, trace, q, from, to } = query;
  const range = isSeeing && q !== undefined && query.ip === undefined ? addressesOf(q) : undefined;
  return {
    edition,
    player,
    country,
    host,
    trace,
    ip: query.ip ?? range,
    texts: q === undefined || range !== undefined ? undefined : textsOf(q),
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
    ...verdictsOf(query.verdict),
  };
}

type Verdict = LogFilter["verdict"];

function verdictsOf(verdict: Verdict): Pick<LoginFilter, "verdicts" | "shadow"> {
  if (verdict === undefined) return {};
  if (verdict === verdictGroups[0]) return { verdicts: ["joined", "verified"] };
  if (verdict === verdictGroups[1]) return { verdicts: refusalReasons, shadow: false };
  if (verdict === verdictGroups[2]) return { shadow: true };
  const known: readonly LoginVerdict[] = loginVerdicts.filter((each) => each === verdict);
  return { verdicts: known };
}

/** The text, and the trace code that it may be. */
function textsOf(q: string): readonly string[] {
  const trace = tidyTrace(q);
  const isTrace = /^[0-9A-HJKMNP-TV-Z]{8}$/.test(trace);
  return isTrace && trace.toLowerCase() !== q.toLowerCase() ? [q, trace] : [q];
}

/**
 * The address or range that a text means; the begin of an address is a range.
 *
 * @example
 * addressesOf("203.0.113") // "203.0.113.0/24"
 */
export function addressesOf(text: string): string | undefined {
  const [address = "", bits, ...rest] = text.split("/");
  const family = address.includes("%") ? 0 : isIP(address);
  if (family !== 0 && rest.length === 0) {
    if (bits === undefined) return address;
    const isBits = /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
    return isBits ? text : undefined;
  }
  const begin = text.replace(/[.:]$/, "");
  const octets = begin.split(".");
  if (octets.length > 1 && octets.length < 4 && octets.every(isOctet)) {
    return `${[...octets, "0", "0"].slice(0, 4).join(".")}/${octets.length * 8}`;
  }
  const groups = begin.split(":");
  if (
    groups.length > 1 &&
    groups.length < 8 &&
    groups.every((each) => /^[\da-f]{1,4}$/i.test(each))
  ) {
    return `${begin}::/${groups.length * 16}`;
  }
  return undefined;
}

function isOctet(text: string): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) <= 255;
}

/**
 * The newest entries that match. A filter that matches many values is first tried on the newest
 * entries, where the frequent is found; only what is rare there is looked up by an index, which would
 * have to read all of the frequent.
 */
export async function searchLogins(
  db: Executor,
  shieldId: string,
  filter: LoginFilter,
  window: LoginWindow & { readonly now: Date },
): Promise<readonly FoundLogin[]> {
  const { limit, now } = window;
  if (!isWide(filter)) return selectLogins(db, shieldId, filter, window);
  const scan = { ...window, scanned: scannedMax };
  const found = [...(await selectAmongNewest(db, shieldId, filter, scan))];
  if (found.length >= limit) return found;
  let before: TimeCursor | undefined = await selectLastScanned(db, shieldId, filter, scan);
  if (before === undefined) return found;
  const end = now.getTime() - window.days * dayMs;
  // From one midnight to another, because each day is a partition with indexes of its own: twice as
  // many days each time, and none is looked through twice.
  for (let days = 1; ; days *= 2) {
    const since: Date = new Date((Math.ceil(before.at.getTime() / dayMs) - days) * dayMs);
    const rest = { ...window, before, since, limit: limit - found.length };
    found.push(...(await selectByIndex(db, shieldId, filter, rest)));
    if (found.length >= limit || since.getTime() < end) return found;
    // Nothing of exactly this time is left out: the smallest id is below every entry's.
    before = { at: since, id: "00000000-0000-0000-0000-000000000000" };
  }
}

function isWide({ ip, texts, verdicts }: LoginFilter): boolean {
  return ip?.includes("/") === true || texts !== undefined || (verdicts?.length ?? 1) > 1;
}
