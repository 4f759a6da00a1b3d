import { parentPort } from "node:worker_threads";
import { epollEvents } from "../epoll.ts";
import { createEventFd } from "../event-fd.ts";
import { threadReactor } from "../reactor.ts";

/** A thread that waits in its reactor, for `thread-reactor.test.ts`. */
threadReactor().add(createEventFd(), epollEvents.readable, { ready: () => true });
setTimeout(() => parentPort?.postMessage("waits"), 20);
