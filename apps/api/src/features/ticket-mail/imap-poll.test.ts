import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { createServer } from "node:net";
import hoodiecrow from "hoodiecrow-imap";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { pollMailbox, type ImapPollDeps } from "./imap-poll.ts";
import type { ArrivedMail } from "./inbound-mails.service.ts";

const ours = "support+1001.abcdefghijklmnop@palisade.example";
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function openMailbox(raws: readonly string[]) {
  const server = hoodiecrow({
    plugins: ["UNSELECT", "IDLE", "LITERALPLUS"],
    storage: { INBOX: { messages: raws.map((raw) => ({ raw })) } },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    /** Which of the mails are marked as read. */
    read: () =>
      (server.storage["INBOX"]?.messages ?? []).map(
        ({ flags }) => flags?.includes("\\Seen") ?? false,
      ),
  };
}

function depsFor(port: number, mails: Partial<ImapPollDeps["mails"]> = {}, password = "testpass") {
  const kept: ArrivedMail[] = [];
  const config = { host: "127.0.0.1", port, secure: false, user: "testuser", mailbox: "INBOX" };
  const deps: ImapPollDeps = {
    config: { ...config, password },
    mails: {
      judgeRecipient: async () => "take",
      keep: async (mail) => kept.push(mail) > 0,
      ...mails,
    },
    isReplyAddress: (address) => address === ours,
    log: pino({ level: "silent" }),
  };
  return { deps, kept };
}

const raw = (headers: string, text: string): string =>
  `From: alex@example.com\r\n${headers}\r\nSubject: x\r\n\r\n${text}\r\n`;

test("mails to tickets are fetched whole and marked as read; all others stay as they are", async () => {
  const mailbox = await openMailbox([
    raw(`To: Palisade <${ours}>`, "First"),
    raw("To: support@palisade.example", "For people"),
    raw(`To: a@example.com\r\nCc: b@example.com,\r\n <${ours}>`, "Third"),
    raw(`To: support@palisade.example\r\nDelivered-To: ${ours}`, "Fourth"),
  ]);
  const { deps, kept } = depsFor(mailbox.port);
  await pollMailbox(deps);
  expect(kept.map(({ source }) => source.toString().split("\r\n\r\n")[1]?.trim())).toEqual([
    "First",
    "Third",
    "Fourth",
  ]);
  expect(kept[0]).toMatchObject({ via: "imap", recipient: ours, sender: "" });
  expect(mailbox.read()).toEqual([true, false, true, true]);
  await pollMailbox(deps);
  expect(kept).toHaveLength(3);
});

test("a mail that cannot be kept stays unread, and comes again at the next look", async () => {
  const mailbox = await openMailbox([raw(`To: ${ours}`, "Once")]);
  const away = depsFor(mailbox.port, { keep: () => Promise.reject(new Error("away")) });
  await expect(pollMailbox(away.deps)).rejects.toThrow(
    "PALISADE_INBOUND_IMAP cannot be read: away",
  );
  expect(mailbox.read()).toEqual([false]);
  const { deps, kept } = depsFor(mailbox.port);
  await pollMailbox(deps);
  expect(kept).toHaveLength(1);
});

test("a wrong password is told without it, and so is a server that is not there", async () => {
  const mailbox = await openMailbox([]);
  const wrong = await pollMailbox(depsFor(mailbox.port, {}, "secret-typo").deps).catch(String);
  expect(wrong).toContain("refuses user and password of PALISADE_INBOUND_IMAP");
  expect(wrong).not.toContain("secret-typo");
  const gone = createServer().listen(0, "127.0.0.1");
  await once(gone, "listening");
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  await expect(pollMailbox(depsFor(port).deps)).rejects.toThrow(
    "PALISADE_INBOUND_IMAP cannot be read",
  );
});

test("a server that says nothing is left when the look is ended", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  closers.push(() => new Promise((resolve) => silent.close(() => resolve())));
  const { port } = silent.address() as AddressInfo;
  const ended = new AbortController();
  silent.once("connection", (socket) => {
    socket.on("error", () => undefined);
    ended.abort();
  });
  await expect(pollMailbox(depsFor(port).deps, ended.signal)).rejects.toThrow(
    "PALISADE_INBOUND_IMAP cannot be read",
  );
});
