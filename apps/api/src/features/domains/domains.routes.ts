import { routes } from "@palisade/contract/http/routes";
import { unitOfWork } from "#src/platform/http/unit-of-work.ts";
import type { Feature } from "#src/platform/platform.ts";
import { domainChecks, domainExpiry, type DomainJobsDeps } from "./domains.jobs.ts";
import { checkClaim, findClaimable } from "./domains.service.ts";

export function createDomainsFeature(deps: DomainJobsDeps): Feature {
  return {
    mountRoutes(mount) {
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
        return {
          body: {
            verified: check.verified,
            found: [...check.found],
            expected: check.expected,
            alternatives: [...check.alternatives],
            diagnosis: { code: check.code, message: ctx.text(`dns.${check.code}`) },
          },
        };
      });
    },
    jobs: [domainChecks(deps), domainExpiry(deps)],
  };
}
