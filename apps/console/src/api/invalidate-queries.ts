import type { Query, QueryClient } from "@tanstack/react-query";

/**
 * Reads every query again whose key begins with one of the names; queries that are not on screen are
 * read when they are next shown. `invalidateQueries` alone joins a first read that is under way,
 * which may have been answered before the change. This function repeats it.
 */
export async function invalidateByName(
  client: QueryClient,
  names: readonly string[],
): Promise<void> {
  const joinsFirstRead = names.some((name) => isFirstRead(client, name));
  await invalidate(client, names);
  if (joinsFirstRead) await invalidate(client, names);
}

async function invalidate(client: QueryClient, names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })));
}

function isFirstRead(client: QueryClient, name: string): boolean {
  const predicate = ({ state }: Query): boolean => state.data === undefined;
  return client.isFetching({ queryKey: [name], predicate }) > 0;
}
