import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { until } from "./until.ts";

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

/** Runs a script of tests/peers with these options. It ends with the test process. */
export function startPeer(script: string, options: object): PeerProcess {
  const file = path.join(folder, script);
  const child = spawn(process.execPath, [file, JSON.stringify(options)], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  const events: PeerEvent[] = [];
  let noise = "";
  createInterface({ input: child.stdout }).on("line", (line) => {
    events.push(eventLine.parse(JSON.parse(line)));
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    noise = (noise + text).slice(-4_000);
  });
  // A peer that has ended reads no commands; its events tell the test so.
  child.stdin.on("error", () => undefined);
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;

  return {
    events,
    event(name, matches = () => true, after = 0) {
      const find = (): PeerEvent | undefined =>
        events.slice(after).find((event) => event.event === name && matches(event));
      return until(
        () => {
          const found = find();
          if (found === undefined && hasEnded()) return { event: "gone" };
          return found;
        },
        { capMs: eventCapMs, what: `event ${name} of ${script}` },
      ).then((found) => {
        if (found.event !== "gone") return found;
        throw new Error(
          `${script} ended before ${name}; events: ${JSON.stringify(events)}; ${noise}`,
        );
      });
    },
    send: (command) => child.stdin.write(`${JSON.stringify(command)}\n`),
    hasEnded,
    async kill() {
      if (hasEnded()) return;
      child.kill("SIGKILL");
      await once(child, "close");
    },
  };
}
