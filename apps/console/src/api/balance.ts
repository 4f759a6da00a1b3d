import { invalidateByName } from "./invalidate-queries.ts";
import { queryClient } from "./query-client.ts";

/** Queries that show the balance or depend on it. */
const queryNames = ["user", "dashboard", "pricing-plans", "servers", "billing"];

/** Call after a payment: every screen shows the new balance, hidden ones when they are next shown. */
export async function refreshBalance(): Promise<void> {
  await invalidateByName(queryClient, queryNames);
}
