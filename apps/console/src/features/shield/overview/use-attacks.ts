import { attackRoutes, type Attack } from "@palisade/contract/http/attacks";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";

const runningMs = 2_000;
const calmMs = 15_000;

type ListPage = Awaited<ReturnType<typeof pageOf>>;

async function pageOf(id: string, cursor: string | null, signal: AbortSignal) {
  const query = cursor === null ? {} : { cursor };
  return (await call(attackRoutes.listAttacks, { params: { id }, query, signal })).data;
}

/** Attacks, newest first. The newest page is polled; earlier pages are read once, on demand. */
export function useAttacks(id: string) {
  const queryKey = ["servers", id, "attacks"];
  const newest = useQuery({
    queryKey: [...queryKey, "newest"],
    queryFn: ({ signal }) => pageOf(id, null, signal),
    refetchInterval: ({ state }) =>
      state.data?.data.some(isRunning) === true ? runningMs : calmMs,
  });
  // Starts with the first newest page, so that attacks that leave that page stay known.
  const earlier = useInfiniteQuery({
    queryKey: [...queryKey, "earlier"],
    queryFn: ({ pageParam, signal }) => pageOf(id, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: cursor }) => cursor,
    initialData: () => newest.data && { pages: [newest.data], pageParams: [null] },
    enabled: false,
  });
  const { error, isPending, refetch } = newest;
  const attacks = newest.data && allOf(newest.data, earlier.data?.pages ?? []);
  return {
    attacks,
    running: attacks?.find(isRunning),
    error,
    isPending,
    retry: () => void refetch(),
    hasEarlier: earlier.hasNextPage,
    isFetchingEarlier: earlier.isFetchingNextPage,
    showEarlier: () => void earlier.fetchNextPage(),
  };
}

function isRunning({ ended_at: end }: Attack): boolean {
  return end === null;
}

function allOf(newest: ListPage, pages: readonly ListPage[]): Attack[] {
  const shown = new Set(newest.data.map(({ id }) => id));
  const rest = pages.flatMap(({ data }) => data).filter(({ id }) => !shown.has(id));
  return [...newest.data, ...rest];
}
