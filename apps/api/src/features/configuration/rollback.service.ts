import { configSchemaVersion, shieldConfig } from "@palisade/contract/edge/shield-config";
import { commandEntry } from "#src/features/audit/audit.service.ts";
import { recordChange } from "#src/features/shield-history/shield-history.service.ts";
import type { Db } from "#src/platform/database/db.ts";
import { declareOwnLock } from "#src/platform/database/lock-order.ts";
import type { AuditLog } from "#src/platform/http/pipeline/audit-log.ts";
import { encodeConfig } from "./compile/compile-shield.ts";
import { lockShield, selectShieldRows } from "./configuration.repository.ts";
import { earlierContent, readRevision } from "./rollback.policy.ts";
import { selectByLabel, selectRevision, selectRevisions } from "./rollback.repository.ts";
import {
  compileNext,
  publishNext,
  type Receipt,
  type ShieldWritesDeps,
} from "./shield-writes.service.ts";

export interface RollbackDeps extends Omit<ShieldWritesDeps, "failpoint" | "clock"> {
  readonly db: Db;
  readonly audit: AuditLog;
  readonly zone: string;
}

export interface StoredRevision {
  readonly revision: number;
  readonly committedAt: Date;
  /** False where it took the shield away from its edges. */
  readonly hasContent: boolean;
}

/** Undefined when there is no such shield. */
export async function listRevisions(
  { db, zone }: Pick<RollbackDeps, "db" | "zone">,
  label: string,
): Promise<readonly StoredRevision[] | undefined> {
  const shield = await selectByLabel(db, label, zone);
  if (shield === undefined) return undefined;
  const rows = await selectRevisions(db, shield.id);
  return rows.map(({ revision, committed_at, config }) => ({
    revision,
    committedAt: committed_at,
    hasContent: config.startsWith("{") && config !== "{}",
  }));
}

export type RollbackOutcome =
  | (Receipt & { readonly kind: "published"; readonly leftOut: readonly string[] })
  | { readonly kind: "unknown shield" }
  | { readonly kind: "unknown revision" }
  | { readonly kind: "deleted" };

/**
 * Publishes the content of an earlier revision under a new revision and version, because edges only
 * go forward. The owner's tables stay as they are: the next change is compiled from them again. The
 * rollback is written to the owner's audit log.
 */
export function rollBack(
  deps: RollbackDeps,
  request: { readonly label: string; readonly revision: number; readonly now: Date },
): Promise<RollbackOutcome> {
  return deps.db.transaction().execute(async (trx): Promise<RollbackOutcome> => {
    const found = await selectByLabel(trx, request.label, deps.zone);
    if (found === undefined) return { kind: "unknown shield" };
    const { id } = found;
    const { audit } = deps;
    const chain = `user:${found.owner_id}`;
    declareOwnLock(trx, () => audit.lock(trx, chain));
    const shield = await lockShield(trx, id);
    if (shield === undefined || shield.status === "deleted") return { kind: "deleted" };
    const kept = await selectRevision(trx, id, request.revision);
    if (kept === undefined || !kept.config.startsWith("{")) return { kind: "unknown revision" };

    const next = await compileNext(deps, trx, id);
    if (next.configs === null) return { kind: "deleted" };
    const rows = await selectShieldRows(trx, id);
    const compiled = shieldConfig.parse(JSON.parse(next.configs[configSchemaVersion]));
    const then = readRevision(JSON.parse(kept.config), compiled);
    const { config, leftOut } = earlierContent(then, { rows, compiled });
    const ofThen = config.groups.flatMap(({ location }) => location ?? []);
    const locations = new Set([...next.locations, ...ofThen]);
    const configs = encodeConfig(config);
    const receipt = await publishNext(deps, trx, { ...next, configs, locations: [...locations] });
    await recordChange(
      trx,
      { shieldId: id, revision: receipt.revision, now: request.now, isOperator: true },
      "general",
      [{ field: "served_revision", before: null, after: request.revision }],
    );
    const command = `shield rollback ${found.cname_record} ${request.revision}`;
    await audit.append(trx, commandEntry(command, { chain, status: 200, at: request.now }));
    return { kind: "published", ...receipt, leftOut };
  });
}
