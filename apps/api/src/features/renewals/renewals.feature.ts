import type { Feature } from "#src/platform/platform.ts";
import { renewalMails } from "./renewal-mails.ts";
import {
  automaticTopUps,
  hourlyBilling,
  renewals,
  trafficLimits,
  type RenewalJobsDeps,
} from "./renewals.jobs.ts";
import { mountRenewalsRoutes } from "./renewals.routes.ts";

export function createRenewalsFeature(deps: RenewalJobsDeps): Feature {
  return {
    mountRoutes: (mount) => mountRenewalsRoutes(mount, deps),
    jobs: [renewals(deps), automaticTopUps(deps), hourlyBilling(deps), trafficLimits(deps)],
    mailTemplates: renewalMails,
  };
}
