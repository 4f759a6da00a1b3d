import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { until } from "@palisade/testing/until";
import { afterEach, describe, expect, test } from "vitest";
import {
  readMail,
  reply,
  startSmtp,
  type StubSmtpServer,
} from "#src/test-support/stub-smtp-server.ts";
import { MailRefused, type DeliverableMail } from "./outbox.ts";
import { createSmtpTransport } from "./smtp-transport.ts";

const from = "Palisade <no-reply@palisade.example>";
const mail: DeliverableMail = {
  id: "01890000-0000-7000-8000-000000000000",
  to: "steve@example.com",
  subject: "Hello",
  text: "text",
  html: "<p>html</p>",
};

const stands: StubSmtpServer[] = [];
afterEach(async () => {
  for (const stand of stands.splice(0)) await stand.close();
});

async function stand(...args: Parameters<typeof startSmtp>): Promise<StubSmtpServer> {
  const started = await startSmtp(...args);
  stands.push(started);
  return started;
}

/** The error that delivering fails with. */
async function failure(url: string, of = mail): Promise<Error> {
  const result = await createSmtpTransport({ url, from })
    .deliver(of)
    .catch((error: unknown) => error);
  if (!(result instanceof Error)) throw new Error("It was delivered");
  return result;
}

describe("the mail that arrives", () => {
  test("bears sender, receiver, answers' address, its own id and how to switch it off", async () => {
    const { url, received } = await stand();
    await createSmtpTransport({ url, from, replyTo: "help@palisade.example" }).deliver({
      ...mail,
      optOutUrl: "https://palisade.example/off",
    });
    expect(received.map(({ to }) => to)).toEqual([["steve@example.com"]]);
    const { headers, text, html } = readMail(received[0]?.source ?? "");
    expect(Object.fromEntries(headers)).toMatchObject({
      from,
      to: "steve@example.com",
      "reply-to": "help@palisade.example",
      subject: "Hello",
      "message-id": `<${mail.id}@palisade.example>`,
      "auto-submitted": "auto-generated",
      "list-unsubscribe": "<https://palisade.example/off>",
    });
    expect([text, html]).toEqual(["text", "<p>html</p>"]);
  });

  test("is in Russian word for word, in lines that every server takes", async () => {
    const { url, received } = await stand();
    const subject = "Двухфакторная аутентификация включена, и это довольно длинная тема письма";
    const text = `Ключ «Ёж» добавлен. ${"Очень длинная строка. ".repeat(200)}`;
    const html = `<p>${text}</p>`;
    await createSmtpTransport({ url, from }).deliver({ ...mail, subject, text, html });
    const source = received[0]?.source ?? "";
    const read = readMail(source);
    expect([read.headers.get("subject"), read.text, read.html]).toEqual([subject, text, html]);
    // RFC 5322: 998 bytes; and no byte above 127, for servers that know no 8BITMIME.
    expect(source.split("\r\n").every((line) => line.length <= 998)).toBe(true);
    expect([...source].every((character) => character.charCodeAt(0) < 128)).toBe(true);
  });

  test("is one mail to one receiver, whatever a name, subject or text holds", async () => {
    const { url, received } = await stand();
    const transport = createSmtpTransport({ url, from });
    const hostile = "Hello\r\nBcc: b@example.com\r\n\r\nBody";
    const text = "first\r\n.\r\nMAIL FROM:<x@example.com>\r\nRCPT TO:<b@example.com>\r\n.\r\nlast";
    await transport.deliver({ ...mail, subject: hostile, text, html: text });
    for (const to of [`a@example.com\r\nBcc: b@example.com`, "a@example.com, b@example.com"]) {
      await transport.deliver({ ...mail, to }).catch(() => undefined);
    }
    for (const { to, source } of received) {
      expect(source.split("\r\n\r\n")[0]).not.toMatch(/^Bcc:/im);
      expect(to).toHaveLength(1);
      expect(to).not.toContain("b@example.com");
    }
    const [first] = received;
    expect(first?.to).toEqual([mail.to]);
    expect(readMail(first?.source ?? "").text).toBe(text);
  });
});

