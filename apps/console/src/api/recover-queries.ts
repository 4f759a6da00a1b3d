import { type Query, QueryClient } from "@tanstack/react-query";
import { isTransient } from "./errors.ts";

const firstPauseMs = 5_000;
const pauseMsMax = 60_000;

/**
 * Loads again, after pauses that grow, what is on screen and could not be loaded because the api was
 * away or failed. Until it is there, its error stays shown: a button to try again keeps the focus.
 */
export function recoverQueries(client: QueryClient): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = firstPauseMs;
  const schedule = (): void => {
    timer ??= setTimeout(() => void recover(), pauseMs);
  };
  const recover = async (): Promise<void> => {
    await Promise.all(failedQueries(client).map((query) => loadAside(client, query)));
    timer = undefined;
    pauseMs = Math.min(2 * pauseMs, pauseMsMax);
    if (failedQueries(client).length > 0) schedule();
    else pauseMs = firstPauseMs;
  };
  client.getQueryCache().subscribe((event) => {
    if (event.type === "updated" && hasFailed(event.query)) schedule();
  });
}

function failedQueries(client: QueryClient): Query[] {
  return client.getQueryCache().findAll({ type: "active", predicate: hasFailed });
}

function hasFailed({ state }: Query): boolean {
  return state.status === "error" && state.fetchStatus === "idle" && isTransient(state.error);
}

/** Its own `fetch` would show it as loading; this one shows nothing before it has succeeded. */
async function loadAside(client: QueryClient, query: Query): Promise<void> {
  const { queryKey, queryHash, options } = query;
  const aside = new QueryClient();
  await aside.fetchQuery({ ...options, queryKey, retry: false, staleTime: 0 }).then(
    (data) => {
      // After the end of the session, it would be shown to the next user of the browser.
      const isWanted = client.getQueryCache().get(queryHash) === query && hasFailed(query);
      if (isWanted) client.setQueryData(queryKey, data);
    },
    // The next try may do better.
    () => undefined,
  );
  aside.clear();
}
