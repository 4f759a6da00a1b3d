import { sampleShield } from "@palisade/testing/sample-shield";
import { startTestBackend } from "./test-backend.ts";
import { startTestEdge, testBackend, testGroup } from "./test-edge.ts";

/**
 * An edge in a process of its own, whose memory can be told from its clients': run with
 * `--expose-gc`. Message out: `{port}`; to every message in: `{pending, bytes, timers}`: what waits
 * without a verdict, what the process keeps after its garbage is gone, and its timers.
 */
const manyMax = 20_000;
const longMs = 600_000;
const edge = await startTestEdge({
  pendingMax: manyMax,
  pendingPerIpMax: manyMax,
  openPerIpMax: manyMax,
  handshakeMs: longMs,
  statusMs: longMs,
});
const { mitigation } = sampleShield();
/** Takes connections and never answers. */
const backend = await startTestBackend({ onRaw: () => undefined });
edge.apply({
  mitigation: { ...mitigation, antibot: "high" },
  groups: [testGroup(testBackend(backend.port))],
});
process.send?.({ port: edge.port });
process.on("message", () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const timers = process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  process.send?.({ pending: edge.admission.pending, bytes: heapUsed + external, timers });
});
process.on("disconnect", () => process.exit());