describe("credentials", () => {
  const withStarttls = { disabledCommands: [], authOptional: false };
  const logins: string[] = [];
  const onAuth: NonNullable<Parameters<typeof startSmtp>[0]>["onAuth"] = (auth, _, callback) => {
    logins.push(`${auth.username}:${auth.password}`);
    if (auth.password === "p@ss") callback(null, { user: auth.username ?? "" });
    else callback(reply(535, "Wrong"));
  };
  const address = (port: number, password: string, options = "") =>
    `smtp://mailer:${password}@127.0.0.1:${port}${options}`;
  /** The stand's certificate is its own; here only that the line is encrypted counts. */
  const anyCertificate = "?tls.rejectUnauthorized=false";
  afterEach(() => void logins.splice(0));

  test("go over STARTTLS, and the mail with them", async () => {
    const { port, received } = await stand({ ...withStarttls, onAuth });
    const url = address(port, "p%40ss", anyCertificate);
    await createSmtpTransport({ url, from }).deliver(mail);
    expect(received).toMatchObject([{ secure: true, user: "mailer", to: [mail.to] }]);
  });

  test("are not sent when STARTTLS is missing: an attacker may have removed it", async () => {
    const { port, received } = await stand({
      onAuth,
      authOptional: false,
      allowInsecureAuth: true,
    });
    expect(await failure(address(port, "p%40ss"))).not.toBeInstanceOf(MailRefused);
    expect([logins, received]).toEqual([[], []]);
  });

  test("go in clear where the operator says so", async () => {
    const { port, received } = await stand({
      onAuth,
      authOptional: false,
      allowInsecureAuth: true,
    });
    const url = address(port, "p%40ss", "?requireTLS=false");
    await createSmtpTransport({ url, from }).deliver(mail);
    expect(received).toMatchObject([{ secure: false, user: "mailer" }]);
  });

  test("are not sent to a server whose certificate is not trusted", async () => {
    const { port, received } = await stand({ ...withStarttls, onAuth });
    expect((await failure(address(port, "p%40ss"))).message).toMatch(/certificate/i);
    expect([logins, received]).toEqual([[], []]);
  });

  test("that are wrong cost no mail: it is tried again until the operator has mended them", async () => {
    const { port } = await stand({ ...withStarttls, onAuth });
    const error = await failure(address(port, "secret-typo", anyCertificate));
    expect(error).not.toBeInstanceOf(MailRefused);
    expect(error.message).toContain("535");
    expect(error.message).not.toContain("secret-typo");
  });
});

describe("an answer of the server", () => {
  test.each([
    ["RCPT TO", 550, "", true],
    ["RCPT TO", 550, "5.1.1 ", true],
    ["RCPT TO", 554, "5.7.1 ", false],
    ["RCPT TO", 550, "5.7.606 ", false],
    ["RCPT TO", 450, "", false],
    ["RCPT TO", 503, "", false],
    ["MAIL FROM", 550, "", false],
    ["DATA", 554, "", true],
    ["DATA", 550, "5.7.26 ", false],
    ["DATA", 452, "", false],
  ] as const)("%s: %i %sis final: %s, its error naming no receiver", async (...row) => {
    const [at, code, status, isFinal] = row;
    const answer = reply(code, `${status}No <${mail.to}> here`);
    const { url, received } = await stand(
      {
        ...(at === "RCPT TO" && { onRcptTo: (_address, _session, done) => done(answer) }),
        ...(at === "MAIL FROM" && { onMailFrom: (_address, _session, done) => done(answer) }),
      },
      () => (at === "DATA" ? answer : undefined),
    );
    const error = await failure(url);
    expect(error instanceof MailRefused).toBe(isFinal);
    expect(error.message).toContain(`${at} `);
    expect(error.message).toContain(String(code));
    expect(error.message).not.toContain(mail.to);
    expect(received).toEqual([]);
  });

  test("that never comes ends the try, and the line with it: nothing is delivered later", async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on("error", () => undefined);
      // A greeting that goes on: never silent long enough for a timeout of silence.
      const drip = setInterval(() => socket.write("220-still here\r\n"), 20);
      socket.on("close", () => clearInterval(drip));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const transport = createSmtpTransport({ url: `smtp://127.0.0.1:${port}`, from, tryMsMax: 300 });
    await expect(transport.deliver(mail)).rejects.toThrow(/abort/i);
    await until(() => sockets.length === 1 && sockets[0]?.destroyed);
    server.close();
  });
});

describe("a connection that is lost", () => {
  test("in the middle of the mail, or before the server's yes: the next try has the same id", async () => {
    const sources: string[] = [];
    const stream = await stand({
      onConnect(session, callback) {
        connections.push(session.id);
        callback();
      },
      onData(data, _session, callback) {
        let source = "";
        data.on("data", (chunk: Buffer) => {
          source += chunk.toString("utf8");
          if (connections.length === 1) cut();
        });
        data.on("end", () => {
          sources.push(source);
          if (connections.length === 2) cut();
          else callback();
        });
      },
    });
    const relay = await startRelay(stream.port);
    const connections: string[] = [];
    const cut = () => relay.cut();
    const transport = createSmtpTransport({ url: `smtp://127.0.0.1:${relay.port}`, from });
    // More than lies on the way at once: the rest of it never leaves.
    const long = { ...mail, text: "A line of the mail.\r\n".repeat(200_000) };
    await expect(transport.deliver(long)).rejects.not.toBeInstanceOf(MailRefused);
    expect(sources).toEqual([]);
    await expect(transport.deliver(mail)).rejects.not.toBeInstanceOf(MailRefused);
    await transport.deliver(mail);
    // The second was taken though we never heard: only its id tells a repetition.
    expect(sources).toHaveLength(2);
    const ids = sources.map((source) => readMail(source).headers.get("message-id"));
    expect(new Set(ids)).toEqual(new Set([`<${mail.id}@palisade.example>`]));
    relay.close();
  });
});

/** Between client and server, to cut the line at a moment of our choice. */
async function startRelay(target: number) {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => sockets.delete(socket));
    }
    client.pipe(upstream).pipe(client);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" ? address?.port : undefined,
    cut: () => sockets.forEach((socket) => socket.destroy()),
    close: () => server.close(),
  };
}
