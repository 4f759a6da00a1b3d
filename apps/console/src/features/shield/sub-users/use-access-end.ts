import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { statusOf } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { finalFailure } from "../load-failure.ts";
import { overviewQuery, serverQuery } from "../shield.queries.ts";

/** Whoever lost their access sees it with the next live figures, not with their next click. */
export function useAccessEnd(serverId: string): void {
  // Only listens: the header and the overview ask.
  const { error } = useQuery({ ...overviewQuery(serverId), enabled: false });
  const isOver = error !== null && finalFailure(statusOf(error)) !== null;
  useEffect(() => {
    if (!isOver) return;
    const { queryKey } = serverQuery(serverId);
    // Where the shield itself has failed to load there is nothing left to find out.
    if (queryClient.getQueryState(queryKey)?.status !== "success") return;
    void queryClient.invalidateQueries({ queryKey });
  }, [isOver, serverId]);
}
