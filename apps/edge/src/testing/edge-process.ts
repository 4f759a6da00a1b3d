import { startTestEdge, testBackend, testGroup } from "./test-edge.ts";

/**
 * A packet path in a process of its own, so that its memory can be told from the
 * test's. The argument is the backend's port; messages out: `{port}` at first,
 * then 20 times a second what it holds and has counted.
 */
const edge = await startTestEdge();
edge.apply({ groups: [testGroup(testBackend(Number(process.argv[2])))] });
process.send?.({ port: edge.port });
setInterval(() => {
  const rss = process.memoryUsage.rss();
  const drained = edge.counters.drain(Date.now()).minutes;
  edge.counters.restore(drained);
  const bytes = drained.reduce((sum, minute) => sum + minute.bytes_up + minute.bytes_down, 0);
  process.send?.({ rss, bytes, players: edge.counters.players });
}, 50);
process.on("disconnect", () => process.exit());
