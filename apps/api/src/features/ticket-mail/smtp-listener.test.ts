import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { createTestCertificate } from "@palisade/testing/test-certificate";
import { until } from "@palisade/testing/until";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { parseCertificate } from "#src/platform/http/tls/certificate.ts";
import { sendMail } from "#src/test-support/test-ticket-mail.ts";
import type { ArrivedMail, InboundMails } from "./inbound-mails.service.ts";
import { openSmtpListener, type SmtpListener, type SmtpListenerOptions } from "./smtp-listener.ts";

const open: SmtpListener[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const listener of open.splice(0)) await listener.close();
});

const kept: ArrivedMail[] = [];
const takesAll: InboundMails = {
  judgeRecipient: async () => "take",
  keep: async (mail) => kept.push(mail) > 0,
};

async function listen(options: Partial<SmtpListenerOptions> = {}): Promise<SmtpListener> {
  kept.length = 0;
  const listener = await openSmtpListener({
    host: "127.0.0.1",
    port: 0,
    name: "palisade.example",
    certificate: undefined,
    mails: takesAll,
    log: pino({ level: "silent" }),
    ...options,
  });
  open.push(listener);
  return listener;
}

/** A client that sends lines and collects what it hears. */
function dial(port: number) {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  let heard = "";
  let isClosed = false;
  socket.setEncoding("utf8");
  socket.on("data", (text: string) => (heard += text));
  socket.on("error", () => undefined);
  socket.on("close", () => (isClosed = true));
  return {
    socket,
    heard: () => heard,
    isClosed: () => isClosed,
    say: (line: string) => socket.write(`${line}\r\n`),
    hears: (part: string) => until(() => heard.includes(part), { what: part }),
    closes: () => until(() => isClosed, { what: "the end of the connection" }),
  };
}

const mail = { from: "a@example.com", to: "support+1.x@palisade.example", text: "Hello" };

test("a mail is accepted only once it is kept", async () => {
  let isAway = true;
  const { port } = await listen({
    mails: {
      ...takesAll,
      keep: async (arrived) => {
        if (isAway) throw new Error("The database is away");
        return takesAll.keep(arrived);
      },
    },
  });
  await expect(sendMail(port, mail)).rejects.toThrow("451");
  isAway = false;
  await sendMail(port, mail);
  expect(kept).toMatchObject([{ via: "smtp", sender: "a@example.com", recipient: mail.to }]);
});

test("a receiver that cannot be looked up, or gets too many, is to be tried later", async () => {
  const away = await listen({
    mails: { ...takesAll, judgeRecipient: () => Promise.reject(new Error("away")) },
  });
  await expect(sendMail(away.port, mail)).rejects.toThrow("451");
  const full = await listen({ mails: { ...takesAll, judgeRecipient: async () => "later" } });
  await expect(sendMail(full.port, mail)).rejects.toThrow("452");
});

test("a mail has one receiver: others are to be tried on their own", async () => {
  const { port } = await listen();
  const client = dial(port);
  await client.hears("220 ");
  for (const line of ["EHLO a", "MAIL FROM:<a@example.com>", "RCPT TO:<b@c.example>"]) {
    client.say(line);
  }
  client.say("RCPT TO:<d@c.example>");
  await client.hears("452 ");
  expect(client.heard()).not.toContain("550");
});

test("a mail that says to be larger than allowed is refused before it is sent", async () => {
  const { port } = await listen();
  const client = dial(port);
  await client.hears("220 ");
  client.say("EHLO a");
  await client.hears("SIZE 37748736");
  client.say("MAIL FROM:<a@example.com> SIZE=99999999");
  await client.hears("552");
  expect(kept).toEqual([]);
});

test("mails that are received take a bounded amount of memory", async () => {
  const { port } = await listen({ limits: { memoryBytesMax: 100_000 } });
  await expect(sendMail(port, { ...mail, text: "x".repeat(200_000) })).rejects.toThrow("452");
  await sendMail(port, { ...mail, text: "x".repeat(50_000) });
  await sendMail(port, { ...mail, text: "x".repeat(50_000) });
  expect(kept).toHaveLength(2);
});

test("an address has few connections, and each ends in time whatever it does", async () => {
  const { port } = await listen({
    limits: { connectionsPerAddressMax: 2, connectionMsMax: 1_500 },
  });
  const first = dial(port);
  await first.hears("220 ");
  const second = dial(port);
  await second.hears("220 ");
  const third = dial(port);
  await third.closes();
  expect(third.heard()).toBe("");
  // It sends a byte now and then, and never a whole line.
  const drip = setInterval(() => first.socket.write("N"), 100);
  await first.closes();
  clearInterval(drip);
  await second.closes();
  await dial(port).hears("220 ");
});

test("a silent connection ends, and one that sends endless lines", async () => {
  const { port } = await listen({ limits: { silenceMsMax: 500 } });
  const silent = dial(port);
  await silent.hears("220 ");
  await silent.closes();
  const endless = dial(port);
  await endless.hears("220 ");
  const flood = setInterval(() => endless.socket.write("A".repeat(64 * 1024)), 5);
  await endless.closes();
  clearInterval(flood);
  expect(kept).toEqual([]);
});

test("a client that leaves in the middle of a mail leaves nothing", async () => {
  const { port } = await listen();
  const client = dial(port);
  await client.hears("220 ");
  for (const line of ["EHLO a", "MAIL FROM:<a@example.com>", "RCPT TO:<b@c.example>", "DATA"]) {
    client.say(line);
  }
  await client.hears("354");
  client.socket.write("Subject: half\r\n\r\nHalf");
  client.socket.destroy();
  await sendMail(port, mail);
  expect(kept).toHaveLength(1);
});

test("STARTTLS is offered with the product's certificate, a newer one as well", async () => {
  const certificate = async (domain: string) =>
    parseCertificate(await createTestCertificate(domain, 3_600_000));
  const listener = await listen({ certificate: await certificate("one.example") });
  const secured: string[] = [];
  const look = async () => {
    const client = dial(listener.port);
    await client.hears("220 ");
    client.say("EHLO a");
    await client.hears("STARTTLS");
    client.say("STARTTLS");
    await client.hears("220 Ready");
    client.socket.removeAllListeners("data");
    const socket = connectTls({ socket: client.socket, rejectUnauthorized: false });
    await once(socket, "secureConnect");
    secured.push(String(socket.getPeerCertificate().subject["CN"]));
    socket.destroy();
  };
  await look();
  listener.renew(await certificate("two.example"));
  await look();
  expect(secured).toEqual(["one.example", "two.example"]);
  await sendMail(listener.port, mail);
  const plain = dial((await listen()).port);
  await plain.hears("220 ");
  plain.say("EHLO a");
  await plain.hears("SIZE");
  expect(plain.heard()).not.toContain("STARTTLS");
});
