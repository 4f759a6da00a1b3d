import { sql, type Expression, type RawBuilder } from "kysely";
import type { Trx } from "#src/platform/database/db.ts";

/** SQL: the icon of the shield's first Minecraft backend that has one, in the order edges try them. */
export function faviconPng(shieldId: Expression<string>): RawBuilder<Buffer | null> {
  return sql<Buffer | null>`(select png from ${firstFavicon(shieldId)})`;
}

/** SQL: what tells that icon from every other; null without one. */
export function faviconFingerprint(shieldId: Expression<string>): RawBuilder<string | null> {
  return sql<string | null>`(select fingerprint from ${firstFavicon(shieldId)})`;
}

function firstFavicon(shieldId: Expression<string>) {
  return sql`backend_groups
    join backends on backends.group_id = backend_groups.id
    join backend_favicons on backend_favicons.backend_id = backends.id
    where backend_groups.shield_id = ${shieldId} and backend_groups.game = 'minecraft'
      and backend_favicons.png is not null
    order by backend_groups.is_default desc, backend_groups.id, backends.id
    limit 1`;
}

export interface ReportedFavicon {
  readonly shield_id: string;
  readonly backend_id: string;
  readonly png: Buffer | null;
  readonly fingerprint: string | null;
}

/**
 * Replaces the icons of these backends, one entry each. Leaves out backends that are gone or belong
 * to another shield than the report says. The backends are locked, so that none is deleted before
 * `trx` ends, and always in the same order.
 */
export async function replaceFavicons(
  trx: Trx,
  favicons: readonly ReportedFavicon[],
): Promise<void> {
  const rows = favicons.map(({ png, ...row }) => ({
    ...row,
    png: png?.toString("base64") ?? null,
  }));
  await sql`
    insert into backend_favicons as known (backend_id, png, fingerprint, changed_at)
    select backend.id, decode(reported.png, 'base64'), reported.fingerprint, clock_timestamp()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as reported (
      shield_id uuid, backend_id uuid, png text, fingerprint text)
    join backends backend on backend.id = reported.backend_id
    join backend_groups owning on owning.id = backend.group_id
      and owning.shield_id = reported.shield_id
    where reported.png is not null
      or exists (select from backend_favicons former where former.backend_id = backend.id)
    order by backend.id
    for key share of backend
    on conflict (backend_id) do update set png = excluded.png,
      fingerprint = excluded.fingerprint, changed_at = excluded.changed_at
    where known.fingerprint is distinct from excluded.fingerprint
  `.execute(trx);
}
