import { attackRoutes } from "@palisade/contract/http/attacks";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";

const runningMs = 2_000;
const calmMs = 15_000;

/** The newest first, page by page; asked often while one of them is going on. */
export function attacksQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ["servers", id, "attacks"],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = cursor === null ? {} : { cursor };
      return (await call(attackRoutes.listAttacks, { params: { id }, query, signal })).data;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: cursor }) => cursor,
    refetchInterval: ({ state }) => {
      const isRunning = state.data?.pages[0]?.data.some(({ ended_at: end }) => end === null);
      return isRunning === true ? runningMs : calmMs;
    },
  });
}
