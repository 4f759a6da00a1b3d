import type { PortOpening } from "#src/listeners/port-opening.ts";
import type { FromWorker } from "./thread-messages.ts";

export interface RemoteOpening extends PortOpening {
  /** The main thread's answer. */
  hear(number: number, error: string | undefined): void;
}

/** Ports of a worker, which asks the main thread before it listens beside the others. */
export function createRemoteOpening(send: (message: FromWorker) => void): RemoteOpening {
  const asked = new Map<number, PromiseWithResolvers<void>>();
  let last = 0;
  return {
    reusePort: true,
    claim(host, port) {
      const number = ++last;
      const answer = Promise.withResolvers<void>();
      asked.set(number, answer);
      send({ kind: "claim", number, host, port });
      return answer.promise;
    },
    release: (port) => send({ kind: "release", port }),
    hear(number, error) {
      const answer = asked.get(number);
      asked.delete(number);
      if (error === undefined) answer?.resolve();
      else answer?.reject(new Error(error));
    },
  };
}
