import { parentPort } from "node:worker_threads";
import { epollEvents } from "@palisade/sockets/epoll";
import { createEventFd } from "@palisade/sockets/event-fd";
import { threadReactor } from "#src/reactor/reactor.ts";

/** A thread that waits in its reactor, for `thread-reactor.test.ts`. */
threadReactor().add(createEventFd(), epollEvents.readable, { ready: () => true });
setTimeout(() => parentPort?.postMessage("waits"), 20);
