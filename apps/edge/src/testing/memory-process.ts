import { sampleShield } from "@palisade/testing/sample-shield";
import { startTestEdge } from "./test-edge.ts";

/**
 * An edge in a process of its own, whose memory can be told from its clients': run with
 * `--expose-gc`. Message out: `{port}`; to every message in: `{pending, bytes}`, what waits without a
 * verdict and what the process keeps after its garbage is gone.
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
edge.apply({ mitigation: { ...mitigation, antibot: "high" } });
process.send?.({ port: edge.port });
process.on("message", () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ pending: edge.admission.pending, bytes: heapUsed + external });
});
process.on("disconnect", () => process.exit());
