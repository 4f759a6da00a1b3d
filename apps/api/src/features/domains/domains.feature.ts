import type { Feature } from "#src/platform/platform.ts";
import { domainMails } from "./domain-mails.ts";
import { domainNotices, domainWatch, type DomainWatchDeps } from "./domain-watch.jobs.ts";
import { domainChecks, domainExpiry, type DomainJobsDeps } from "./domains.jobs.ts";
import { mountDomainsRoutes } from "./domains.routes.ts";

export function createDomainsFeature(deps: DomainJobsDeps & DomainWatchDeps): Feature {
  return {
    mountRoutes: (mount) => mountDomainsRoutes(mount, deps),
    jobs: [domainChecks(deps), domainExpiry(deps), domainWatch(deps), domainNotices(deps)],
    mailTemplates: domainMails,
  };
}
