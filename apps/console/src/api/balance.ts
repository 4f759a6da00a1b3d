import { invalidateByName } from "./invalidate-queries.ts";
import { queryClient } from "./query-client.ts";

/** Whatever shows the balance, or depends on what it covers. */
const families = ["user", "dashboard", "pricing-plans", "servers", "billing"];

/** After money moved: every place shows the new balance, those not on screen when they are next. */
export async function refreshBalance(): Promise<void> {
  await invalidateByName(queryClient, families);
}
