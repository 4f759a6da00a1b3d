import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { insertSeller } from "./vat.repository.ts";

/** The operator as documents name them, from the settings. */
export interface Seller {
  readonly name: string;
  readonly address: string;
  readonly email: string;
  readonly country: string | null;
  readonly vatId: string | null;
  readonly chargesVat: boolean;
}

/**
 * Stores the seller of the settings where they have changed. Charges and documents read the newest from
 * the database, so that every process goes by the same, and documents keep the one they were issued by.
 */
export async function storeSeller(db: Db, clock: Clock, seller: Seller): Promise<void> {
  const { name, address, email, country, vatId, chargesVat } = seller;
  await db
    .transaction()
    .execute((trx) =>
      insertSeller(
        trx,
        { name, address, email, country, vat_id: vatId, charges_vat: chargesVat },
        { id: newId(), now: clock.now() },
      ),
    );
}
