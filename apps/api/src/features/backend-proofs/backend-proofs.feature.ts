import type { Feature } from "#src/platform/platform.ts";
import { proofChecks, proofPublishing, type ProofJobsDeps } from "./backend-proofs.jobs.ts";
import { mountBackendProofsRoutes } from "./backend-proofs.routes.ts";

export function createBackendProofsFeature(deps: ProofJobsDeps): Feature {
  return {
    jobs: [proofChecks(deps), proofPublishing(deps)],
    mountRoutes: (mount) => mountBackendProofsRoutes(mount, deps),
  };
}
