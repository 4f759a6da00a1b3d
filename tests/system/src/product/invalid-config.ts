import { configSchemaVersion } from "@palisade/contract/edge/shield-config";
import pg from "pg";
import { databaseOf } from "./palisade.ts";

/**
 * Commits a configuration that no api would make, as a new revision of the shield: what a bug or
 * a newer api might send.
 *
 * @returns the revision
 */
export async function commitRawConfig(
  home: string,
  shieldId: string,
  change: (config: Record<string, unknown>) => Record<string, unknown>,
): Promise<number> {
  const { ownerUrl } = await databaseOf(home);
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query("begin");
    const head = await client.query<{ version: string }>(
      "update config_head set version = version + 1 returning version",
    );
    const version = head.rows[0]?.version;
    const shield = await client.query<{ revision: number }>(
      "update shields set revision = revision + 1 where id = $1 returning revision",
      [shieldId],
    );
    const revision = shield.rows[0]?.revision;
    const stored = await client.query<{ config: string }>(
      "select config from shield_configs where shield_id = $1 and schema = $2 for update",
      [shieldId, configSchemaVersion],
    );
    if (revision === undefined || stored.rows[0] === undefined) throw new Error("no such shield");
    const before: Record<string, unknown> = JSON.parse(stored.rows[0].config);
    const config = JSON.stringify(change({ ...before, revision }));
    await client.query(
      `update shield_configs set config = $2, config_bytes = octet_length($2), revision = $3,
        version = $4 where shield_id = $1`,
      [shieldId, config, revision, version],
    );
    await client.query(
      `insert into shield_revisions (shield_id, revision, version, config, committed_at)
        values ($1, $2, $3, $4, clock_timestamp())`,
      [shieldId, revision, version, config],
    );
    await client.query("commit");
    return revision;
  } finally {
    await client.end();
  }
}
