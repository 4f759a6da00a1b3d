import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";

const eventLine = z.looseObject({ event: z.string() });
export type PeerEvent = z.infer<typeof eventLine>;

/** A real Minecraft program in a process of its own: events out, commands in. */
export interface PeerProcess {
  readonly events: readonly PeerEvent[];
  /** Waits for an event of this kind that came after the first `after` ones. */
  event(name: string, matches?: (event: PeerEvent) => boolean, after?: number): Promise<PeerEvent>;
  send(command: object): void;
  hasEnded(): boolean;
  /** At once, as a crash. */
  kill(): Promise<void>;
}

const folder = path.resolve(import.meta.dirname, "../../../tests/peers");
/** Generous: loading the data of a Minecraft version alone takes seconds on a busy machine. */
const eventCapMs = 90_000;

/** One who waits for an event. */
interface Waiter {
  readonly isWanted: (event: PeerEvent) => boolean;
  readonly resolve: (event: PeerEvent) => void;
  readonly reject: (error: Error) => void;
}

/** Runs a script of tests/peers with these options. It ends with the test process. */
export function startPeer(script: string, options: object): PeerProcess {
  const file = path.join(folder, script);
  const child = spawn(process.execPath, [file, JSON.stringify(options)], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  const events: PeerEvent[] = [];
  const waiters = new Set<Waiter>();
  let noise = "";
  let hasClosed = false;
  createInterface({ input: child.stdout }).on("line", (line) => {
    const event = eventLine.parse(JSON.parse(line));
    events.push(event);
    for (const { isWanted, resolve } of waiters) if (isWanted(event)) resolve(event);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    noise = (noise + text).slice(-4_000);
  });
  // A peer that has ended reads no commands; its events tell the test so.
  child.stdin.on("error", () => undefined);
  // All of its events have been read by then.
  child.once("close", () => {
    hasClosed = true;
    for (const { reject } of waiters) reject(endedError());
  });
  const endedError = (): Error =>
    new Error(`${script} has ended; events: ${JSON.stringify(events)}; ${noise}`);

  return {
    events,
    async event(name, matches = () => true, after = 0) {
      const isWanted = (event: PeerEvent): boolean => event.event === name && matches(event);
      const past = events.slice(after).find(isWanted);
      if (past !== undefined) return past;
      if (hasClosed) throw endedError();
      const { promise, resolve, reject } = Promise.withResolvers<PeerEvent>();
      const waiter = { isWanted, resolve, reject };
      const cap = setTimeout(() => {
        reject(new Error(`event ${name} of ${script} did not come within ${eventCapMs} ms`));
      }, eventCapMs);
      waiters.add(waiter);
      return promise.finally(() => {
        clearTimeout(cap);
        waiters.delete(waiter);
      });
    },
    send: (command) => child.stdin.write(`${JSON.stringify(command)}\n`),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async kill() {
      if (hasClosed) return;
      child.kill("SIGKILL");
      await once(child, "close");
    },
  };
}

/** Has the peer do something, such as `join`, and gives its answer. @throws where it could not */
export type Ask = (action: string, options: object) => Promise<PeerEvent>;

/** For scripts that answer each command: `{id, do, ...options}` brings `answer {id, ...}`. */
export function askerOf(peer: PeerProcess): Ask {
  let lastId = 0;
  return async (action, options) => {
    const id = ++lastId;
    // Earlier ones are of no interest, and in a long run there are very many.
    const asked = peer.events.length;
    peer.send({ id, do: action, ...options });
    const answer = await peer.event("answer", (event) => event["id"] === id, asked);
    if (answer["failure"] === undefined) return answer;
    throw new Error(`${action}: ${JSON.stringify(answer["failure"])}`);
  };
}
