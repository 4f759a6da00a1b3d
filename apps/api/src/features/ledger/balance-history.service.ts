import type { Executor } from "#src/platform/database/db.ts";
import { selectDailyChanges } from "./ledger.repository.ts";
import { readCents } from "./money.service.ts";

const dayMs = 86_400_000;

/**
 * The balance at the end of each of the last `days` days (UTC), oldest first. The last one is
 * `nowCents`, the present balance; the others are calculated backwards from it.
 */
export async function balanceHistory(
  db: Executor,
  userId: string,
  { nowCents, now, days }: { readonly nowCents: number; readonly now: Date; readonly days: number },
): Promise<number[]> {
  const today = Math.floor(now.getTime() / dayMs);
  const dayAt = (index: number) => new Date((today - days + 1 + index) * dayMs);
  const changes = new Map(
    (await selectDailyChanges(db, userId, dayAt(0))).map(({ day, cents }) => [
      day,
      readCents(cents),
    ]),
  );
  const balances = Array.from({ length: days }, () => nowCents);
  for (let index = days - 2; index >= 0; index -= 1) {
    const dayAfter = dayAt(index + 1)
      .toISOString()
      .slice(0, 10);
    balances[index] = (balances[index + 1] ?? nowCents) - (changes.get(dayAfter) ?? 0);
  }
  return balances;
}
