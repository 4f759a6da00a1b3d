import { readFile } from "node:fs/promises";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { metricsIn, monitoringExpressions, seriesOf } from "@palisade/testing/monitoring-files";
import { until } from "@palisade/testing/until";
import { afterEach, describe, expect, test } from "vitest";
import { startTestEdge, type TestEdge } from "#src/testing/test-edge.ts";

let edge: TestEdge | undefined;
afterEach(() => edge?.stop());

describe("metrics of the edge", () => {
  test("are exactly those that the operator's page describes", async () => {
    edge = await startTestEdge();
    const url = new URL("../../../../docs/operations/edge-metrics.md", import.meta.url);
    const page = await readFile(url, "utf8");
    const described = [...page.matchAll(/^\| `(palisade_\w+)`/gm)].map(([, name]) => name);
    const names = edge.metrics.getMetricsAsArray().map(({ name }) => name);
    const own = names.filter((name) => name.startsWith("palisade_"));
    expect(new Set(described)).toEqual(new Set(own));
    expect(names).toContain("process_resident_memory_bytes");
  });

  test("count since the start of the program, whatever was fetched by the control plane", async () => {
    edge = await startTestEdge();
    edge.apply();
    const player = await edge.connect();
    player.send(
      Buffer.concat([
        encodeHandshake({ protocol: 758, host: "play.example.org", port: 1, intent: "login" }),
        encodeLoginStart("Steve"),
      ]),
    );
    await until(() => player.isOver);
    player.socket.destroy();
    expect(edge.counted()?.refused).toEqual({ offline: 1 });
    const text = await edge.metrics.metrics();
    expect(text).toContain('palisade_edge_refused_total{reason="offline"} 1\n');
    expect(text).toContain('palisade_edge_handshakes_total{intent="login"} 1\n');
    expect(text).toContain("palisade_edge_login_entries_waiting 1\n");
    expect(text).toContain("palisade_edge_under_attack 0\n");
  });
});

describe("dashboards and alerts", () => {
  test("use no metric of edges that they do not have", async () => {
    edge = await startTestEdge();
    const known = seriesOf(edge.metrics.getMetricsAsArray().map(({ name }) => name));
    const used = (await monitoringExpressions()).flatMap(({ place, expr }) =>
      metricsIn(expr)
        .filter((name) => name.startsWith("palisade_edge_"))
        .map((name) => ({ place, name })),
    );
    expect(used.length).toBeGreaterThan(20);
    expect(used.filter(({ name }) => !known.has(name))).toEqual([]);
  });
});
