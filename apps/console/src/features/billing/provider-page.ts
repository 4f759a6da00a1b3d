import { useWindowEvent } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { hasCode, isTransient } from "#src/api/errors.ts";
import { createIdempotencyKeys } from "#src/api/idempotency.ts";

/** Orders the provider's page under this key. @returns its address */
type OrderPage<O> = (order: O, key: string, signal: AbortSignal) => Promise<string>;

/**
 * Orders a page of the payment provider and sends the browser there. A submit whose answer was lost
 * is repeated with the same key, so that it is one order. Closing the modal aborts the call.
 */
export function useProviderPage<O>(orderPage: OrderPage<O>, onError?: (error: Error) => void) {
  const keys = useRef(createIdempotencyKeys());
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  const page = useMutation({
    mutationFn: (order: O) => {
      running.current = new AbortController();
      return orderPage(order, keys.current.begin(order), running.current.signal);
    },
    onSuccess: (url) => {
      keys.current.settle();
      globalThis.location.assign(url);
    },
    onError: (error) => {
      // While the first request is still running, only its key leads to its answer.
      const isRunning = hasCode(error, "idempotency_in_progress");
      if (!isTransient(error) && !isRunning) keys.current.settle();
      onError?.(error);
    },
  });

  // The browser's Back button may restore this page in its sending state.
  useWindowEvent("pageshow", ({ persisted }) => {
    if (persisted) page.reset();
  });
  return page;
}
