import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { statusOf } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { finalFailure } from "../load-failure.ts";
import { overviewQuery, serverQuery } from "../shield.queries.ts";

/** Whoever lost their access sees it with the next live figures, not with their next click. */
export function useAccessEnd(serverId: string): void {
  // Only listens: the header and the overview ask.
  const { error } = useQuery({ ...overviewQuery(serverId), refetchInterval: false });
  const isOver = error !== null && finalFailure(statusOf(error)) !== null;
  useEffect(() => {
    if (isOver) void queryClient.invalidateQueries({ queryKey: serverQuery(serverId).queryKey });
  }, [isOver, serverId]);
}
