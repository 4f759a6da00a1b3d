import { routes } from "@palisade/contract/http/routes";
import { readGroup } from "#src/features/backends/backend-groups.service.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import {
  findProof,
  proofTokenOf,
  requireTarget,
  storeProof,
  type ProofDeps,
} from "./backend-proofs.service.ts";

export function mountBackendProofsRoutes(mount: Mount, deps: ProofDeps): void {
  mount(routes.backends.checkBackendProof, async (ctx, { params }) => {
    const { backendId: groupId, ipId: serverId } = params;
    const shieldId = ctx.shield.id;
    const target = await requireTarget(deps.db, { shieldId, groupId, serverId });
    if (ctx.shield.status !== "active") throw new DomainError("server_not_active");
    const { userId } = ctx.actor;
    const by = { asker: userId, dns: { kind: "doctor", userId }, signal: ctx.signal } as const;
    // The look takes its time; only what it proves is written, in a transaction of its own.
    const { found, names } = await findProof(deps, target, by);
    const revision =
      found === undefined
        ? null
        : await unitOfWork(ctx, (trx) => storeProof(deps, trx, target, { ...found, now: ctx.now }));
    const backend = await readGroup(deps.db, { shieldId, locale: ctx.locale }, groupId);
    const entry = backend.ips.find(({ id }) => id === serverId);
    if (entry === undefined) throw new DomainError("not_found");
    const message = ctx.text(entry.proof.proven ? "ok.backend_proven" : "ok.backend_unproven");
    const value = proofTokenOf(deps.proofKeys, shieldId);
    const records = names.map((name) => ({ type: "TXT" as const, name, value }));
    return { body: { message, revision, backend, entry, records } };
  });
}
