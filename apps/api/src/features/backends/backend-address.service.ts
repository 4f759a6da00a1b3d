import { type BackendPorts, isBackendPort } from "@palisade/contract/backend-ports";
import { fieldError } from "#src/platform/errors/domain-error.ts";
import type { Executor } from "#src/platform/database/db.ts";
import { isPublicBackend, normalizeBackend } from "./backend-address.policy.ts";
import { selectNodeAddresses } from "#src/features/liveness/liveness.service.ts";

export { isPrivateName, isPublicBackend, normalizeBackend } from "./backend-address.policy.ts";

export interface AddressRules {
  /** Private backends may be used: development. */
  readonly anyBackend: boolean;
  /** Private ranges the operator allows as backends. */
  readonly privateBackends: readonly string[];
  readonly ports: BackendPorts;
  /** Names below it lead to our own edges. */
  readonly zone: string;
}

/** Whether edges may dial this address. */
export async function isProtectable(
  db: Executor,
  rules: AddressRules,
  host: string,
): Promise<boolean> {
  if (rules.anyBackend) return true;
  const backend = normalizeBackend(host);
  if (!isPublicBackend(backend, rules.privateBackends)) return false;
  return !(await leadsToUs(db, backend, rules.zone));
}

/** Whether a backend is one of our own edges, which would forward to themselves. */
async function leadsToUs(db: Executor, backend: string, zone: string): Promise<boolean> {
  if (backend === zone || backend.endsWith(`.${zone}`)) return true;
  const own = await selectNodeAddresses(db);
  return own.some((address) => normalizeBackend(address) === backend);
}

/**
 * @param field the name under which the caller sent the port
 * @throws DomainError `validation_failed` for a port of another well-known service
 */
export function requireBackendPort({ ports }: AddressRules, port: number, field: string): void {
  if (!isBackendPort(ports, port)) throw fieldError(field, "real_port.refused");
}
