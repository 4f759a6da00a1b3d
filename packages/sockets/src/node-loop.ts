import { koffi } from "./native-code.ts";
import { NativeMemory } from "./native-memory.ts";

/** uv_metrics_t: three counters and reserved room. */
const metricsBytes = 128;
const eventsOffset = 8;

/**
 * The event loop of the calling thread, which Node runs by libuv. libuv is made to be embedded: its
 * descriptor is readable when events wait for it, so a thread can wait for these and for its own at
 * once (docs.libuv.org, "Event loop").
 */
export class NodeLoop {
  /** Readable when the loop has events. Owned by Node: never closed here. */
  readonly fd: number;
  readonly #loop: number;
  readonly #metrics = new NativeMemory(metricsBytes);

  constructor() {
    // GetCurrentEventLoop is Node's public call for addons (node.h).
    this.#loop = calls.currentLoop(calls.currentIsolate());
    this.fd = calls.backendFd(this.#loop);
  }

  /**
   * Until the loop's next timer in milliseconds, -1 without one; 0 also if other work is due
   * (uv_backend_timeout).
   */
  timeoutMs(): number {
    return calls.backendTimeout(this.#loop);
  }

  /** Timers that are set from now on count from the present (uv_update_time). */
  updateTime(): void {
    calls.updateTime(this.#loop);
  }

  /** Events that the loop has handled since its start, modulo 2^32 (uv_metrics_info). */
  eventsHandled(): number {
    calls.metricsInfo(this.#loop, this.#metrics.address);
    return this.#metrics.view.getUint32(eventsOffset, true);
  }
}

/** Node exports libuv's functions, and V8's under their C++ names. */
function loadCalls() {
  const program = koffi.load(null);
  const call = (definition: string): ((...values: number[]) => number) => program.func(definition);
  return {
    currentIsolate: call("int64 _ZN2v87Isolate10GetCurrentEv()"),
    currentLoop: call("int64 _ZN4node19GetCurrentEventLoopEPN2v87IsolateE(int64)"),
    backendFd: call("int uv_backend_fd(int64)"),
    backendTimeout: call("int uv_backend_timeout(int64)"),
    updateTime: call("void uv_update_time(int64)"),
    metricsInfo: call("int uv_metrics_info(int64, int64)"),
  };
}

const calls = loadCalls();
