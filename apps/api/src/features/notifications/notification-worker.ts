import { setTimeout as delay } from "node:timers/promises";
import type { Bus } from "#src/platform/database/bus.ts";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import { claimDeliveries, selectNextTryAt, type ClaimedDelivery } from "./deliveries.repository.ts";
import { deliver, type DeliveryDeps } from "./deliveries.service.ts";
import { mailEvents } from "./event-mails.service.ts";
import { notificationsChannel, selectNextMailAt } from "./notification-events.repository.ts";
import { spreadEvents, type SpreadingDeps } from "./spreading.service.ts";

export interface NotificationWorkerDeps extends DeliveryDeps, SpreadingDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly bus: Bus;
}

export interface NotificationWorker {
  /** Sends everything that is due, and resolves once that is done. */
  run(): Promise<void>;
  /** Runs from now on whenever there is something to send. */
  start(): Promise<void>;
  /** Lets what is being sent end. */
  stop(): Promise<void>;
}

/** Slow receivers hold these; an account and a receiver hold a part of them only. */
const atOnce = 32;
const perOwner = 4;
const perHost = 8;
/** Longer than a try may take. */
const leaseMs = 60_000;
/** The schedule of the job finds what is due later. */
const timerMsMax = 60_000;
/** Something may be due and wait for a share. */
const timerMsMin = 1_000;
const stopMsMax = 5_000;

const sharedHosts = [
  "discord.com",
  "canary.discord.com",
  "ptb.discord.com",
  "discordapp.com",
  "hooks.slack.com",
  "api.telegram.org",
];

/**
 * Sends mails and webhooks about events. Every api process has one: the database gives each delivery to
 * one of them, and to another where that one has died.
 */
export function createNotificationWorker(deps: NotificationWorkerDeps): NotificationWorker {
  const { db, clock, bus, log } = deps;
  const running = new Map<string, ClaimedDelivery>();
  const ends: (() => void)[] = [];
  const stopping = new AbortController();
  let current: Promise<void> | undefined;
  let isWanted = false;
  let wake: () => void = () => undefined;
  let timer: NodeJS.Timeout | undefined;

  async function prepare(): Promise<void> {
    for (const step of [spreadEvents, mailEvents]) {
      try {
        while (await step(deps)) if (stopping.signal.aborted) return;
      } catch (error) {
        // The deliveries that exist are sent; the rest is prepared by the next run.
        log.error({ err: error }, "Notifications were not prepared");
      }
    }
  }

  async function claim(): Promise<ClaimedDelivery[]> {
    const limit = atOnce - running.size;
    if (limit <= 0 || stopping.signal.aborted) return [];
    const now = clock.now();
    return claimDeliveries(db, {
      now,
      leasedUntil: new Date(now.getTime() + leaseMs),
      limit,
      perOwner,
      perHost,
      sharedHosts,
      running: [...running.values()].map(({ owner_id, host }) => ({ owner_id, host })),
    });
  }

  function begin(claimed: ClaimedDelivery): void {
    running.set(claimed.id, claimed);
    void deliver(deps, claimed)
      .catch((error: unknown) => {
        log.warn({ err: error, deliveryId: claimed.id }, "A webhook's result was not stored");
      })
      .finally(() => {
        running.delete(claimed.id);
        isWanted = true;
        wake();
      });
  }

  async function work(): Promise<void> {
    do {
      isWanted = false;
      await prepare();
      const claimed = await claim();
      for (const each of claimed) begin(each);
      if (claimed.length === 0 && running.size > 0 && !isWanted) {
        await new Promise<void>((resolve) => (wake = resolve));
      }
    } while (isWanted || running.size > 0);
  }

  /** Until the next time at which something is due. */
  async function setTimer(): Promise<void> {
    const times = [await selectNextTryAt(db), await selectNextMailAt(db)];
    const next = Math.min(...times.map((at) => at?.getTime() ?? Number.POSITIVE_INFINITY));
    clearTimeout(timer);
    const pauseMs = next - clock.now().getTime();
    if (stopping.signal.aborted || pauseMs > timerMsMax) return;
    timer = setTimeout(kick, Math.max(pauseMs, timerMsMin));
  }

  function kick(): void {
    if (stopping.signal.aborted) return;
    run()
      .then(setTimer)
      .catch((error: unknown) => log.warn({ err: error }, "Notifications were not sent"));
  }

  function run(): Promise<void> {
    isWanted = true;
    if (current !== undefined) {
      wake();
      // It may just have ended without seeing what is new.
      return current.then(() => (isWanted ? run() : undefined));
    }
    current = work().finally(() => (current = undefined));
    return current;
  }

  return {
    run,
    async start() {
      ends.push(await bus.listen(notificationsChannel, kick, kick));
      kick();
    },
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      for (const end of ends.splice(0)) end();
      // The lease of what takes longer passes, and another process sends it again.
      await Promise.race([current?.catch(() => undefined), delay(stopMsMax, null, { ref: false })]);
    },
  };
}
