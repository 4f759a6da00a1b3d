import { createFakeClock } from "@palisade/testing/fake-clock";
import { pino } from "pino";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import type { Trx } from "#src/platform/database/db.ts";
import { countMails } from "./mail-metrics.ts";
import {
  createMailer,
  createMailSealer,
  MailRefused,
  mailJob,
  type DeliverableMail,
} from "./outbox.ts";

const sealer = createMailSealer({ secret: "a secret of the installation", formerSecrets: [] });
const mail = { to: "steve@example.com", template: "sample", values: { code: "ABCD2345" } };
const data = await jobOf();

/** The job as it waits in the database. */
async function jobOf(): Promise<object & { readonly id: string }> {
  const jobs: object[] = [];
  const mailer = createMailer({ send: async (_trx, _name, job) => void jobs.push(job) }, sealer);
  // The jobs of this test need no transaction.
  await mailer.enqueue({} as Trx, { ...mail, locale: "en" });
  return { id: "", ...jobs[0] };
}

function world(deliver: () => Promise<void> = async () => undefined) {
  const clock = createFakeClock();
  const registry = new Registry();
  const delivered: DeliverableMail[] = [];
  const lines: string[] = [];
  const job = mailJob({
    sealer,
    templates: {
      sample: {
        sample: {},
        render: (_, { code }) => ({
          subject: "S",
          heading: "H",
          paragraphs: [`Code ${code}`],
          details: [],
          reason: "R",
        }),
      },
    },
    transport: {
      async deliver(mail) {
        delivered.push(mail);
        await deliver();
      },
    },
    letterhead: {
      operator: { name: "O", address: "A", email: "o@example.com" },
      consoleOrigin: () => "https://palisade.example",
    },
    clock,
    count: countMails(registry),
    log: pino({}, { write: (line: string) => lines.push(line) }),
  });
  const count = async (outcome: string) => {
    const metrics = await registry.metrics();
    return Number(new RegExp(`outcome="${outcome}"} (\\d+)`).exec(metrics)?.[1]);
  };
  return { job, clock, delivered, lines, count };
}

test("a mail waits encrypted, and is sent with its text to its receiver", async () => {
  const { job, delivered } = world();
  for (const secret of [mail.to, mail.values.code]) {
    expect(JSON.stringify(data)).not.toContain(secret);
  }
  await job.run(data);
  expect(delivered).toEqual([
    expect.objectContaining({ to: mail.to, text: expect.stringContaining(mail.values.code) }),
  ]);
  // A text of another mail is no text of this one.
  await expect(job.run({ ...data, id: "01890000-0000-7000-8000-000000000000" })).rejects.toThrow(
    /authenticate/,
  );
});

test("a mail that waits from the version before is sent, too", async () => {
  const { job, delivered } = world();
  await job.run({ id: data.id, locale: "en", ...mail });
  expect(delivered).toEqual([expect.objectContaining({ to: mail.to })]);
});

test("a mail is sent while what it brings is of use, and dropped afterwards", async () => {
  const { job, clock, delivered, lines, count } = world();
  const usefulUntil = new Date(clock.now().getTime() + 600_000).toISOString();
  clock.advance(599_999);
  await job.run({ ...data, usefulUntil });
  expect(delivered).toHaveLength(1);
  clock.advance(1);
  await job.run({ ...data, usefulUntil });
  expect(delivered).toHaveLength(1);
  expect([await count("sent"), await count("outdated")]).toEqual([1, 1]);
  expect(lines.join()).toContain(data.id);
});

test("a refusal for good ends the job; anything else has it tried again", async () => {
  const refused = world(() => Promise.reject(new MailRefused("RCPT TO: 550")));
  await refused.job.run(data);
  expect([await refused.count("refused"), await refused.count("failed_try")]).toEqual([1, 0]);
  expect(refused.lines.join()).toContain("RCPT TO: 550");
  const failing = world(() => Promise.reject(new Error("CONN")));
  await expect(failing.job.run(data)).rejects.toThrow("CONN");
  expect([await failing.count("refused"), await failing.count("failed_try")]).toEqual([0, 1]);
});

test("a mail given up is counted and logged by its id, without receiver, text or code", async () => {
  const { job, lines, count } = world();
  job.onGivenUp?.(data, new Error("CONN"));
  expect(await count("given_up")).toBe(1);
  expect(lines.join()).toContain(data.id);
  for (const secret of [mail.to, mail.values.code]) expect(lines.join()).not.toContain(secret);
});

test("an address that only looks like one is neither sent to nor counted", async () => {
  const { job, delivered, count } = world();
  await job.run({ nothing: true });
  expect([delivered, await count("sent")]).toEqual([[], 0]);
});
