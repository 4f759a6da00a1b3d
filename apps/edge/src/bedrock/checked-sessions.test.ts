import { expect, onTestFinished, test } from "vitest";
import { SessionChecker } from "@palisade/testing/bedrock/checked-sessions";
import { freePort } from "@palisade/testing/free-port";
import { sampleBackend, sampleGroup } from "@palisade/testing/sample-shield";
import { startTestEdge } from "#src/testing/test-edge.ts";

const sessions = 200;

test("the edge passes on unchanged all that it gets of a session, both ways, while datagrams are lost, doubled and reordered", async () => {
  const seed = Date.now() % 1_000_000;
  const edge = await startTestEdge();
  onTestFinished(() => edge.stop());
  const checker = await SessionChecker.start(seed);
  onTestFinished(() => checker.close());
  const port = await freePort();
  const backend = { ...sampleBackend(1), bedrock_port: checker.backend.port };
  edge.apply({ groups: [sampleGroup(backend)], bedrock: { ports: [port], only_in: [] } });
  const proxy = { host: "127.0.0.1", port };
  const result = await checker.run(proxy, { sessions, atOnce: 50, messages: 6 });
  const { whole, faults, up, down } = result;
  expect(faults, `seed ${seed}`).toEqual([]);
  expect(whole).toBe(sessions);
  for (const { given, taken } of [up, down]) {
    expect(taken).toBeLessThanOrEqual(given);
    // Some are on their way when their session ends.
    expect(taken).toBeGreaterThan(0.98 * given);
  }
});
