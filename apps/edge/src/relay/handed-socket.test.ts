import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { until } from "@palisade/testing/until";
import { afterEach, describe, expect, test } from "vitest";
import { received, still } from "./handed-socket.ts";

/** Holds what Node has no public call for to the Node in use. */

const stops: (() => unknown)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0).toReversed()) stop();
});

async function pair(): Promise<{ client: Socket; accepted: Socket }> {
  const server = createServer({ allowHalfOpen: true });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A TCP server's address is not a pipe's name.
  const client = connect({ host: "127.0.0.1", port: (server.address() as AddressInfo).port });
  const [accepted] = (await once(server, "connection")) as [Socket];
  stops.push(
    () => server.close(),
    () => client.destroy(),
    () => accepted.destroy(),
  );
  return { client, accepted };
}

/** Whatever was sent before on this machine has long arrived when this has gone to and fro. */
async function fence(): Promise<void> {
  const { client, accepted } = await pair();
  accepted.pipe(accepted);
  for (let round = 0; round < 20; round++) {
    client.write("?");
    await once(client, "data");
  }
}

/** Collects what a socket reads into one buffer. */
function reader() {
  let heard = "";
  const buffer = Buffer.alloc(1_024);
  return {
    onread: {
      buffer,
      callback: (bytes: number) => {
        heard += buffer.toString("latin1", 0, bytes);
        return true;
      },
    },
    heard: () => heard,
  };
}

describe("a connection that changes its process", () => {
  test("is read no more once it is still, and what was read by then is given out", async () => {
    const { client, accepted } = await pair();
    client.write("taken");
    await until(() => accepted.readableLength === 5);
    expect(String(still(accepted))).toBe("taken");
    client.write("left");
    await fence();
    expect(accepted.bytesRead).toBe(5);
  });

  test("is still also when it falls so while it tells of data", async () => {
    const { client, accepted } = await pair();
    const stilled = Promise.withResolvers<void>();
    accepted.on("data", () => {
      still(accepted);
      stilled.resolve();
    });
    client.write("first");
    await stilled.promise;
    client.write("second");
    await fence();
    expect(accepted.bytesRead).toBe(5);
  });

  test("is read into the buffer given, from `resume` on, with nothing missing", async () => {
    const { client, accepted } = await pair();
    still(accepted);
    const { onread, heard } = reader();
    const socket = received(accepted, onread);
    stops.push(() => socket?.destroy());
    client.write("kept in the kernel");
    await fence();
    expect(heard()).toBe("");
    socket?.resume();
    await until(() => heard() === "kept in the kernel");
    socket?.write("and back");
    const [answer] = (await once(client, "data")) as [Buffer];
    expect(String(answer)).toBe("and back");
  });

  test("that is closed already is none", async () => {
    const { accepted } = await pair();
    accepted.destroy();
    await once(accepted, "close");
    expect(received(accepted, reader().onread)).toBeUndefined();
    expect(still(accepted)).toHaveLength(0);
  });
});
