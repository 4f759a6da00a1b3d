import { Gauge, Registry } from "prom-client";
import { afterEach, expect, test } from "vitest";
import { type MetricsServer, startMetricsServer } from "./metrics-server.ts";
import { readMetrics } from "./read-metrics.ts";

let server: MetricsServer | undefined;

afterEach(() => server?.close());

const answer = async (path: string) => {
  const response = await fetch(`${server?.url}${path}`);
  return [response.status, await response.text()];
};

test("serves values as they are when they are asked for, and nothing else", async () => {
  let players = 1;
  const registry = new Registry();
  const { counters, gauge } = readMetrics("palisade_test");
  registry.registerMetric(gauge("players", "Players", () => players));
  registry.registerMetric(counters("ends_total", "Ends", "how", () => [["left", players]]));
  server = await startMetricsServer(registry, { port: 0 });
  expect(new URL(server.url).hostname).toBe("127.0.0.1");
  players = 3;
  const [status, text] = await answer("/metrics");
  expect(status).toBe(200);
  expect(text).toMatch(/^palisade_test_players 3$/m);
  expect(text).toMatch(/^palisade_test_ends_total\{how="left"\} 3$/m);
  for (const path of ["/", "/healthz", "/readyz", "/metrics/"]) {
    expect((await answer(path))[0], path).toBe(404);
  }
});

test("says whether the program is ready, where it tells", async () => {
  let isReady = false;
  server = await startMetricsServer(new Registry(), { port: 0, isReady: () => isReady });
  expect(await answer("/healthz")).toEqual([200, "ok\n"]);
  expect(await answer("/readyz")).toEqual([503, "not ready\n"]);
  isReady = true;
  expect(await answer("/readyz")).toEqual([200, "ready\n"]);
});

test("a value that cannot be read is a failed answer, and a taken port an error", async () => {
  const registry = new Registry();
  registry.registerMetric(
    new Gauge({
      name: "broken",
      help: "Broken",
      registers: [],
      collect() {
        throw new Error("broken");
      },
    }),
  );
  server = await startMetricsServer(registry, { port: 0 });
  expect((await answer("/metrics"))[0]).toBe(500);
  const port = Number(new URL(server.url).port);
  await expect(startMetricsServer(registry, { port })).rejects.toMatchObject({
    code: "EADDRINUSE",
  });
});
