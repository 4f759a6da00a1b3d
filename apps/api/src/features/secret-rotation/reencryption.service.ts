import type { Db } from "#src/platform/database/db.ts";
import { deriveKeys, type Secrets } from "#src/platform/security/derived-key.ts";
import { createSealer, type Sealer } from "#src/platform/security/sealing.ts";
import {
  lockSealedTexts,
  replaceSealedText,
  sealedColumns,
  type SealedColumn,
  type SealedText,
} from "./reencryption.repository.ts";

const purposes: Readonly<Record<keyof typeof sealedColumns, string>> = {
  "two-factor secrets": "two-factor",
  "backup codes that can still be read": "two-factor",
  "profile API keys": "profile-api-keys",
  "Discord webhooks": "discord-webhooks",
  "keys of certificates": "certificates",
  "keys of accounts at CAs": "certificates",
  "addresses of webhooks": "webhooks",
  "secrets of webhooks": "webhooks",
  "former secrets of webhooks": "webhooks",
  "addresses of subscribers to the status page": "status-subscriptions",
  "secrets of subscribers to the status page": "status-subscriptions",
};
/** Locked at a time, so that logins wait for moments only. */
const batchRows = 200;

export interface Reencryption {
  readonly name: string;
  readonly done: number;
  /** Neither the current secret nor a former one opens these. They are left as they are. */
  readonly unreadable: number;
}

/**
 * Seals everything that is kept under a former secret again, under the current one. Can be repeated,
 * and ended at any time, while the api serves.
 */
export async function reencryptSecrets(db: Db, secrets: Secrets): Promise<readonly Reencryption[]> {
  const results: Reencryption[] = [];
  for (const [name, column] of Object.entries(sealedColumns)) {
    // The names are those of the table above.
    const purpose = purposes[name as keyof typeof sealedColumns];
    const sealer = createSealer(deriveKeys(secrets, purpose));
    results.push({ name, ...(await reencryptColumn(db, column, sealer)) });
  }
  return results;
}

async function reencryptColumn(db: Db, column: SealedColumn, sealer: Sealer) {
  let after: string | null = null;
  let done = 0;
  let unreadable = 0;
  for (;;) {
    const page = { prefix: sealer.currentPrefix, after, max: batchRows };
    const rows = await db.transaction().execute(async (trx) => {
      const locked = await lockSealedTexts(trx, column, page);
      for (const row of locked) {
        const sealed = resealed(sealer, row);
        if (sealed === undefined) unreadable += 1;
        else {
          await replaceSealedText(trx, column, { id: row.id, sealed });
          done += 1;
        }
      }
      return locked;
    });
    const last = rows.at(-1);
    if (last === undefined) return { done, unreadable };
    after = last.id;
  }
}

function resealed(sealer: Sealer, { sealed, subject }: SealedText): string | undefined {
  try {
    return sealer.seal(sealer.open(sealed, subject), subject);
  } catch {
    return undefined;
  }
}
