import { routes } from "@palisade/contract/http/routes";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import type { DomainJobsDeps } from "./domains.jobs.ts";
import { checkClaim, findClaimable } from "./domains.service.ts";
import { presentCheck } from "./shield-domains.presenter.ts";
import {
  addDomain,
  changeDomain,
  checkShieldDomain,
  findWanted,
  listDomains,
  removeDomain,
  restoreDomain,
  setUpDomain,
} from "./shield-domains.service.ts";

export function mountDomainsRoutes(mount: Mount, deps: DomainJobsDeps): void {
  const { db, writes } = deps;
  mount(routes.domains.checkDomain, async (ctx, { body }) => {
    const caller = { userId: ctx.actor.userId, now: ctx.now };
    const domain = await findClaimable(deps, caller, body.domain);
    return { body: { available: true as const, domain } };
  });
  mount(routes.domains.checkCname, async (ctx, { body }) => {
    const caller = { userId: ctx.actor.userId, now: ctx.now };
    const claim = { domain: body.domain, cname: body.cname_record };
    // The look takes its time; only what it proves is written, in a transaction of its own.
    const check = await checkClaim(deps, caller, claim, (work) => unitOfWork(ctx, work));
    return { body: presentCheck(ctx, check) };
  });
  mount(routes.shieldDomains.listDomains, async (_ctx, { params }) => {
    return { body: await listDomains(db, params.id) };
  });
  mount(routes.shieldDomains.addDomain, async (ctx, { params, body }) => {
    const caller = { userId: ctx.actor.userId, shieldId: params.id };
    const wanted = await findWanted(deps, caller, body.domain);
    return unitOfWork(ctx, async (trx) => {
      const target = { ...caller, callerId: caller.userId, now: ctx.now };
      const added = await addDomain(deps, trx, target, wanted);
      return { body: { message: ctx.text("ok.domain_added"), ...added } };
    });
  });
  mount(routes.shieldDomains.updateDomain, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const named = { shieldId: params.id, domainId: params.domainId };
      const changed = await changeDomain(writes, trx, named, body);
      return { body: { message: ctx.text("ok.domain_updated"), ...changed } };
    }),
  );
  mount(routes.shieldDomains.removeDomain, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      const named = { shieldId: params.id, domainId: params.domainId };
      const { revision, restorableUntil } = await removeDomain(writes, trx, named, ctx.now);
      const restorable_until = restorableUntil.toISOString();
      return { body: { message: ctx.text("ok.domain_deleted"), revision, restorable_until } };
    }),
  );
  mount(routes.shieldDomains.restoreDomain, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      const named = { shieldId: params.id, domainId: params.domainId };
      const restored = await restoreDomain(writes, trx, named, ctx.now);
      return { body: { message: ctx.text("ok.domain_restored"), ...restored } };
    }),
  );
  mount(routes.shieldDomains.getDomainSetup, async (ctx, { params, query }) => {
    const named = { shieldId: params.id, domainId: params.domainId };
    const asked = { userId: ctx.actor.userId, isLooking: query.look !== "false" };
    const { check, ...setup } = await setUpDomain(deps, named, asked);
    return { body: { ...setup, dns: check === null ? null : presentCheck(ctx, check) } };
  });
  mount(routes.shieldDomains.checkShieldDomain, async (ctx, { params }) => {
    if (ctx.shield.status !== "active") throw new DomainError("server_not_active");
    const named = { shieldId: params.id, domainId: params.domainId };
    const caller = { userId: ctx.actor.userId, now: ctx.now };
    const { check, ...seen } = await checkShieldDomain(deps, named, caller, (work) =>
      unitOfWork(ctx, work),
    );
    return { body: { ...seen, dns: presentCheck(ctx, check) } };
  });
}
