import type { Bus } from "#src/platform/database/bus.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { hashToken, newToken, tokenPrefixes } from "#src/platform/security/tokens.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { Jobs } from "#src/platform/jobs/jobs.ts";
import type { EdgeAccess } from "#src/platform/http/pipeline/authentication.ts";
import { renewCookieKeys } from "#src/features/configuration/cookie-keys.service.ts";
import { requireKnownLocation } from "#src/features/plans/plans.service.ts";
import { edgesChannel } from "#src/features/liveness/liveness.service.ts";
import type { NodeKind } from "#src/schema/edges.ts";
import { presentEdge } from "./edges.presenter.ts";
import {
  enrolEdge,
  hasOtherEdge,
  insertEdge,
  lockDrainable,
  putNextCredential,
  revokeEdge,
  selectEdge,
  selectEdgeByCredential,
  selectEdgeByName,
  selectEdges,
  setDrained,
  takeNextCredential,
} from "./edges.repository.ts";

/** How long an invitation can be used. */
const tokenLifeMs = 86_400_000;
/** An edge that is away for the time between the two has to be invited again. */
const credentialLifeMs = 90 * 86_400_000;
const credentialRenewalMs = 30 * 86_400_000;
const invitationPrefix = "psi_";

export interface Invitation {
  readonly name: string;
  readonly location: string;
  readonly kind: NodeKind;
}

export async function listEdges(db: Db) {
  return (await selectEdges(db)).map(presentEdge);
}

/**
 * A new node with its one-time token, which is stored hashed and shown here only.
 *
 * @throws DomainError `conflict` where the name is taken, `location_unavailable`
 */
export async function inviteEdge(trx: Trx, invitation: Invitation, now: Date) {
  await requireKnownLocation(trx, invitation.location);
  const id = newId();
  const token = newToken(invitationPrefix);
  const isNew = await insertEdge(trx, {
    id,
    name: invitation.name,
    kind: invitation.kind,
    location: invitation.location,
    token_hash: hashToken(token),
    token_expires_at: new Date(now.getTime() + tokenLifeMs),
    credential_hash: null,
    credential_expires_at: null,
    next_credential_hash: null,
    next_credential_expires_at: null,
    addresses: "[]",
    created_at: now,
    enrolled_at: null,
    last_seen_at: null,
    revoked_at: null,
    boot_id: null,
    vpn_lists: null,
  });
  if (!isNew) {
    throw new DomainError("conflict", { issues: [{ path: "name", code: "error.conflict" }] });
  }
  const row = await selectEdge(trx, id);
  if (row === undefined) throw new Error("the edge just inserted is not there");
  return { edge: presentEdge(row), token };
}

export interface RevokeDeps {
  readonly bus: Pick<Bus, "notify">;
  readonly jobs?: Jobs;
}

/** Like `inviteEdge`, for a machine that lost its credential: a node of that name is revoked first. */
export async function reinviteEdge(deps: RevokeDeps, trx: Trx, invitation: Invitation, now: Date) {
  const before = await selectEdgeByName(trx, invitation.kind, invitation.name);
  if (before !== undefined) await revoke(deps, trx, before.id);
  return inviteEdge(trx, invitation, now);
}

/**
 * Revokes the node's credential and, through the bus, ends its stream on every replica. The shields
 * of its location get new cookie keys, because the node knows the old ones.
 */
export async function revoke(deps: RevokeDeps, trx: Trx, edgeId: string): Promise<void> {
  const node = await revokeEdge(trx, edgeId);
  if (node === undefined) throw new DomainError("not_found");
  const hasLearnt = node.kind === "edge" && node.enrolled_at !== null;
  if (hasLearnt) await renewCookieKeys(deps.jobs, trx, node.location);
  await deps.bus.notify(trx, edgesChannel, edgeId);
}

/**
 * Drains an edge: zone DNS stops naming it, and it gets no probes of the console. Players who are
 * on it stay, and so do those who know its address. Zone DNS learns it within seconds.
 *
 * @throws DomainError `not_found`; `last_edge` where no other edge of the location takes new players
 */
export async function drain(
  deps: { readonly bus: Pick<Bus, "notify"> },
  trx: Trx,
  order: { readonly edgeId: string; readonly drained: boolean; readonly evenLast: boolean },
): Promise<void> {
  const { edgeId, drained, evenLast } = order;
  const edge = await lockDrainable(trx, edgeId);
  if (edge === undefined) throw new DomainError("not_found");
  if (edge.drained === drained) return;
  if (drained && !evenLast && !(await hasOtherEdge(trx, edge.location, edgeId))) {
    throw new DomainError("last_edge");
  }
  await setDrained(trx, edgeId, drained);
  await deps.bus.notify(trx, edgesChannel, edgeId);
}

/** Exchanges a one-time token for the credential of the node. */
export async function enrol(
  deps: { readonly bus: Pick<Bus, "notify"> },
  trx: Trx,
  request: { readonly token: string; readonly addresses: readonly string[]; readonly now: Date },
) {
  const credential = newToken(tokenPrefixes.edge);
  const times = credentialTimes(request.now);
  const edge = await enrolEdge(trx, {
    credentialExpiresAt: times.expiresAt,
    tokenHash: hashToken(request.token),
    credentialHash: hashToken(credential),
    addresses: request.addresses,
    now: request.now,
  });
  if (edge === undefined) throw new DomainError("enrolment_refused");
  await deps.bus.notify(trx, edgesChannel, edge.id);
  const { id: edge_id, kind, location } = edge;
  return { edge_id, kind, location, credential, ...presentTimes(times) };
}

/** A new credential beside the one of the call, which works until the new one is used. */
export async function renewCredential(trx: Trx, edgeId: string, now: Date) {
  const credential = newToken(tokenPrefixes.edge);
  const times = credentialTimes(now);
  await putNextCredential(trx, edgeId, { hash: hashToken(credential), expiresAt: times.expiresAt });
  return { credential, ...presentTimes(times) };
}

function credentialTimes(now: Date) {
  return {
    expiresAt: new Date(now.getTime() + credentialLifeMs),
    renewAt: new Date(now.getTime() + credentialRenewalMs),
  };
}

function presentTimes({ expiresAt, renewAt }: ReturnType<typeof credentialTimes>) {
  return { expires_at: expiresAt.toISOString(), renew_at: renewAt.toISOString() };
}

/** @throws DomainError `credential_expired`, which says how to enrol again */
export const edgeAccess: EdgeAccess = async (executor, credential, now) => {
  const hash = hashToken(credential);
  const edge =
    (await selectEdgeByCredential(executor, hash)) ?? (await takeNextCredential(executor, hash));
  if (edge === undefined) return null;
  if (edge.expires_at !== null && edge.expires_at <= now) {
    throw new DomainError("credential_expired");
  }
  return { kind: "edge", edgeId: edge.id, nodeKind: edge.kind, location: edge.location };
};
