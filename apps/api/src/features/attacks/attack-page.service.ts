import type { AttackPage, AttackReport } from "@palisade/contract/http/attacks";
import { allows, type Rights } from "@palisade/contract/http/member-rights";
import { entitlements } from "#src/features/plans/entitlements.service.ts";
import type { Executor } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { selectDetails } from "./attack-details.repository.ts";
import {
  selectAttack,
  selectPlanAndName,
  selectPlayers,
  selectSample,
} from "./attack-page.repository.ts";
import { withDetail } from "./attack-peaks.service.ts";
import { playersSpan, presentPlayers } from "./attack-players.ts";
import { presentAttack, presentReport, presentSample } from "./attacks.presenter.ts";
import { maskSource } from "./mask-source.ts";
import { mergeDetails, type MergedDetail } from "./merge-details.ts";

const sampleMax = 30;
/** Logins are logged when their outcome is known, some seconds after they came. */
const sampleMarginMs = 10_000;

/** Addresses are of use to those who may block them. */
export function seesAddresses(rights: Rights): boolean {
  return allows(rights, "firewall", "change");
}

interface Read {
  readonly report: AttackReport;
  readonly merged: MergedDetail | undefined;
}

async function readReport(
  db: Executor,
  of: { readonly shieldId: string; readonly attackId: string },
  now: Date,
): Promise<Read> {
  const row = await selectAttack(db, of.shieldId, of.attackId);
  if (row === undefined) throw new DomainError("not_found");
  const parts = await selectDetails(db, [row.id]);
  const told = parts.flatMap(withDetail);
  const merged = mergeDetails(told);
  const times = { startedAt: row.started_at, endedAt: row.ended_at };
  const span = playersSpan(times, now);
  const points = await selectPlayers(db, of.shieldId, span);
  const players = presentPlayers(points, span, times, now);
  return {
    report: presentReport(presentAttack(row), merged, players, told.length === parts.length),
    merged,
  };
}

/** The attack for the owner and members. */
export async function readAttackPage(
  db: Executor,
  of: { readonly shieldId: string; readonly attackId: string; readonly rights: Rights },
  now: Date,
): Promise<{ readonly page: AttackPage; readonly serverName: string }> {
  const { report, merged } = await readReport(db, of, now);
  const { server_name: serverName, ...plan } = await selectPlanAndName(db, of.shieldId);
  const rows = await selectSample(db, of.shieldId, {
    from: new Date(Date.parse(report.started_at) - sampleMarginMs),
    to: new Date(
      (report.ended_at === null ? now.getTime() : Date.parse(report.ended_at)) + sampleMarginMs,
    ),
    days: entitlements(plan).logDays,
    limit: sampleMax,
  });
  const isMasked = !seesAddresses(of.rights);
  const shown = (source: string): string => (isMasked ? maskSource(source) : source);
  const unknown = { country: null, network_name: null };
  const page = {
    ...report,
    addresses: (merged?.addresses ?? []).map(({ address, logins }) => ({
      address: shown(address),
      logins,
      ...unknown,
    })),
    networks: (merged?.networks ?? []).map(({ network, logins }) => ({
      network: shown(network),
      logins,
      ...unknown,
    })),
    addresses_masked: isMasked,
    sample: rows.map((row) => presentSample(row, shown)),
  };
  return { page, serverName };
}

/** The attack for anyone with a link: no address, and no name that may be a player's. */
export async function readSharedReport(
  db: Executor,
  of: { readonly shieldId: string; readonly attackId: string },
  now: Date,
): Promise<AttackReport> {
  const { report } = await readReport(db, of, now);
  return { ...report, names: report.names.filter(({ shape }) => shape.includes("#")) };
}
