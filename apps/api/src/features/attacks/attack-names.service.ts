import type { Trx } from "#src/platform/database/db.ts";
import { deleteNames } from "./attack-details.repository.ts";
import { lockAttacks } from "./attack-parts.repository.ts";

/**
 * Erases a player's name from the attacks on a shield. A name with digits is there only as the shape
 * it shares with others, which goes too. An edge that still reports an attack tells its names again.
 *
 * @param player their name, in any case
 */
export async function eraseNames(trx: Trx, shieldId: string, player: string): Promise<void> {
  // Reports write several of these rows in an order of their own.
  await lockAttacks(trx, [shieldId]);
  await deleteNames(trx, shieldId, player.toLowerCase().replaceAll(/[0-9]/g, "#"));
}
