import { until } from "@palisade/testing/until";
import fastify from "fastify";
import { afterAll, expect, test } from "vitest";
import { registerLoadShedding } from "./load-shedding.ts";

const app = fastify();

afterAll(() => app.close());

test("an event loop that is late refuses calls, but still says that it lives, and serves the console", async () => {
  await registerLoadShedding(app, 1);
  app.get("/api/anything", async () => "served");
  app.get("/*", async () => "shown");
  app.get("/healthz", async () => "alive");
  await app.ready();
  const refused = await until(async () => {
    keepLoop(100);
    const answer = await app.inject({ url: "/api/anything" });
    return answer.statusCode >= 500 && answer;
  });
  expect(refused.body).not.toContain("served");
  expect((await app.inject({ url: "/healthz" })).body).toBe("alive");
  expect((await app.inject({ url: "/assets/main.js" })).body).toBe("shown");
});

/** Lets nothing else run for so long. */
function keepLoop(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
