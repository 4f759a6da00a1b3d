import { compileShield, type CompiledShield } from "#src/shields/compiled-shield.ts";
import type { StatusFetchResult, StatusRequest } from "#src/status/fetch-status.ts";
import { StatusService } from "#src/status/status-service.ts";
import { ShieldCounters } from "#src/telemetry/shield-counters.ts";
import { testBackend, testGroup, testShield } from "./test-edge.ts";

/** Two backends, at ports 1 and 2. */
export function shieldOf(
  before?: CompiledShield,
  change: Parameters<typeof testShield>[0] = {},
): CompiledShield {
  const groups = [testGroup(testBackend(1, 1), testBackend(2, 2))];
  const config = testShield({ groups, ...change });
  const result = compileShield(config, new ShieldCounters(config.shield_id), before);
  if (!result.ok) throw new Error(result.reason);
  return result.shield;
}

export const host = "play.example.org";
export const answer = {
  kind: "answer",
  frame: Buffer.from("answer"),
} satisfies StatusFetchResult;

/** A service at a clock of the test's own, with the ports and hosts it has asked so far. */
export function serviceWith(
  fetch: (question: StatusRequest) => StatusFetchResult | Promise<never>,
) {
  const clock = { nowMs: 1_000_000 };
  const asked: number[] = [];
  const hosts: string[] = [];
  const service = new StatusService({
    nowMs: () => clock.nowMs,
    patienceMs: 8_000,
    fetch: async (question) => {
      asked.push(question.backend.port);
      hosts.push(question.host);
      return fetch(question);
    },
  });
  return { clock, asked, hosts, service };
}

export function backendsOf({ groups }: CompiledShield) {
  return groups.flatMap(({ backends }) => backends);
}

/** Until what was begun has had its turn. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
