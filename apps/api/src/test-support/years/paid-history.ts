import { dayMs, hourMs, monthsLater } from "./calendar.ts";

/** A charge for a plan, as its invoice names it. */
export interface Charge {
  readonly key: string;
  readonly atMs: number;
  readonly startsMs: number;
  readonly endsMs: number;
  readonly netCents: number;
  readonly priceCents: number;
}

/** The moment at which a shield's status became `expired`. */
export interface Expiry {
  readonly shieldId: string;
  readonly atMs: number;
}

interface Paid {
  readonly anchorMs: number;
  readonly months: number;
  readonly startsMs: number;
  readonly endsMs: number;
  readonly priceCents: number;
}

const graceMs = 72 * hourMs;
/** An interrupted step is repeated after five minutes. */
const slackMs = 10 * 60_000;

/**
 * Follows every shield and support plan from its first charge on. Each period has to be paid once, to
 * begin where the one before it ends, and to cost what its plan costs.
 *
 * @param charges of all time, the oldest first
 * @param excused shields that an attack, a block or a deletion kept from ending or renewing in time
 * @returns one line for each break
 */
export function checkPaidHistory(
  charges: readonly Charge[],
  expiries: readonly Expiry[],
  excused: ReadonlySet<string>,
): string[] {
  const broken: string[] = [];
  const paid = new Map<string, Paid>();
  const events = [...expiries, ...charges].toSorted((a, b) => a.atMs - b.atMs);
  for (const event of events) {
    if ("shieldId" in event) {
      broken.push(...checkExpiry(event, paid.get(event.shieldId), excused.has(event.shieldId)));
      continue;
    }
    const [kind = "", subject = ""] = event.key.split(":");
    const before = paid.get(subject);
    const next = kind.endsWith("renewal")
      ? renewed(event, before, kind === "renewal" ? graceMs : 0)
      : begun(event, before, kind);
    if (typeof next === "string") {
      broken.push(`${event.key}: ${next}`);
      continue;
    }
    paid.set(subject, next);
    if (before === undefined || next.startsMs !== before.endsMs || excused.has(subject)) continue;
    if (event.atMs <= before.endsMs + graceMs + slackMs) continue;
    broken.push(`${event.key}: it was served unpaid beyond the grace`);
  }
  return broken;
}

function checkExpiry({ shieldId, atMs }: Expiry, paid: Paid | undefined, isExcused: boolean) {
  if (paid === undefined) return [`${shieldId}: it expired without having been paid`];
  const lateMs = atMs - paid.endsMs - graceMs;
  if (lateMs < 0) return [`${shieldId}: it expired before its grace was over`];
  if (lateMs > slackMs && !isExcused) return [`${shieldId}: it expired after its grace was over`];
  return [];
}

function renewed(charge: Charge, before: Paid | undefined, afterEndMs: number): Paid | string {
  if (before === undefined) return "nothing was paid before it";
  const endsMs = Date.parse(
    charge.key.slice(charge.key.indexOf(":", charge.key.indexOf(":") + 1) + 1),
  );
  if (endsMs !== before.endsMs) return "it does not follow the period before it";
  if (charge.netCents !== charge.priceCents) return "it does not cost what its plan costs";
  if (charge.startsMs === before.endsMs) {
    const months = before.months + 1;
    if (charge.atMs < before.endsMs - dayMs) return "it was charged too early";
    if (afterEndMs === 0 && charge.atMs > before.endsMs + slackMs) return "it was charged too late";
    return period(charge, before.anchorMs, months);
  }
  if (charge.startsMs !== charge.atMs) return "it begins neither then nor at the charge";
  if (charge.atMs < before.endsMs + afterEndMs) return "it leaves a gap that was served";
  return period(charge, charge.atMs, 1);
}

function begun(charge: Charge, before: Paid | undefined, kind: string): Paid | string {
  if (charge.startsMs !== charge.atMs) return "it does not begin at the charge";
  const isRunning = before !== undefined && charge.atMs < before.endsMs;
  if (!isRunning) {
    if (before !== undefined && kind === "purchase") return "it was bought twice";
    if (charge.netCents !== charge.priceCents) return "it does not cost what its plan costs";
    return period(charge, charge.atMs, 1);
  }
  const seconds = (ms: number): bigint => BigInt(Math.floor(ms / 1_000));
  const left = seconds(before.endsMs - charge.atMs);
  const length = seconds(before.endsMs - before.startsMs);
  const [next, old] = [BigInt(charge.priceCents), BigInt(before.priceCents)];
  const due =
    kind === "support" ? (next * length - old * left) / length : ((next - old) * left) / length;
  if (BigInt(charge.netCents) !== due) return `it costs ${charge.netCents}, not ${due}`;
  if (kind === "support") return period(charge, charge.atMs, 1);
  if (charge.endsMs !== before.endsMs) return "it changes the end of the period";
  return { ...before, priceCents: charge.priceCents };
}

function period(charge: Charge, anchorMs: number, months: number): Paid | string {
  const { startsMs, endsMs, priceCents } = charge;
  if (endsMs !== monthsLater(anchorMs, months)) {
    return `it ends at ${new Date(endsMs).toISOString()}, ${months} months after ${new Date(anchorMs).toISOString()}`;
  }
  return { anchorMs, months, startsMs, endsMs, priceCents };
}
