import type { BackendGroupConfig } from "@palisade/contract/edge/shield-config";
import type { ProofKind } from "@palisade/contract/http/backends";
import { sql } from "kysely";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";

/** A backend with what is needed to look for its owner's proof. */
export interface ProofTarget {
  readonly id: string;
  readonly shield_id: string;
  readonly owner_id: string;
  readonly host: string;
  readonly port: number;
  readonly proxy_protocol: boolean;
  readonly game: BackendGroupConfig["game"];
  readonly cname_record: string;
}

function targets(db: Executor) {
  return db
    .selectFrom("backends")
    .innerJoin("backend_groups", "backend_groups.id", "backends.group_id")
    .innerJoin("shields", "shields.id", "backend_groups.shield_id")
    .select([
      "backends.id",
      "shields.id as shield_id",
      "shields.owner_id",
      "shields.cname_record",
      "backends.host",
      "backends.port",
      "backend_groups.proxy_protocol",
      "backend_groups.game",
    ]);
}

export function selectTarget(
  db: Executor,
  key: { readonly shieldId: string; readonly groupId: string; readonly serverId: string },
): Promise<ProofTarget | undefined> {
  return targets(db)
    .where("shields.id", "=", key.shieldId)
    .where("backend_groups.id", "=", key.groupId)
    .where("backends.id", "=", key.serverId)
    .executeTakeFirst();
}

/**
 * Backends of active shields whose players cannot come before a proof, and whose turn it is; each
 * after a growing pause. Those that another worker has are left out.
 */
export async function takeDueTargets(
  db: Db,
  now: Date,
  window: {
    readonly limit: number;
    readonly firstPauseSeconds: number;
    readonly pauseSecondsMax: number;
  },
): Promise<ProofTarget[]> {
  const { rows } = await sql<{ id: string }>`
    update backends set
      proof_checks = backends.proof_checks + 1,
      proof_check_at = ${now}::timestamptz + make_interval(secs => least(
        ${window.firstPauseSeconds}::float8 * power(2, least(backends.proof_checks, 20)),
        ${window.pauseSecondsMax}::float8))
    where backends.id in (
      select due.id from backends due
      join backend_groups owning on owning.id = due.group_id
      join shields shield on shield.id = owning.shield_id and shield.status = 'active'
      left join backend_proofs proof on proof.shield_id = owning.shield_id
        and proof.host = due.host and proof.port = due.port
      where (proof.kind is null
          or (owning.game = 'other'
            and (proof.kind in ('minecraft', 'motd') or proof.address is null)))
        and (due.proof_check_at is null or due.proof_check_at <= ${now})
      order by due.proof_check_at nulls first
      limit ${window.limit}
      for update of due skip locked
    )
    returning backends.id
  `.execute(db);
  const ids = rows.map(({ id }) => id);
  return ids.length === 0 ? [] : targets(db).where("backends.id", "in", ids).execute();
}

export interface NewProof {
  readonly shield_id: string;
  readonly host: string;
  readonly port: number;
  readonly kind: Exclude<ProofKind, "upgrade" | "minecraft">;
  readonly address: string;
  readonly proven_at: Date;
}

/**
 * An owner's proof takes the place of every other, but for the MOTD's, which counts for fewer games
 * than those of an address. One that is known stays as it is.
 */
export async function upsertProof(trx: Trx, proof: NewProof): Promise<void> {
  const { kind, address, proven_at } = proof;
  const changes = { kind, address, proven_at, published: false };
  await trx
    .insertInto("backend_proofs")
    .values(proof)
    .onConflict((on) =>
      on
        .columns(["shield_id", "host", "port"])
        .doUpdateSet(changes)
        .where((is) => {
          const isKind = is("backend_proofs.kind", "=", kind);
          const hasNone = is("backend_proofs.address", "is", null);
          return is.and([
            is.or([is.not(isKind), is("backend_proofs.address", "is distinct from", address)]),
            kind === "motd" ? is.or([isKind, hasNone]) : is.lit(true),
          ]);
        }),
    )
    .execute();
}

/** Marks the proofs of the shield that no configuration has yet, and returns them. */
export function takeUnpublished(trx: Trx, shieldId: string) {
  return trx
    .updateTable("backend_proofs")
    .set({ published: true })
    .where("shield_id", "=", shieldId)
    .where("published", "=", false)
    .returning(["host", "port", "kind"])
    .execute();
}

export type UnpublishedProof = Awaited<ReturnType<typeof takeUnpublished>>[number];
