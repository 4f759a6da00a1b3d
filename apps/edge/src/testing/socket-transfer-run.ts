import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "@palisade/testing/until";
import { runStreams, startEcho } from "./relay-streams.ts";
import { startTestForwarder, type TestForwarder } from "./test-forwarder.ts";

export interface SocketTransferResult {
  /** Streams that did not arrive as they were sent. */
  readonly broken: readonly string[];
  /** Players the second forwarder found. */
  readonly adopted: number;
}

/** Thousands of connections take their time on a machine that is busy. */
const capMs = 300_000;

/**
 * Runs this many streams at once, all of them relayed while one forwarder hands over to the next,
 * twice.
 */
export async function runSocketTransfer(
  streams: number,
  bytesMax: number,
): Promise<SocketTransferResult> {
  const folder = await mkdtemp(join(tmpdir(), "palisade-relays-"));
  const echo = await startEcho();
  const forwarders: TestForwarder[] = [];
  const start = async (): Promise<TestForwarder> => {
    const forwarder = await startTestForwarder({ folder, backendPort: echo.port });
    forwarders.push(forwarder);
    return forwarder;
  };
  const allHalfway = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  let waiting = 0;
  try {
    const first = await start();
    const run = runStreams({
      port: () => first.port,
      streams,
      atOnce: streams,
      bytesMax,
      halfway: () => {
        if (++waiting === streams) allHalfway.resolve();
        return goOn.promise;
      },
    });
    await allHalfway.promise;
    await until(() => first.counts.players === streams && first.openFiles() === 0, { capMs });
    await first.handOver();
    const second = await start();
    const adopted = second.counts.players;
    await second.handOver();
    goOn.resolve();
    const third = await start();
    const broken = await run;
    await until(() => third.counts.players === 0, { capMs });
    return { broken, adopted };
  } catch (error) {
    goOn.resolve();
    // Finds the relay processes without an owner, and ends them with the others.
    await start();
    throw error;
  } finally {
    for (const forwarder of forwarders) forwarder.stop();
    await echo.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
