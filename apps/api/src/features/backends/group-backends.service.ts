import { groupServersMax, type backendServerBody } from "@palisade/contract/http/backends";
import type { z } from "zod";
import { DomainError, fieldError } from "#src/platform/errors/domain-error.ts";
import { requireMatch } from "#src/platform/http/etag.ts";
import type { Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import {
  isProtectable,
  normalizeBackend,
  requireBackendPort,
  type AddressRules,
} from "#src/features/backends/backend-address.service.ts";
import { entitlements, type Entitlements } from "#src/features/plans/entitlements.service.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { groupTag } from "./backends.presenter.ts";
import {
  deleteBackend,
  insertBackend,
  selectGroupBackends,
  updateGroup,
  updateBackend,
  updateBackendBedrock,
  type BackendRow,
} from "./backends.repository.ts";
import { readGroup, requireGroup, type GroupRequest } from "./backend-groups.service.ts";

export interface BackendDeps {
  readonly writes: ShieldWrites;
  readonly rules: AddressRules;
}

type BackendRequest = GroupRequest & { readonly groupId: string };
type Address = Pick<BackendRow, "host" | "port">;

export async function addBackend(
  { writes, rules }: BackendDeps,
  trx: Trx,
  request: BackendRequest,
  body: z.output<typeof backendServerBody>,
) {
  const { shieldId, groupId } = request;
  const plan = entitlements(await writes.lockActive(trx, shieldId));
  const group = await requireGroup(trx, shieldId, groupId);
  const address = await requireAddress(trx, rules, body);
  const bedrock = requireBedrock({ plan, rules }, noBedrock, body);
  const servers = await selectGroupBackends(trx, groupId);
  if (servers.length >= groupServersMax) throw new DomainError("group_full");
  requireOnce(servers, address);
  const id = newId();
  const created_at = request.now;
  await insertBackend(trx, { id, group_id: groupId, ...address, ...bedrock, created_at });
  await updateGroup(trx, group, {});
  return committed(writes, trx, request, id);
}

/** Players who are connected stay on the old address; new players go to the new one. */
export async function changeBackend(
  { writes, rules }: BackendDeps,
  trx: Trx,
  request: BackendRequest & { readonly serverId: string },
  body: z.output<typeof backendServerBody>,
) {
  const { shieldId, groupId, serverId } = request;
  const plan = entitlements(await writes.lockActive(trx, shieldId));
  const group = await requireGroup(trx, shieldId, groupId);
  const servers = await selectGroupBackends(trx, groupId);
  const before = servers.find(({ id }) => id === serverId);
  if (before === undefined) throw new DomainError("not_found");
  requireMatch(request, groupTag(group));
  const address = await requireAddress(trx, rules, body);
  requireOnce(
    servers.filter((server) => server !== before),
    address,
  );
  const bedrock = requireBedrock({ plan, rules }, before, body);
  await updateBackend(trx, { ...before, ...address });
  await updateBackendBedrock(trx, { ...before, ...bedrock });
  await updateGroup(trx, group, {});
  return committed(writes, trx, request, serverId);
}

export async function removeBackend(
  { writes }: Pick<BackendDeps, "writes">,
  trx: Trx,
  request: BackendRequest & { readonly serverId: string },
) {
  const { shieldId, groupId, serverId } = request;
  await writes.lockActive(trx, shieldId);
  const group = await requireGroup(trx, shieldId, groupId);
  if (!(await deleteBackend(trx, groupId, serverId))) throw new DomainError("not_found");
  await updateGroup(trx, group, {});
  const backend = await readGroup(trx, request, groupId);
  const { revision } = await writes.commit(trx, shieldId);
  return { backend, revision };
}

async function committed(writes: ShieldWrites, trx: Trx, request: BackendRequest, id: string) {
  const backend = await readGroup(trx, request, request.groupId);
  const entry = backend.ips.find((server) => server.id === id);
  if (entry === undefined) throw new DomainError("not_found");
  const { revision } = await writes.commit(trx, request.shieldId);
  return { entry, backend, revision };
}

async function requireAddress(
  trx: Trx,
  rules: AddressRules,
  { ip, port }: z.output<typeof backendServerBody>,
): Promise<Address> {
  requireBackendPort(rules, port, "port");
  if (!(await isProtectable(trx, rules, ip))) throw fieldError("ip", "real_ip.private");
  return { host: normalizeBackend(ip), port };
}

type BedrockSettings = Pick<BackendRow, "bedrock_port" | "bedrock_proxy">;

const noBedrock: BedrockSettings = { bedrock_port: null, bedrock_proxy: "off" };

/** A setting that the body leaves out stays as it is. */
function requireBedrock(
  { plan, rules }: { readonly plan: Entitlements; readonly rules: AddressRules },
  before: BedrockSettings,
  body: z.output<typeof backendServerBody>,
): BedrockSettings {
  const { bedrock_port = before.bedrock_port, bedrock_proxy = before.bedrock_proxy } = body;
  if (bedrock_port !== null && bedrock_port !== before.bedrock_port) {
    if (!plan.bedrock) throw new DomainError("plan_required");
    requireBackendPort(rules, bedrock_port, "bedrock_port");
  }
  return { bedrock_port, bedrock_proxy };
}

function requireOnce(servers: readonly Address[], { host, port }: Address): void {
  if (!servers.some((server) => server.host === host && server.port === port)) return;
  throw new DomainError("backend_exists", {
    issues: [{ path: "ip", code: "error.backend_exists" }],
  });
}
