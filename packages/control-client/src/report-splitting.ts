import type { MinuteCounters } from "@palisade/contract/edge/plain-values";
import type { AttackReport, LoginEntry } from "@palisade/contract/edge/telemetry";

/** The content of one sequence number, the same in every attempt. */
export interface NumberedReport {
  readonly seq: number;
  readonly minutes: MinuteCounters[];
  readonly logins: LoginEntry[];
  readonly attacks: AttackReport[];
  /** Sent without gauges and backend health, which hold only for the moment of sending. */
  readonly isWithoutGauges: boolean;
}

/**
 * The reports to send in place of one that the api will never accept: first the same without gauges,
 * then its halves, until the invalid item is alone; none for that item.
 *
 * @param nextSeq each half gets a new number, because nothing of a refused report was counted
 */
export function splitRefusedReport(
  report: NumberedReport,
  nextSeq: () => number,
): NumberedReport[] {
  const count = report.minutes.length + report.logins.length + report.attacks.length;
  if (count === 0) return [];
  if (!report.isWithoutGauges) return [{ ...report, isWithoutGauges: true }];
  if (count === 1) return [];
  const middle = Math.ceil(count / 2);
  return [
    { ...report, ...itemsBetween(report, 0, middle), seq: nextSeq() },
    { ...report, ...itemsBetween(report, middle, count), seq: nextSeq() },
  ];
}

/** The items from `from` to `to`, counted through all three lists. */
function itemsBetween({ minutes, logins, attacks }: NumberedReport, from: number, to: number) {
  let before = 0;
  function cut<T>(list: readonly T[]): T[] {
    const part = list.slice(Math.max(0, from - before), Math.max(0, to - before));
    before += list.length;
    return part;
  }
  return { minutes: cut(minutes), logins: cut(logins), attacks: cut(attacks) };
}
