import {
  everyRegion,
  type Backends,
  type createGroupBody,
  type updateGroupBody,
} from "@palisade/contract/http/backends";
import type { Locale } from "@palisade/contract/texts/render";
import type { z } from "zod";
import { DomainError, fieldError } from "#src/platform/errors/domain-error.ts";
import { requireMatch } from "#src/platform/http/etag.ts";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { entitlements } from "#src/features/plans/entitlements.service.ts";
import { knownLocations } from "#src/features/plans/plans.service.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { groupTag, presentGroup } from "./backends.presenter.ts";
import {
  clearDefault,
  deleteGroup,
  insertGroup,
  releaseDomains,
  selectGroup,
  selectGroups,
  selectBedrockHealth,
  selectHealth,
  selectPlanOf,
  selectBackends,
  updateGroup,
  type GroupRow,
} from "./backends.repository.ts";
import {
  freePortsOfDeletedShields,
  lockPortPool,
  selectFreePort,
  type PortPool,
} from "./port-pool.repository.ts";
import { availableRegions, requireRegion } from "./regions.ts";

export interface GroupDeps {
  readonly writes: ShieldWrites;
  readonly ports: PortPool;
}

type Listed = Omit<Backends, "proof_token">;

/** One call about a shield's groups. */
export interface GroupRequest {
  readonly shieldId: string;
  readonly locale: Locale;
  readonly now: Date;
  readonly ifMatch: string | undefined;
}

export async function listBackends(
  db: Executor,
  { shieldId, locale }: Pick<GroupRequest, "shieldId" | "locale">,
): Promise<Listed> {
  const [groups, backends, health, bedrockHealth, row, locations] = await Promise.all([
    selectGroups(db, shieldId),
    selectBackends(db, shieldId),
    selectHealth(db, shieldId),
    selectBedrockHealth(db, shieldId),
    selectPlanOf(db, shieldId),
    knownLocations(db),
  ]);
  const plan = entitlements(row);
  const regionNames = new Map(locations.map(({ name, textOf }) => [name, textOf(locale)]));
  const shown = { locale, regionNames, backends, health, bedrockHealth };
  return {
    backends: groups.map((group) => presentGroup(group, shown)),
    available_regions: availableRegions(locations, plan, locale),
    groups_max: plan.backendGroupsMax,
    bedrock_available: plan.bedrock,
  };
}

/** The group as it is after a change. */
export async function readGroup(
  db: Executor,
  request: Pick<GroupRequest, "shieldId" | "locale">,
  groupId: string,
) {
  const { backends } = await listBackends(db, request);
  const group = backends.find(({ id }) => id === groupId);
  if (group === undefined) throw new DomainError("not_found");
  return group;
}

/** The shield is locked, so of two requests for the last group of the plan one is refused. */
export async function createGroup(
  { writes, ports }: GroupDeps,
  trx: Trx,
  request: GroupRequest,
  body: z.output<typeof createGroupBody>,
) {
  const { shieldId, now } = request;
  const { game = "minecraft", default: isDefault = false } = body;
  const plan = entitlements(await writes.lockActive(trx, shieldId));
  const groups = await selectGroups(trx, shieldId);
  const max = plan.backendGroupsMax;
  if (groups.length >= max) {
    throw new DomainError("plan_limit", { text: "group.limit", values: { max } });
  }
  if (isDefault && game === "other") throw fieldError("default", "group.default_other");
  const region = await requireRegion(trx, body.region ?? everyRegion, { plan });
  if (isDefault) await clearDefault(trx, shieldId);
  const id = newId();
  await insertGroup(trx, {
    id,
    shield_id: shieldId,
    name: body.name,
    game,
    region,
    balancing: body.load_balancing ?? "round_robin",
    proxy_protocol: body.proxy_protocol ?? false,
    is_default: isDefault,
    port: game === "other" ? await takePort(trx, ports, now) : null,
    created_at: now,
  });
  const backend = await readGroup(trx, request, id);
  const { revision } = await writes.commit(trx, shieldId);
  return { backend, revision };
}

/** Fields missing from the body keep their values. */
export async function changeGroup(
  { writes, ports }: GroupDeps,
  trx: Trx,
  request: GroupRequest & { readonly groupId: string },
  body: z.output<typeof updateGroupBody>,
) {
  const { shieldId, groupId, now } = request;
  const plan = entitlements(await writes.lockActive(trx, shieldId));
  const before = await requireGroup(trx, shieldId, groupId);
  requireMatch(request, groupTag(before));
  const game = body.game ?? before.game;
  const isDefault = nextDefault(before, { game, wished: body.default });
  const region =
    body.region === undefined
      ? before.region
      : await requireRegion(trx, body.region, { plan, current: before.region });
  if (isDefault && !before.is_default) await clearDefault(trx, shieldId);
  if (game === "other") await releaseDomains(trx, shieldId, groupId);
  await updateGroup(trx, before, {
    name: body.name ?? before.name,
    game,
    region,
    balancing: body.load_balancing ?? before.balancing,
    proxy_protocol: body.proxy_protocol ?? before.proxy_protocol,
    is_default: isDefault,
    port: game === "other" ? (before.port ?? (await takePort(trx, ports, now))) : null,
  });
  const backend = await readGroup(trx, request, groupId);
  const { revision } = await writes.commit(trx, shieldId);
  return { backend, revision };
}

/** There is always one default group, and it is a Minecraft group. */
function nextDefault(
  { is_default }: GroupRow,
  { game, wished }: { readonly game: GroupRow["game"]; readonly wished: boolean | undefined },
): boolean {
  if (game === "other" && wished === true) throw fieldError("default", "group.default_other");
  if (is_default && (wished === false || game === "other")) {
    throw new DomainError("default_group", { text: "group.needs_default" });
  }
  return wished ?? is_default;
}

export async function removeGroup(
  { writes }: Pick<GroupDeps, "writes">,
  trx: Trx,
  request: Pick<GroupRequest, "shieldId" | "ifMatch"> & { readonly groupId: string },
) {
  const { shieldId, groupId } = request;
  await writes.lockActive(trx, shieldId);
  const group = await requireGroup(trx, shieldId, groupId);
  requireMatch(request, groupTag(group));
  if (group.is_default) {
    const isLast = (await selectGroups(trx, shieldId)).length === 1;
    throw new DomainError(isLast ? "last_group" : "default_group");
  }
  await deleteGroup(trx, shieldId, groupId);
  const { revision } = await writes.commit(trx, shieldId);
  return { revision };
}

/** @throws DomainError `not_found` where the shield has no such group */
export async function requireGroup(trx: Trx, shieldId: string, groupId: string) {
  const group = await selectGroup(trx, shieldId, groupId);
  if (group === undefined) throw new DomainError("not_found");
  return group;
}

/** Two requests for the last free port follow each other: the second one is refused. */
async function takePort(trx: Trx, pool: PortPool, now: Date): Promise<number> {
  await lockPortPool(trx);
  const free = await selectFreePort(trx, pool);
  if (free !== undefined) return free;
  await freePortsOfDeletedShields(trx, now);
  const port = await selectFreePort(trx, pool);
  if (port === undefined) throw new DomainError("pool_exhausted");
  return port;
}
