import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Counter, Gauge, Registry } from "prom-client";
import { afterEach, expect, test } from "vitest";
import { startOtlpExport } from "./otlp-export.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const gauge = { shield_id: "0198f000-0000-7000-8000-000000000001", players: 4 };

/** A receiver of OTLP, and the bodies that it got. */
async function receiver(): Promise<{ readonly url: string; readonly bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (part: string) => (body += part));
    request.on("end", () => {
      bodies.push(`${request.url} ${body}`);
      response.setHeader("content-type", "application/json").end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => server.close());
  // A server that listens on TCP has such an address.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}

function metrics(): Registry {
  const registry = new Registry();
  const joins = new Counter({
    name: "palisade_edge_joins_total",
    help: "Joins",
    registers: [registry],
  });
  joins.inc(7);
  const state = { name: "palisade_edge_backends", help: "Backends", labelNames: ["state"] };
  new Gauge({ ...state, registers: [registry] }).set({ state: "up" }, 3);
  return registry;
}

test.each([true, false])(
  "the edge's metrics leave by OTLP, those of shields where asked for: %s",
  async (withShields) => {
    const { url, bodies } = await receiver();
    const shields = () => [{ ...gauge, connections_per_second: 0.5, bandwidth_bps: 80 }];
    const exported = await startOtlpExport({
      endpoint: `${url}/`,
      registry: metrics(),
      shields: withShields ? shields : undefined,
    });
    ends.push(() => exported.stop());
    await exported.flush();
    const [sent = ""] = bodies;
    expect(sent).toMatch(/^\/v1\/metrics /);
    expect(sent).toContain('"palisade-edge"');
    expect(sent).toMatch(/palisade_edge_joins_total.*7/);
    expect(sent).toMatch(/palisade_edge_backends.*"up".*3/);
    expect(sent.includes(gauge.shield_id)).toBe(withShields);
  },
);

test("a receiver that is away does not end the edge", async () => {
  const exported = await startOtlpExport({ endpoint: "http://127.0.0.1:9", registry: metrics() });
  // Values that cannot be sent reject nothing and delay the end for a second.
  await expect(exported.stop()).resolves.toBeUndefined();
});
