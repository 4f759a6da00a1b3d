import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { configSchemaVersion } from "@palisade/contract/edge/shield-config";
import type { Client } from "@palisade/contract/http/client";
import { routes } from "@palisade/contract/http/routes";
import { decodeLastGood } from "@palisade/control-client/last-good-file";
import { until } from "@palisade/testing/until";
import pg from "pg";
import { z } from "zod";
import { databaseOf } from "../product/palisade.ts";
import type { WriteLoad } from "./write-load.ts";

/** A sentence for each acknowledged write that is missing or wrong. */
export async function lostWrites(
  owner: Client,
  shieldIds: readonly string[],
  load: WriteLoad,
): Promise<string[]> {
  const broken: string[] = [];
  for (const id of shieldIds) {
    const { data } = await owner(routes.firewall.getFirewall, { params: { id } });
    const stored = data.blacklist_ips.map(({ ip }) => ip);
    const { present, absent } = load.expectedEntries(id);
    for (const ip of present) {
      if (!stored.includes(ip)) broken.push(`${id}: ${ip} was added but is missing`);
    }
    for (const ip of absent) {
      if (stored.includes(ip)) broken.push(`${id}: ${ip} was removed but is still there`);
    }
    if (new Set(stored).size !== stored.length) broken.push(`${id}: an entry is there twice`);
  }
  return broken;
}

/**
 * Waits until the edge's copy on disk is, shield by shield, what the database holds.
 *
 * @throws when it does not come to that, with the difference as the cause
 */
export async function edgeEqualsDatabase(home: string): Promise<number> {
  const { ownerUrl } = await databaseOf(home);
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    return await until(
      async () => {
        const { rows } = await client.query<{ shield_id: string; config: string }>(
          "select shield_id, config from shield_configs where schema = $1 and cardinality(locations) > 0",
          [configSchemaVersion],
        );
        const held = await configsOnDisk(path.join(home, "edge/config"));
        for (const row of rows) {
          if (!isDeepStrictEqual(held.get(row.shield_id), JSON.parse(row.config))) {
            throw new Error(`shield ${row.shield_id} differs`);
          }
        }
        if (held.size !== rows.length) throw new Error("the edge holds other shields");
        return rows.length;
      },
      { capMs: 60_000, what: "the edge's configuration to equal the database" },
    );
  } finally {
    await client.end();
  }
}

/** Reads the files of the running edge without changing them. */
async function configsOnDisk(folder: string): Promise<Map<string, unknown>> {
  const held = new Map<string, unknown>();
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".shield")) continue;
    const payload = decodeLastGood(await readFile(path.join(folder, name)));
    if (payload === null) throw new Error(`${name} is damaged`);
    const record = z.object({ shield_id: z.string(), config: z.unknown() });
    const { shield_id, config } = record.parse(JSON.parse(payload));
    held.set(shield_id, config);
  }
  return held;
}
