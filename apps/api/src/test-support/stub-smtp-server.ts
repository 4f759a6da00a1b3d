import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly source: string;
  readonly secure: boolean;
  readonly user: string | undefined;
}

export interface StubSmtpServer {
  /** `smtp://…` without credentials. */
  readonly url: string;
  readonly port: number;
  /** The mails that the server accepted. */
  readonly received: ReceivedMail[];
  /** How often a client got as far as the mail itself. */
  readonly tries: () => number;
  close(): Promise<void>;
}

/** A reply of a server, as smtp-server wants it. */
export function reply(responseCode: number, text = "Not now"): Error {
  return Object.assign(new Error(text), { responseCode });
}

/**
 * A real mail server on a free loopback port.
 *
 * @param judge says what to answer to a mail that was read; nothing: it is taken
 */
export async function startSmtp(
  options: SMTPServerOptions = {},
  judge: (mail: ReceivedMail) => Promise<Error | undefined> | Error | undefined = () => undefined,
): Promise<StubSmtpServer> {
  const received: ReceivedMail[] = [];
  let tries = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    closeTimeout: 1,
    onData(stream, session, callback) {
      tries += 1;
      let source = "";
      stream.setEncoding("utf8");
      stream.on("data", (chunk: string) => (source += chunk));
      stream.on("end", async () => {
        const mail = describeMail(session, source);
        const refusal = await judge(mail);
        if (refusal === undefined) received.push(mail);
        callback(refusal);
      });
    },
    ...options,
  });
  // Errors of clients that hang up.
  server.on("error", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  // A listening TCP server has an address with a port.
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    received,
    tries: () => tries,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function describeMail(session: SMTPServerSession, source: string): ReceivedMail {
  return {
    to: session.envelope.rcptTo.map(({ address }) => address),
    source,
    secure: session.secure,
    user: session.user,
  };
}

/** Headers with their encoded words read, and the parts by type. */
export function readMail(source: string) {
  const [head = "", ...rest] = source.split("\r\n\r\n");
  const headers = readHeaders(head);
  const boundary = /boundary="([^"]+)"/.exec(headers.get("content-type") ?? "")?.[1] ?? "";
  const parts = new Map<string, string>();
  for (const part of rest.join("\r\n\r\n").split(`--${boundary}`)) {
    const [partHead = "", ...lines] = part.replace(/^\r\n/, "").split("\r\n\r\n");
    const partHeaders = readHeaders(partHead);
    const type = partHeaders.get("content-type")?.split(";")[0];
    if (type === undefined) continue;
    const body = lines.join("\r\n\r\n").replace(/\r\n$/, "");
    parts.set(type, decodeBody(body, partHeaders.get("content-transfer-encoding") ?? "7bit"));
  }
  return { headers, text: parts.get("text/plain") ?? "", html: parts.get("text/html") ?? "" };
}

function readHeaders(head: string): Map<string, string> {
  const unfolded = head.replaceAll(/\r\n[ \t]/g, " ").split("\r\n");
  return new Map(
    unfolded.flatMap((line) => {
      const [, name, value] = /^([\w-]+): (.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined
        ? []
        : [[name.toLowerCase(), decodeWords(value)] as const];
    }),
  );
}

/** RFC 2047. */
function decodeWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === "B"
        ? Buffer.from(text, "base64").toString("utf8")
        : decodeQuoted(text.replaceAll("_", " ")),
    );
}

function decodeBody(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  return encoding === "quoted-printable" ? decodeQuoted(body.replaceAll("=\r\n", "")) : body;
}

function decodeQuoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1").toString("utf8");
}
