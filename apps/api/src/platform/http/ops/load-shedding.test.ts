import { until } from "@palisade/testing/until";
import fastify from "fastify";
import { afterAll, expect, test } from "vitest";
import { registerLoadShedding } from "./load-shedding.ts";

const app = fastify();

afterAll(() => app.close());

test("an event loop that is late refuses calls, but still says that it lives", async () => {
  await registerLoadShedding(app, 1);
  app.get("/anything", async () => "served");
  app.get("/healthz", async () => "alive");
  await app.ready();
  const refused = await until(async () => {
    keepLoop(100);
    const answer = await app.inject({ url: "/anything" });
    return answer.statusCode >= 500 && answer;
  });
  expect(refused.body).not.toContain("served");
  expect((await app.inject({ url: "/healthz" })).body).toBe("alive");
});

/** Lets nothing else run for so long. */
function keepLoop(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
