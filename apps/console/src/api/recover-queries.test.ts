import { CallError } from "@palisade/contract/http/client";
import { InfiniteQueryObserver, QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { recoverQueries } from "./recover-queries.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function failingQuery(status: number) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  recoverQueries(client);
  const queryFn = vi.fn<() => Promise<string>>(async () => {
    throw new CallError(status, null);
  });
  const observer = new QueryObserver(client, { queryKey: ["servers"], queryFn });
  const stop = observer.subscribe(() => undefined);
  return { client, queryFn, observer, stop };
}

test("a query that failed is tried again after longer and longer pauses, until it is there", async () => {
  const { queryFn, observer } = failingQuery(503);
  const shown: string[] = [];
  await vi.advanceTimersByTimeAsync(0);
  observer.subscribe(({ status }) => shown.push(status));
  const calls: number[] = [];
  for (const ms of [5_000, 10_000, 20_000]) {
    await vi.advanceTimersByTimeAsync(ms - 1);
    calls.push(queryFn.mock.calls.length);
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(calls).toEqual([1, 2, 3]);
  // Never as loading, which would take the focus from the button to try again.
  expect(shown).toEqual([]);
  queryFn.mockResolvedValue("all");
  await vi.advanceTimersByTimeAsync(40_000);
  expect(observer.getCurrentResult()).toMatchObject({ status: "success", data: "all" });
  await vi.advanceTimersByTimeAsync(300_000);
  expect(queryFn).toHaveBeenCalledTimes(5);
});

test("a list that failed is loaded as pages", async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  recoverQueries(client);
  const queryFn = vi
    .fn<() => Promise<string>>(async () => "first")
    .mockRejectedValueOnce(new CallError(0, null));
  const observer = new InfiniteQueryObserver(client, {
    queryKey: ["log"],
    queryFn,
    initialPageParam: "",
    getNextPageParam: () => null,
  });
  observer.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(5_001);
  expect(observer.getCurrentResult().data).toEqual({ pages: ["first"], pageParams: [""] });
});

test("an answer that comes after the end of the session is not kept", async () => {
  const { client, queryFn } = failingQuery(503);
  await vi.advanceTimersByTimeAsync(1);
  const { promise, resolve } = Promise.withResolvers<string>();
  queryFn.mockReturnValue(promise);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(queryFn).toHaveBeenCalledTimes(2);
  client.clear();
  resolve("of the last user");
  await vi.advanceTimersByTimeAsync(1);
  expect(client.getQueryCache().getAll()).toEqual([]);
});

test("a query that was refused is not tried again, nor one that is on screen no more", async () => {
  const refused = failingQuery(403);
  const left = failingQuery(503);
  await vi.advanceTimersByTimeAsync(1);
  left.stop();
  await vi.advanceTimersByTimeAsync(300_000);
  expect(refused.queryFn).toHaveBeenCalledTimes(1);
  expect(left.queryFn).toHaveBeenCalledTimes(1);
});
