import { startTestEdge, testBackend, testGroup } from "./test-edge.ts";

/**
 * A packet path in a process of its own, so that its memory can be told from the
 * test's. Arguments are the backend's port and, for relay processes, their folder; messages out:
 * `{port}` at first, then 20 times a second what it holds and has counted.
 */
const [backendPort, folder] = process.argv.slice(2);
const relays = folder === undefined ? undefined : { folder, lifeline: undefined };
const edge = await startTestEdge({}, undefined, undefined, undefined, relays);
edge.apply({ groups: [testGroup(testBackend(Number(backendPort)))] });
process.send?.({ port: edge.port });
setInterval(() => {
  const rss = process.memoryUsage.rss();
  const drained = edge.counters.drain(Date.now()).minutes;
  edge.counters.restore(drained);
  const bytes = drained.reduce((sum, minute) => sum + minute.bytes_up + minute.bytes_down, 0);
  process.send?.({ rss, bytes, players: edge.counters.players });
}, 50);
process.on("disconnect", () => process.exit());
