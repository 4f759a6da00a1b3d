import { connect, type Socket } from "node:net";
import { until } from "@palisade/testing/until";
import { afterEach, expect, test } from "vitest";
import { megabyte, readSlowly, sendAll } from "#src/testing/byte-stream.ts";
import { startTestBackend } from "#src/testing/test-backend.ts";
import { BackendReader } from "./backend-reader.ts";
import { passOn } from "./pass-on.ts";

const stops: (() => unknown)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

/** A reader's socket and the other end of it. */
async function pair(): Promise<{ reader: BackendReader; near: Socket; far: Socket }> {
  const accepted = Promise.withResolvers<Socket>();
  const server = await startTestBackend({ onRaw: accepted.resolve });
  stops.push(server.stop);
  const reader = new BackendReader();
  const near = connect({ host: "127.0.0.1", port: server.port, onread: reader.options });
  stops.push(() => near.destroy());
  return { reader, near, far: await accepted.promise };
}

test("bytes that come before there is a consumer are neither lost nor overtaken", async () => {
  const { reader, near, far } = await pair();
  far.write("first ");
  await until(() => near.bytesRead === 6);
  far.write("second");
  let heard = "";
  reader.take((bytes) => {
    heard += bytes.toString();
    return true;
  });
  near.resume();
  await until(() => heard === "first second");
});

test("readers share a buffer, and slow peers still get what was sent to them", async () => {
  const streams = Array.from({ length: 4 }, async () => {
    const from = await pair();
    const to = await pair();
    from.reader.take((bytes) => passOn(to.near, bytes));
    to.near.on("drain", () => from.near.resume());
    from.near.on("end", () => to.near.end());
    const sent = sendAll(from.far, 8 * megabyte);
    expect(await readSlowly(to.far)).toBe(await sent);
  });
  await Promise.all(streams);
});
