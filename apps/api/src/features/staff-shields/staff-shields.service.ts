import { toPage } from "@palisade/contract/http/paging";
import type { StaffShieldDetails } from "@palisade/contract/http/staff-shields";
import type { Locale } from "@palisade/contract/texts/render";
import { bedrockOfShield } from "#src/features/bedrock/bedrock.service.ts";
import { edgesOfShield } from "#src/features/configuration/propagation.service.ts";
import { newestChanges } from "#src/features/shield-history/shield-history.service.ts";
import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { presentAction, presentShield, presentSubscription } from "./staff-shields.presenter.ts";
import {
  countShields,
  selectActions,
  selectBackends,
  selectDomains,
  selectMembers,
  selectShield,
  selectShields,
  type ShieldSearch,
} from "./staff-shields.repository.ts";

const newestMax = 50;

export async function findShields(
  db: Db,
  search: ShieldSearch,
  { page, perPage }: { readonly page: number; readonly perPage: number },
) {
  const total = await countShields(db, search);
  const window = { limit: perPage, offset: (page - 1) * perPage };
  const rows = await selectShields(db, search, window);
  return toPage(rows.map(presentShield), page, perPage, total);
}

/** @throws DomainError `not_found` */
export async function readShield(db: Db, id: string, locale: Locale): Promise<StaffShieldDetails> {
  const row = await selectShield(db, id);
  if (row === undefined) throw new DomainError("not_found");
  const domains = await selectDomains(db, id);
  return {
    ...presentShield(row),
    blocked_reason: row.blocked_reason,
    deleted_at: row.deleted_at?.toISOString() ?? null,
    traffic_used_up: row.traffic_used_up,
    revision: row.revision,
    bedrock: await bedrockOfShield(db, id),
    subscription: presentSubscription(row),
    domains: domains.map(({ name, verified_at }) => ({
      name,
      verified_at: verified_at?.toISOString() ?? null,
    })),
    backends: await selectBackends(db, id),
    edges: await edgesOfShield(db, id),
    members: await selectMembers(db, id),
    history: await newestChanges(db, id, { limit: newestMax, locale }),
    actions: (await selectActions(db, id, newestMax)).map(presentAction),
  };
}
