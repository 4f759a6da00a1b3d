import { createHmac } from "node:crypto";
import { currentProtocol } from "@palisade/minecraft-protocol/java/versions";
import { countsFor } from "#src/features/configuration/backend-proof.service.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import {
  findReverseRecord,
  type DnsLookup,
  type DnsLookupCaller,
} from "#src/features/domains/reverse-record.service.ts";
import { selectProbeEdges, type Probes } from "#src/features/probes/probes.service.ts";
import { recordChange } from "#src/features/shield-history/shield-history.service.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { Keys } from "#src/platform/security/derived-key.ts";
import {
  selectTarget,
  takeUnpublished,
  upsertProof,
  type NewProof,
  type ProofTarget,
  type UnpublishedProof,
} from "./backend-proofs.repository.ts";

/** @throws DomainError `not_found` where the shield has no such backend */
export async function requireTarget(
  db: Db,
  key: Parameters<typeof selectTarget>[1],
): Promise<ProofTarget> {
  const target = await selectTarget(db, key);
  if (target === undefined) throw new DomainError("not_found");
  return target;
}

/** Sent with a shield's id once an address of the shield was proven by an edge. */
export const proofPublishingJob = "backends.publish-proofs";

const takenWithinMs = 2_000;
const deadlineMs = 5_000;
const edgesAskedMax = 2;
/** Edges of an earlier release do not know the token of a probe. */
const tokenSchema = 4;

export interface ProofDeps {
  readonly db: Db;
  readonly writes: ShieldWrites;
  readonly probes: Pick<Probes, "ask">;
  readonly lookup: DnsLookup;
  /** `deriveKeys(config, "backend proof")`. */
  readonly proofKeys: Keys;
}

/** Bound to the shield: the token of one shield proves nothing for another. */
export function proofTokenOf([key]: Keys, shieldId: string): string {
  const bytes = createHmac("sha256", key).update(shieldId).digest("hex");
  return `palisade-proof=${bytes.slice(0, 32)}`;
}

export interface FoundProof {
  readonly by: NewProof["kind"];
  readonly address: string;
}

/**
 * Looks for the owner's proof of a backend: through an edge in its greeting and MOTD, and in reverse
 * DNS. Takes seconds, so never call it inside a transaction. Never throws.
 */
export async function findProof(
  deps: ProofDeps,
  target: ProofTarget,
  by: { readonly asker: string; readonly dns: DnsLookupCaller; readonly signal: AbortSignal },
): Promise<{ readonly found: FoundProof | undefined; readonly names: readonly string[] }> {
  const token = proofTokenOf(deps.proofKeys, target.shield_id);
  const [shown, record] = await Promise.all([
    askEdge(deps, target, { token, asker: by.asker, signal: by.signal }),
    findReverseRecord(deps.lookup, { host: target.host, value: token }, by.dns),
  ]);
  const found: FoundProof | undefined =
    record.proven === undefined ? shown : { by: "record", address: record.proven };
  return { found, names: record.names };
}

async function askEdge(
  { db, probes }: Pick<ProofDeps, "db" | "probes">,
  { host, port, proxy_protocol, game, cname_record }: ProofTarget,
  by: { readonly token: string; readonly asker: string; readonly signal: AbortSignal },
): Promise<FoundProof | undefined> {
  for (const edge of await selectProbeEdges(db, edgesAskedMax, tokenSchema)) {
    const question = {
      host,
      port,
      hostname: cname_record,
      protocol: currentProtocol,
      proxy: proxy_protocol ? "with" : "without",
      deadline_ms: deadlineMs,
      proof_token: by.token,
      takenWithinMs,
      asker: by.asker,
      purpose: "doctor",
    } as const;
    const seen = await probes.ask(edge.id, question, by.signal);
    if (seen !== null && seen.attempts.some(({ outcome }) => outcome !== "skipped")) {
      return seen.proven !== null && countsFor(seen.proven.by, game) ? seen.proven : undefined;
    }
  }
  return undefined;
}

/**
 * Stores the proof of an address and publishes it.
 *
 * @returns the revision; null if the proof was known
 * @throws DomainError `server_not_active`
 */
export async function storeProof(
  deps: Pick<ProofDeps, "writes">,
  trx: Trx,
  { shield_id, host, port }: Pick<ProofTarget, "shield_id" | "host" | "port">,
  { by: kind, address, now }: FoundProof & { readonly now: Date },
): Promise<number | null> {
  await deps.writes.lockActive(trx, shield_id);
  await upsertProof(trx, { shield_id, host, port, kind, address, proven_at: now });
  const proofs = await takeUnpublished(trx, shield_id);
  if (proofs.length === 0) return null;
  return publish(deps, trx, { shieldId: shield_id, proofs, now });
}

/** Publishes what edges have reported, if that was not done with another change. */
export async function publishProofs(
  deps: Pick<ProofDeps, "writes">,
  trx: Trx,
  { shieldId, now }: { readonly shieldId: string; readonly now: Date },
): Promise<void> {
  await deps.writes.lockActive(trx, shieldId);
  const proofs = await takeUnpublished(trx, shieldId);
  if (proofs.length > 0) await publish(deps, trx, { shieldId, proofs, now });
}

async function publish(
  { writes }: Pick<ProofDeps, "writes">,
  trx: Trx,
  change: {
    readonly shieldId: string;
    readonly proofs: readonly UnpublishedProof[];
    readonly now: Date;
  },
): Promise<number> {
  const { shieldId, proofs, now } = change;
  const { revision } = await writes.commit(trx, shieldId);
  await recordChange(
    trx,
    { shieldId, revision, now },
    "backends",
    proofs.map(({ host, port, kind }) => ({
      field: "server_proof",
      item: host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`,
      before: null,
      after: kind,
    })),
  );
  return revision;
}
