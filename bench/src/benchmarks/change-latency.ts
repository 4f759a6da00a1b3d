import { once } from "node:events";
import { connect } from "node:net";
import { serverMessageRoutes } from "@palisade/contract/http/server-messages";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { readStatusResponse, statusRequest } from "@palisade/minecraft-protocol/java/status";
import { createShield, signUp } from "@palisade/system-tests/product/account";
import {
  createHome,
  type HostPort,
  removeHome,
  startPalisade,
} from "@palisade/system-tests/product/palisade";
import { protocol } from "#src/edge/sample-shields.ts";
import { percentile } from "#src/statistics/statistics.ts";
import { freePort } from "@palisade/testing/free-port";
import type { Row } from "#src/report/row.ts";
import type { Benchmark } from "./benchmark.ts";

const changes = 200;
const warmUps = 10;
const effectCapMs = 30_000;
const domain = "effect.example.com";

/** Time from saving a setting until a player's ping shows it, through the whole product. */
export const changeLatency: Benchmark = {
  name: "effect",
  async run({ say }) {
    say("effect: starting the whole product");
    const home = await createHome();
    const palisade = await startPalisade(home);
    try {
      const call = await signUp(palisade.consoleUrl, "effect@example.com");
      // Nothing listens there, so the edge answers with the owner's offline text.
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

/** The status as JSON text; undefined when the edge sends none, because it may not know the shield yet. */
async function pingStatus(edge: HostPort, host: string): Promise<string | undefined> {
  const socket = connect({ ...edge, noDelay: true });
  const handshake = encodeHandshake({ protocol, host, port: 25_565, intent: "status" });
  let status: string | undefined;
  let received: Buffer = Buffer.alloc(0);
  socket.on("error", () => undefined);
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    const result = readStatusResponse(received);
    if (result.kind === "need-more") return;
    if (result.kind === "status") status = result.json;
    socket.destroy();
  });
  socket.write(Buffer.concat([handshake, statusRequest]));
  await once(socket, "close");
  return status;
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
