import type { Logger } from "pino";
import type { Bus } from "#src/platform/database/bus.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { Clock } from "./clock.ts";
import { addToOffset, selectOffsetMs } from "./development-clock.repository.ts";

const channel = "palisade_clock";

/** A clock that can be moved ahead, in every process on the database at once. Development only. */
export interface DevelopmentClock extends Clock {
  start(): Promise<void>;
  advance(bySeconds: number): Promise<Date>;
}

export function createDevelopmentClock(db: Db, bus: Bus, log: Logger): DevelopmentClock {
  let offsetMs = 0;
  async function read(): Promise<void> {
    offsetMs = await selectOffsetMs(db);
  }
  const readAgain = (): void => {
    read().catch((error: unknown) => log.warn({ err: error }, "The clock could not be read"));
  };
  const now = (): Date => new Date(Date.now() + offsetMs);
  return {
    now,
    async start() {
      await bus.listen(channel, readAgain, readAgain);
      await read();
    },
    async advance(bySeconds) {
      await db.transaction().execute(async (trx) => {
        await addToOffset(trx, bySeconds * 1000);
        await bus.notify(trx, channel, "moved");
      });
      await read();
      return now();
    },
  };
}

/** The movable clock as it stands now, for a command that ends before the clock moves again. */
export async function readDevelopmentClock(db: Db): Promise<Clock> {
  const offsetMs = await selectOffsetMs(db);
  return { now: () => new Date(Date.now() + offsetMs) };
}
