import type { Query, QueryClient } from "@tanstack/react-query";

/**
 * Has everything read again whose key begins with one of the names; what is not on screen when it is
 * next. Unlike `invalidateQueries` alone also what is being read for the first time: that read is
 * joined, not repeated, and may have been answered before whatever has changed.
 */
export async function invalidateByName(
  client: QueryClient,
  families: readonly string[],
): Promise<void> {
  const joinsFirstRead = families.some((family) => isFirstRead(client, family));
  await invalidate(client, families);
  if (joinsFirstRead) await invalidate(client, families);
}

async function invalidate(client: QueryClient, families: readonly string[]): Promise<void> {
  await Promise.all(families.map((family) => client.invalidateQueries({ queryKey: [family] })));
}

function isFirstRead(client: QueryClient, family: string): boolean {
  const predicate = ({ state }: Query): boolean => state.data === undefined;
  return client.isFetching({ queryKey: [family], predicate }) > 0;
}
