import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { invalidateByName } from "./invalidate-queries.ts";

test("a query that was loading for the first time is loaded again", async () => {
  const client = new QueryClient();
  const answers: ((cents: number) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ["billing", "transactions"],
    queryFn: () => new Promise<number>((resolve) => answers.push(resolve)),
  });
  const stop = observer.subscribe(() => {});
  expect(answers).toHaveLength(1);

  const invalidated = invalidateByName(client, ["user", "billing"]);
  answers[0]?.(0);
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.(2_000);
  await invalidated;
  expect(observer.getCurrentResult().data).toBe(2_000);
  stop();
  client.clear();
});
