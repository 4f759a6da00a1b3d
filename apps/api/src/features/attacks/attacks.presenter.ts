import {
  sharedNameLoginsMin,
  type Attack,
  type AttackLogin,
  type AttackPage,
  type AttackPlayers,
  type SharedAttack,
} from "@palisade/contract/http/attacks";
import type { selectSample } from "./attack-page.repository.ts";
import type { selectAttacks } from "./attacks.repository.ts";
import type { MergedDetail } from "./merge-details.ts";

export function presentAttack(row: Awaited<ReturnType<typeof selectAttacks>>[number]): Attack {
  return {
    id: row.id,
    started_at: row.started_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    peak_per_second: Number(row.peak_per_second),
    datagrams_peak: Number(row.datagrams_peak),
    sources: Number(row.sources),
    refused: row.refused,
    edges: row.edges,
    relaxed_to: row.relaxed_to,
  };
}

/** An attack without its sources. */
export type AttackReport = Omit<
  AttackPage,
  "addresses" | "networks" | "addresses_masked" | "sample"
>;

/** @param isComplete every edge of the attack has told its course */
export function presentReport(
  attack: Attack,
  merged: MergedDetail | undefined,
  players: AttackPlayers | null,
  isComplete: boolean,
): AttackReport {
  const { threshold = null, course, levels = [], names = [], editions = null } = merged ?? {};
  const { datagramsThreshold = null } = merged ?? {};
  // Without one of the edges it would contradict the peak.
  const hasCourse = isComplete && course !== undefined && course.logins.length > 0;
  return {
    ...attack,
    threshold,
    datagrams_threshold: datagramsThreshold,
    course: hasCourse
      ? {
          from: new Date(course.from * 1_000).toISOString(),
          step_seconds: course.step,
          peaks: course.peaks,
          logins: course.logins,
          admitted: course.admitted,
          datagrams: course.datagrams ?? null,
        }
      : null,
    levels,
    logins: hasCourse ? sumOf(course.logins) : null,
    admitted: hasCourse ? sumOf(course.admitted) : null,
    editions,
    names,
    players,
  };
}

/** The attack for anyone: a shape without digits, or with few logins, may be a player's name. */
export function presentShared(report: AttackReport): SharedAttack {
  return {
    id: report.id,
    started_at: report.started_at,
    ended_at: report.ended_at,
    peak_per_second: report.peak_per_second,
    datagrams_peak: report.datagrams_peak,
    sources: report.sources,
    refused: report.refused,
    edges: report.edges,
    course: report.course,
    logins: report.logins,
    admitted: report.admitted,
    editions: report.editions,
    names: report.names.filter(
      ({ shape, logins }) => shape.includes("#") && logins >= sharedNameLoginsMin,
    ),
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

export function presentSample(
  row: Awaited<ReturnType<typeof selectSample>>[number],
  shown: (address: string) => string,
): AttackLogin {
  return {
    id: row.id,
    at: row.at.toISOString(),
    verdict: row.verdict,
    shadow: row.shadow,
    player: row.player,
    ip: shown(row.ip),
    host: row.host,
    edge: row.edge ?? "",
    trace: row.trace,
  };
}
