import type { AttackPage, SharedAttack } from "@palisade/contract/http/attacks";
import type { AddressDatabases } from "@palisade/address-databases/address-databases";
import { allows, type Rights } from "@palisade/contract/http/member-rights";
import { entitlements } from "#src/features/plans/entitlements.service.ts";
import { openPieces, selectNumbers } from "#src/features/telemetry/telemetry-reads.service.ts";
import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { maskAddress } from "#src/platform/security/mask-addresses.ts";
import { selectDetails } from "./attack-details.repository.ts";
import { selectAttack, selectPlanAndName, selectSample } from "./attack-page.repository.ts";
import {
  playersSpan,
  presentPlayers,
  type PlayerPoint,
  type PlayersSpan,
} from "./attack-players.ts";
import {
  type AttackReport,
  presentAttack,
  presentReport,
  presentSample,
  presentShared,
} from "./attacks.presenter.ts";
import { mergeDetails, type MergedDetail } from "./merge-details.ts";

const sampleMax = 30;
/** Logins are logged when their outcome is known, some seconds after they came. */
const sampleMarginMs = 10_000;

interface Read {
  readonly report: AttackReport;
  readonly merged: MergedDetail | undefined;
}

async function readReport(
  db: Db,
  of: { readonly shieldId: string; readonly attackId: string },
  now: Date,
): Promise<Read> {
  const row = await selectAttack(db, of.shieldId, of.attackId);
  if (row === undefined) throw new DomainError("not_found");
  const parts = await selectDetails(db, [row.id]);
  const told = parts.flatMap(({ detail, startedAt, endedAt }) =>
    detail === null ? [] : [{ detail, startedAt, endedAt }],
  );
  const merged = mergeDetails(told);
  const times = { startedAt: row.started_at, endedAt: row.ended_at };
  const span = playersSpan(times, now);
  const points = await readPlayers(db, of.shieldId, span);
  const players = presentPlayers(points, span, times, now);
  return {
    report: presentReport(presentAttack(row), merged, players, told.length === parts.length),
    merged,
  };
}

/** In one snapshot, in which each report is either in the rollups or in the minutes. */
function readPlayers(db: Db, shieldId: string, span: PlayersSpan): Promise<PlayerPoint[]> {
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (trx) => {
      const [from, to] = [span.from.getTime(), span.to.getTime()];
      const piecesOf = await openPieces(trx);
      const pieces = piecesOf(from, to, span.stepSeconds);
      const rows = await selectNumbers(trx, shieldId, span.stepSeconds, pieces);
      return rows.map(({ start, player_seconds }) => ({
        at: start.getTime() / 1_000,
        playerSeconds: Number(player_seconds ?? 0),
      }));
    });
}

export interface AttackPageDeps {
  readonly db: Db;
  readonly places: Pick<AddressDatabases, "placeOf">;
}

/** The attack for the owner and members. */
export async function readAttackPage(
  { db, places }: AttackPageDeps,
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
  const isMasked = !allows(of.rights, "addresses", "view");
  const shown = (source: string): string => (isMasked ? maskAddress(source) : source);
  const page = {
    ...report,
    addresses: (merged?.addresses ?? []).map(({ address, logins }) => ({
      address: shown(address),
      logins,
      ...placeOf(places, address),
    })),
    networks: (merged?.networks ?? []).map(({ network, logins }) => ({
      network: shown(network),
      logins,
      ...placeOf(places, network.split("/")[0] ?? ""),
    })),
    addresses_masked: isMasked,
    sample: rows.map((row) => presentSample(row, shown)),
  };
  return { page, serverName };
}

function placeOf(places: AttackPageDeps["places"], ip: string) {
  const { country, network } = places.placeOf(ip);
  return { country, network_name: network };
}

/** The attack for anyone with a link. */
export async function readSharedReport(
  db: Db,
  of: { readonly shieldId: string; readonly attackId: string },
  now: Date,
): Promise<SharedAttack> {
  return presentShared((await readReport(db, of, now)).report);
}
