import { bedrockPortsMax } from "@palisade/contract/edge/shield-config";
import type { Bedrock } from "@palisade/contract/http/bedrock";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { etagOf, requireMatch } from "#src/platform/http/etag.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { edgeAddresses } from "#src/features/origin/origin.service.ts";
import { entitlements } from "#src/features/plans/entitlements.service.ts";
import { removePort as removeRow, selectPorts } from "./bedrock-ports.repository.ts";
import { takeDefaultPort, takeRandomPort, type BedrockPorts } from "./bedrock-ports.service.ts";
import {
  hasBedrockServer,
  lockAnyStatus,
  selectBedrock,
  selectFirstDomain,
  setDefaultGranted,
  setEnabled,
} from "./bedrock.repository.ts";

export interface BedrockDeps {
  readonly writes: ShieldWrites;
  readonly ports: BedrockPorts;
}

interface Request {
  readonly shieldId: string;
  readonly now: Date;
}

export async function getBedrock(
  db: Executor,
  { standard }: BedrockPorts,
  shieldId: string,
): Promise<{ readonly bedrock: Bedrock; readonly etag: string }> {
  const stored = await selectBedrock(db, shieldId);
  const held = await selectPorts(db, shieldId);
  const domain = (await selectFirstDomain(db, shieldId)) ?? stored.cname_record;
  const isAllowed = entitlements(stored).bedrock;
  const hasRoom = isAllowed && held.length < bedrockPortsMax;
  const hasDefault = held.some(({ location }) => location !== null);
  const bedrock: Bedrock = {
    ports: held.map(({ id, port }) => ({ id, domain, port })),
    ports_max: bedrockPortsMax,
    default_port: standard,
    bedrock_enabled: isAllowed && stored.enabled,
    has_server: await hasBedrockServer(db, shieldId),
    needs_upgrade: !isAllowed,
    add_default_available: hasRoom && stored.default_granted && !hasDefault,
    add_random_available: hasRoom,
    request_default_available: isAllowed && !stored.default_granted && !hasDefault,
    edge_addresses: await edgeAddresses(db),
  };
  return { bedrock, etag: etagOf(["bedrock", stored.version]) };
}

export async function updateBedrock(
  deps: BedrockDeps,
  trx: Trx,
  request: Request & { readonly ifMatch: string | undefined },
  enabled: boolean,
) {
  const { shieldId } = request;
  await lockAllowed(deps, trx, shieldId);
  requireMatch(request, (await getBedrock(trx, deps.ports, shieldId)).etag);
  await setEnabled(trx, shieldId, enabled);
  return committed(deps, trx, shieldId);
}

export async function addRandomPort(deps: BedrockDeps, trx: Trx, request: Request) {
  await lockAllowed(deps, trx, request.shieldId);
  await requireRoom(trx, request.shieldId);
  await takeRandomPort(trx, deps.ports.pool, request);
  return committed(deps, trx, request.shieldId);
}

export async function addDefaultPort(deps: BedrockDeps, trx: Trx, request: Request) {
  const { shieldId } = request;
  await lockAllowed(deps, trx, shieldId);
  const { default_granted, location } = await selectBedrock(trx, shieldId);
  if (!default_granted) throw new DomainError("forbidden", { text: "bedrock.default_right" });
  const held = await requireRoom(trx, shieldId);
  if (held.some((port) => port.location !== null)) {
    throw new DomainError("conflict", { text: "bedrock.default_there" });
  }
  await takeDefaultPort(trx, deps.ports, { ...request, location });
  return committed(deps, trx, shieldId);
}

/** Also without Bedrock in the plan: an owner may tidy up. */
export async function removePort(
  deps: BedrockDeps,
  trx: Trx,
  { shieldId, now, portId }: Request & { readonly portId: string },
) {
  await deps.writes.lockActive(trx, shieldId);
  if (!(await removeRow(trx, shieldId, portId, now))) throw new DomainError("not_found");
  return committed(deps, trx, shieldId);
}

/**
 * Staff grant a shield the default port, or take it away with the right to it. A right that is
 * so already is no error.
 */
export async function grantDefault(
  { writes }: Pick<BedrockDeps, "writes">,
  trx: Trx,
  { shieldId, now, granted }: Request & { readonly granted: boolean },
): Promise<void> {
  const shield = await lockAnyStatus(trx, shieldId);
  if (shield === undefined) throw new DomainError("not_found");
  if (shield.status === "deleted") throw new DomainError("gone");
  const before = await selectBedrock(trx, shieldId);
  if (before.default_granted === granted) return;
  await setDefaultGranted(trx, shieldId, granted);
  const held = granted ? [] : await selectPorts(trx, shieldId);
  for (const { id, location } of held) {
    if (location !== null) await removeRow(trx, shieldId, id, now);
  }
  await writes.commit(trx, shieldId);
}

/** For staff. */
export async function bedrockOfShield(db: Executor, shieldId: string) {
  const { default_granted } = await selectBedrock(db, shieldId);
  const held = await selectPorts(db, shieldId);
  return { default_granted, ports: held.map(({ port }) => port) };
}

async function lockAllowed({ writes }: BedrockDeps, trx: Trx, shieldId: string): Promise<void> {
  const shield = await writes.lockActive(trx, shieldId);
  if (!entitlements(shield).bedrock) throw new DomainError("plan_required");
}

/** The shield is locked, so of two requests for its last port one is refused. */
async function requireRoom(trx: Trx, shieldId: string) {
  const held = await selectPorts(trx, shieldId);
  if (held.length < bedrockPortsMax) return held;
  throw new DomainError("ports_full", { values: { max: bedrockPortsMax } });
}

async function committed({ writes, ports }: BedrockDeps, trx: Trx, shieldId: string) {
  const after = await getBedrock(trx, ports, shieldId);
  const { revision } = await writes.commit(trx, shieldId);
  return { ...after, revision };
}
