import { quoteMinutes, type PlanQuote } from "@palisade/contract/http/plan-changes";
import { useInterval } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { queryClient } from "#src/api/query-client.ts";

const quoteMs = quoteMinutes * 60_000;
/** Pages that show a quote read it under this name. */
const quoteName = "plan-quote";

export interface HeldQuote {
  readonly quote: PlanQuote | undefined;
  readonly error: Error | null;
  /** The first price, or the one after it: nothing can be confirmed until it is there. */
  readonly isAsking: boolean;
  /** It is not the first price of this plan. */
  readonly wasRenewed: boolean;
  readonly secondsLeft: number;
  readonly ask: () => void;
}

/**
 * The price of a change of plan. It is held for some minutes, counted from its arrival because the
 * browser's clock may be wrong; then it is asked for again.
 *
 * @param target what is quoted: the shield or the account, and the plan; null while none is chosen
 */
export function useHeldQuote(
  target: readonly [subject: string, planId: string] | null,
  request: (planId: string, signal: AbortSignal) => Promise<PlanQuote>,
): HeldQuote {
  const queryKey = [quoteName, ...(target ?? [])];
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const isRenewed = queryClient.getQueryData(queryKey) !== undefined;
      return { quote: await request(target?.[1] ?? "", signal), isRenewed };
    },
    enabled: target !== null,
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const { data, dataUpdatedAt, isFetching, isError, refetch } = query;
  const secondsLeft = useSecondsUntil(dataUpdatedAt + quoteMs);
  const isOver = data !== undefined && secondsLeft === 0;
  useEffect(() => {
    if (!isOver || isFetching || isError) return;
    void refetch();
  }, [isOver, isFetching, isError, refetch]);

  return {
    quote: data?.quote,
    error: query.error,
    isAsking: isFetching || isOver,
    wasRenewed: data?.isRenewed ?? false,
    secondsLeft,
    ask: () => void refetch(),
  };
}

/** Whole seconds, never below 0. */
function useSecondsUntil(timeMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useInterval(() => setNowMs(Date.now()), 1_000, { autoInvoke: true });
  // The first second after an arrival: the clock here was read before it.
  return Math.min(quoteMs / 1_000, Math.max(0, Math.ceil((timeMs - nowMs) / 1_000)));
}
