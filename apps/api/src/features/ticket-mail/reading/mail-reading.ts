import { Worker } from "node:worker_threads";
import type { ReadingOrder } from "./mail-reading.worker.ts";
import { MailUnreadable, type ReadingOptions, type ReadMail } from "./read-mail.ts";

export interface MailReading {
  /**
   * @throws MailUnreadable
   * @throws Error where `signal` aborts
   */
  read(source: Uint8Array, signal?: AbortSignal): Promise<ReadMail>;
  close(): Promise<void>;
}

export interface MailReadingOptions extends ReadingOptions {
  readonly msMax: number;
}

/** Mails come in twos and threes; a thread that waits for more holds some memory. */
const idleMs = 30_000;

/**
 * Reads mails in a thread of their own, one at a time. A mail that takes too long or too much memory
 * ends the thread, and the next mail gets another: no mail stops the api.
 */
export function createMailReading({ msMax, ...options }: MailReadingOptions): MailReading {
  let idle: Worker | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function take(): Worker {
    clearTimeout(idleTimer);
    const worker = idle ?? startWorker();
    idle = undefined;
    worker.ref();
    return worker;
  }

  function putBack(worker: Worker): void {
    idle = worker;
    worker.unref();
    idleTimer = setTimeout(() => void end(), idleMs).unref();
  }

  async function end(): Promise<void> {
    clearTimeout(idleTimer);
    const worker = idle;
    idle = undefined;
    await worker?.terminate();
  }

  async function readNext(source: Uint8Array, signal: AbortSignal | undefined): Promise<ReadMail> {
    signal?.throwIfAborted();
    const worker = take();
    try {
      const mail = await answerOf(worker, { source, options }, msMax, signal);
      putBack(worker);
      return mail;
    } catch (error) {
      await worker.terminate();
      throw error;
    }
  }

  return {
    read(source, signal) {
      const next = last.then(() => readNext(source, signal));
      last = next.catch(() => undefined);
      return next;
    },
    close: () => last.then(end),
  };
}

function startWorker(): Worker {
  const worker = new Worker(new URL("./mail-reading.worker.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 },
    // A library's words about a stranger's mail are not for our log.
    stdout: true,
    stderr: true,
    env: {},
    execArgv: [],
  });
  // Without a listener, one that fails between two mails would end the process.
  worker.on("error", () => undefined);
  return worker;
}

function answerOf(
  worker: Worker,
  order: ReadingOrder,
  msMax: number,
  signal: AbortSignal | undefined,
): Promise<ReadMail> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => settle(() => reject(new MailUnreadable(why)));
    const onMail = (mail: ReadMail): void => settle(() => resolve(mail));
    const onError = (error: unknown): void =>
      fail(error instanceof Error ? error.message : "Reading it failed");
    const onExit = (): void => fail("Its thread has ended");
    // The process ends: the mail is read again by the next one.
    const onAbort = (): void => settle(() => reject(new Error("Reading a mail was interrupted")));
    const deadline = setTimeout(() => fail("Reading it takes too long"), msMax);
    const settle = (finish: () => void): void => {
      clearTimeout(deadline);
      worker.off("message", onMail).off("error", onError).off("exit", onExit);
      signal?.removeEventListener("abort", onAbort);
      finish();
    };
    worker.once("message", onMail).once("error", onError).once("exit", onExit);
    signal?.addEventListener("abort", onAbort);
    worker.postMessage(order, []);
  });
}
