import { setTimeout as delay } from "node:timers/promises";

/**
 * Calls the api as one person does, and waits where that meets the limit of the calls.
 *
 * @param mayTimeOut an answer that the api gives up on is timed as well
 * @returns milliseconds until the whole answer was there
 */
export async function timedGet(url: string, token: string, mayTimeOut = false): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  await answer.arrayBuffer();
  const ms = performance.now() - startedAt;
  if (answer.status === 429) {
    await delay(1_000 * Number(answer.headers.get("retry-after") ?? 60));
    return timedGet(url, token, mayTimeOut);
  }
  const isExpected = answer.status === 200 || (mayTimeOut && answer.status === 503);
  if (!isExpected) throw new Error(`${url} was answered ${answer.status}`);
  return ms;
}

/** @returns the times of the calls one after the other; those of a first round, a warm-up, are left out */
export async function timesOf(
  call: () => Promise<number>,
  { rounds, perRound }: { readonly rounds: number; readonly perRound: number },
): Promise<number[]> {
  const values: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    for (let each = 0; each < perRound; each += 1) {
      const ms = await call();
      if (round >= 0) values.push(ms);
    }
  }
  return values;
}
