import type { AttackReport, LoginEntry, MinuteCounters } from "@palisade/contract/edge/telemetry";

/** What goes under one number, the same with every attempt. */
export interface NumberedReport {
  readonly seq: number;
  readonly minutes: MinuteCounters[];
  readonly logins: LoginEntry[];
  readonly attacks: AttackReport[];
  /** Without what is true of the moment it is sent only. */
  readonly isWithoutGauges: boolean;
}

/**
 * What to send instead of a report that will never be taken: first without what it bore of the
 * moment, then its halves, until what is wrong is alone. None where it is.
 *
 * @param nextSeq nothing of a refused report was counted, so each half is another report
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

/** As if its lists were one. */
function itemsBetween({ minutes, logins, attacks }: NumberedReport, from: number, to: number) {
  let before = 0;
  function cut<T>(list: readonly T[]): T[] {
    const part = list.slice(Math.max(0, from - before), Math.max(0, to - before));
    before += list.length;
    return part;
  }
  return { minutes: cut(minutes), logins: cut(logins), attacks: cut(attacks) };
}
