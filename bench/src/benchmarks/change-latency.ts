import { serverMessageRoutes } from "@palisade/contract/http/server-messages";
import { createShield, signUp } from "@palisade/system-tests/product/account";
import {
  createHome,
  type HostPort,
  removeHome,
  startPalisade,
} from "@palisade/system-tests/product/palisade";
import { pingStatus } from "#src/edge/ping-status.ts";
import { percentile } from "#src/statistics/statistics.ts";
import { freePort } from "@palisade/testing/free-port";
import type { Row } from "#src/report/row.ts";
import type { Benchmark } from "./benchmark.ts";

const changes = 200;
const warmUps = 10;
const effectCapMs = 30_000;
const domain = "effect.example.com";

/** From the moment an owner saves a setting until a player's ping shows it, through everything. */
export const changeLatency: Benchmark = {
  name: "effect",
  async run({ say }) {
    say("effect: the whole product starts");
    const home = await createHome();
    const palisade = await startPalisade(home);
    try {
      const call = await signUp(palisade.consoleUrl, "effect@example.com");
      // Nobody listens there, so the edge answers with the owner's offline text.
      const backend = { host: "127.0.0.1", port: await freePort() };
      const { id } = await createShield(call, backend, domain);
      say(`effect: ${changes} changes`);
      const answered: number[] = [];
      const seen: number[] = [];
      for (let change = -warmUps; change < changes; change++) {
        const text = `Back soon (${change})`;
        const startedAt = performance.now();
        const saved = call(serverMessageRoutes.updateServerMessages, {
          params: { id },
          body: { offline: { motd_line1: text } },
        }).then(() => performance.now() - startedAt);
        const shownAt = await untilShown(palisade.java, text);
        const answeredMs = await saved;
        if (change < 0) continue;
        answered.push(answeredMs);
        seen.push(shownAt - startedAt);
      }
      return rowsOf(seen, answered);
    } finally {
      await palisade.stop();
      await removeHome(home);
    }
  },
};

async function untilShown(edge: HostPort, text: string): Promise<number> {
  const givenUpAt = performance.now() + effectCapMs;
  while (performance.now() < givenUpAt) {
    const status = await pingStatus(edge, domain);
    if (status?.includes(text) === true) return performance.now();
  }
  throw new Error(`${text} was not shown within ${effectCapMs} ms`);
}

function rowsOf(seen: readonly number[], answered: readonly number[]): Row[] {
  const row = { benchmark: "effect", unit: "ms" } as const;
  return [
    { ...row, measure: "saved until pinged: p50", value: percentile(seen, 0.5) },
    {
      ...row,
      measure: "saved until pinged: p99",
      value: percentile(seen, 0.99),
      aim: { of: "value", is: "under", limit: 500 },
      note: `${changes} changes of a text, one after the other`,
    },
    { ...row, measure: "answer to the save: p50", value: percentile(answered, 0.5) },
    { ...row, measure: "answer to the save: p99", value: percentile(answered, 0.99) },
  ];
}
