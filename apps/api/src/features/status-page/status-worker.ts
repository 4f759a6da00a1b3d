import type { StatusDocument } from "@palisade/contract/http/status-page";
import type { Logger } from "pino";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Bus } from "#src/platform/database/bus.ts";
import type { Db } from "#src/platform/database/db.ts";
import { statusChannel } from "./incidents.service.ts";
import { loadStatus, storeStatus } from "./status-copy.ts";
import { readStatus } from "./status-document.service.ts";
import { countMinute, createWatch, type Watch } from "./uptime.service.ts";

export interface StatusWorkerDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly log: Logger;
  readonly home: string;
  /** Instead of one by the process's own clock. */
  readonly watch?: Watch;
}

/** Holds the last status, reads it again every few seconds, and counts the minutes. */
export interface StatusWorker {
  /** The last status that was read, also before the process started; undefined where there is none. */
  current(): StatusDocument | undefined;
  /** Reads the status and counts the minute now. The last status stays where the database fails. */
  refresh(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const everyMs = 15_000;

export function createStatusWorker(deps: StatusWorkerDeps): StatusWorker {
  const { db, clock, bus, log, home, watch = createWatch() } = deps;
  let held: StatusDocument | undefined;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isWanted = false;
  let endListening: () => void = () => undefined;

  async function read(): Promise<void> {
    try {
      if (watch.isLongEnough()) await countMinute(db, clock.now());
      held = await readStatus(db, { now: clock.now(), isWatched: watch.isLongEnough() });
      watch.note(true);
    } catch (error) {
      watch.note(false);
      log.warn({ err: error }, "The status page could not be brought up to date");
      return;
    }
    await storeStatus(home, held).catch((error: unknown) =>
      log.debug({ err: error }, "The status page could not be kept for a restart"),
    );
  }

  /** A change while it is read is read afterwards. */
  function refresh(): Promise<void> {
    isWanted = true;
    running ??= (async () => {
      while (isWanted) {
        isWanted = false;
        await read();
      }
    })().finally(() => (running = undefined));
    return running;
  }

  return {
    current: () => held,
    refresh,
    async start() {
      held = await loadStatus(home);
      const kick = () => void refresh();
      endListening = await bus.listen(statusChannel, kick, kick);
      timer = setInterval(kick, everyMs);
      await refresh();
    },
    async stop() {
      clearInterval(timer);
      endListening();
      await running;
    },
  };
}
