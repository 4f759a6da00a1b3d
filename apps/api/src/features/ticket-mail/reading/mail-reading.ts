import { Worker } from "node:worker_threads";
import { MailUnreadable, type ReadingOptions, type ReadMail } from "./read-mail.ts";

export type ReadMailSource = (source: Uint8Array, signal?: AbortSignal) => Promise<ReadMail>;

export interface MailReadingOptions extends ReadingOptions {
  readonly msMax: number;
}

/**
 * Reads mails, each in a thread of its own that is ended when it takes too long or too much memory:
 * no mail stops the api.
 *
 * @throws MailUnreadable
 */
export function createMailReading({ msMax, ...options }: MailReadingOptions): ReadMailSource {
  return (source, signal) =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL("mail-reading.worker.ts", import.meta.url), {
        workerData: { source, options },
        resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 },
        // What a library prints about a stranger's mail is not for our log.
        stdout: true,
        stderr: true,
        env: {},
        execArgv: [],
      });
      const deadline = setTimeout(() => fail("it takes too long"), msMax);
      // The process ends: the mail is read again by the next one.
      const onAbort = (): void => {
        end();
        reject(new Error("Reading a mail was interrupted"));
      };
      const end = (): void => {
        clearTimeout(deadline);
        signal?.removeEventListener("abort", onAbort);
        void worker.terminate();
      };
      const fail = (why: string): void => {
        end();
        reject(new MailUnreadable(`The mail cannot be read: ${why}`));
      };
      signal?.addEventListener("abort", onAbort);
      worker.once("message", (mail: ReadMail) => {
        end();
        resolve(mail);
      });
      worker.once("error", (error) => fail(error instanceof Error ? error.message : "it failed"));
      worker.once("exit", () => fail("its thread has ended"));
    });
}
