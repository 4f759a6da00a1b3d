import { once } from "node:events";
import { connect, createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { closeDescriptor } from "./descriptors.ts";
import { epollEvents } from "./epoll.ts";
import { createEventFd, EventFd } from "./event-fd.ts";
import { until } from "@palisade/testing/until";
import { afterEach, describe, expect, test } from "vitest";
import { threadReactor } from "./reactor.ts";

const reactor = threadReactor();
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A registered descriptor, which keeps the thread waiting in the reactor. */
function register(onReady: () => boolean = () => true) {
  const signal = new EventFd(createEventFd());
  const slot = reactor.add(signal.fd, epollEvents.readable, {
    ready: () => {
      signal.reset();
      return onReady();
    },
  });
  ends.push(() => {
    reactor.remove(slot);
    closeDescriptor(signal.fd);
  });
  return signal;
}

describe("while the thread waits for its own descriptors", () => {
  test("timers of Node's end, one after the other", async () => {
    register();
    let ended = 0;
    for (; ended < 20; ended++) await delay(1);
    expect(ended).toBe(20);
  });

  test("immediates and promises go on", async () => {
    register();
    let rounds = 0;
    for (; rounds < 1_000; rounds++) {
      await new Promise((resolve) => void setImmediate(resolve));
    }
    expect(rounds).toBe(1_000);
  });

  test("sockets of Node's connect, talk and close", async () => {
    register();
    const server = createServer((socket) => socket.pipe(socket)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no TCP server");
    for (let count = 0; count < 50; count++) {
      const socket = connect(address.port, "127.0.0.1");
      socket.end(`hello ${count}`);
      let echo = "";
      for await (const bytes of socket) echo += String(bytes);
      expect(echo).toBe(`hello ${count}`);
    }
    server.close();
  });

  test("messages of other threads arrive", async () => {
    register();
    const program =
      "require('worker_threads').parentPort.on('message',(m)=>{if(m===50)process.exit();else require('worker_threads').parentPort.postMessage(m)})";
    const worker = new Worker(program, { eval: true });
    for (let count = 0; count < 50; count++) {
      worker.postMessage(count);
      const [answer] = await once(worker, "message");
      expect(answer).toBe(count);
    }
    worker.postMessage(50);
    await once(worker, "exit");
  });

  test("a worker that waits there can be ended from outside", async () => {
    const program = new URL("testing/waiting-thread.ts", import.meta.url);
    const worker = new Worker(program);
    await once(worker, "message");
    expect(await worker.terminate()).toBe(1);
  });
});

describe("an event", () => {
  test("on a descriptor of the thread comes between Node's", async () => {
    let count = 0;
    const signal = register(() => {
      count++;
      return true;
    });
    signal.signal();
    await until(() => count === 1);
    for (let n = 2; n < 50; n++) {
      signal.signal();
      await until(() => count === n);
    }
  });

  test("that resolves a promise has it continued", async () => {
    const waiting = Promise.withResolvers<number>();
    const signal = register(() => {
      waiting.resolve(7);
      return false;
    });
    signal.signal();
    expect(await waiting.promise).toBe(7);
  });

  test("for a descriptor that is always ready holds up neither promises nor timers", async () => {
    const signal = new EventFd(createEventFd());
    const waiting = Promise.withResolvers<void>();
    let count = 0;
    const slot = reactor.add(signal.fd, epollEvents.readable, {
      ready: () => {
        count += 1;
        if (count === 1_000) waiting.resolve();
      },
    });
    ends.push(() => {
      reactor.remove(slot);
      closeDescriptor(signal.fd);
    });
    signal.signal();
    await waiting.promise;
    const before = count;
    await delay(1);
    expect(count).toBeGreaterThan(before);
  });

  test("has the work of later done after all events of its turn", async () => {
    const seen: string[] = [];
    const both = ["a", "b"].map((name) =>
      register(() => {
        seen.push(name);
        reactor.later(() => void seen.push(`${name} later`));
        return true;
      }),
    );
    for (const signal of both) signal.signal();
    await until(() => seen.length === 4);
    expect(seen.toSorted()).toEqual(["a", "a later", "b", "b later"]);
    expect(seen.slice(2)).toEqual(expect.arrayContaining(["a later", "b later"]));
  });
});

describe("work that waits for quiet", () => {
  test("is done for all events that are there, and only once", async () => {
    const seen: string[] = [];
    const last = register(() => {
      seen.push("last");
      return true;
    });
    const first = register(() => {
      seen.push("first");
      reactor.whenQuiet(() => void seen.push("quiet"));
      last.signal();
      return true;
    });
    first.signal();
    await until(() => seen.length === 3);
    expect(seen).toEqual(["first", "last", "quiet"]);
    first.signal();
    await until(() => seen.length === 6);
    expect(seen.slice(3)).toEqual(["first", "last", "quiet"]);
  });

  test("is done although events never end", async () => {
    const signal = new EventFd(createEventFd());
    const waiting = Promise.withResolvers<string>();
    let hasBegun = false;
    const slot = reactor.add(signal.fd, epollEvents.readable, {
      ready: () => {
        if (!hasBegun) reactor.whenQuiet(() => waiting.resolve("done"));
        hasBegun = true;
      },
    });
    ends.push(() => {
      reactor.remove(slot);
      closeDescriptor(signal.fd);
    });
    signal.signal();
    expect(await waiting.promise).toBe("done");
  });

  test("is done also where nothing else happens", async () => {
    const waiting = Promise.withResolvers<string>();
    reactor.whenQuiet(() => waiting.resolve("done"));
    expect(await waiting.promise).toBe("done");
  });
});

test("events gather for as long as is asked before a wait", async () => {
  const pauseMs = 5;
  let begunMs = 0;
  let hasGathered = false;
  const signal = register(() => {
    // A pause ends earlier where Node has something to do: then the next one tells.
    hasGathered ||= performance.now() - begunMs >= pauseMs;
    return true;
  });
  ends.push(() => reactor.pauseBeforeWaits(() => 0));
  reactor.pauseBeforeWaits(() => {
    if (hasGathered) return 0;
    begunMs = performance.now();
    signal.signal();
    return pauseMs;
  });
  await until(() => hasGathered);
});
