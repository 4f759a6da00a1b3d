import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import type { Logger } from "pino";
import {
  SMTPServer,
  type SMTPServerAddress,
  type SMTPServerDataStream,
  type SMTPServerSession,
} from "smtp-server";
import type { Certificate } from "#src/platform/http/tls/certificate.ts";
import { tlsParameters } from "#src/platform/http/tls/tls-parameters.ts";
import { StartError } from "#src/platform/database/ready.ts";
import { mailBytesMax } from "./mail-limits.ts";
import type { InboundMails } from "./inbound-mails.service.ts";

export interface SmtpListenerOptions {
  readonly host: string;
  readonly port: number;
  /** The name by which the server greets: the domain of the support's address. */
  readonly name: string;
  /** Undefined: without STARTTLS. */
  readonly certificate: Certificate | undefined;
  readonly mails: InboundMails;
  readonly log: Logger;
  readonly limits?: Partial<SmtpLimits>;
}

export interface SmtpLimits {
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
  /** The longest life of a connection, whatever it does. */
  readonly connectionMsMax: number;
  readonly silenceMsMax: number;
  /** All mails that are being received, together: they are in memory. */
  readonly memoryBytesMax: number;
}

export interface SmtpListener {
  readonly port: number;
  renew(certificate: Certificate): void;
  close(): Promise<void>;
}

const defaults: SmtpLimits = {
  connectionsMax: 50,
  connectionsPerAddressMax: 5,
  connectionMsMax: 300_000,
  silenceMsMax: 60_000,
  memoryBytesMax: 160 * 1024 * 1024,
};

/**
 * Takes mails to the reply addresses of tickets, and no others. A mail is accepted only once it is
 * kept: until then the sender's server tries again.
 */
export async function openSmtpListener(options: SmtpListenerOptions): Promise<SmtpListener> {
  const { certificate, mails, log } = options;
  const limits = { ...defaults, ...options.limits };
  const connections = countConnections(limits);
  const memory = { bytes: 0 };
  const take = async (stream: SMTPServerDataStream, session: SMTPServerSession) => {
    const source = await receive(stream, memory, limits.memoryBytesMax);
    if (typeof source === "string") return tooMuch[source];
    try {
      const [recipient] = session.envelope.rcptTo;
      if (recipient === undefined) return reply(503, "5.5.1 There is no receiver");
      await mails.keep({
        via: "smtp",
        recipient: recipient.address,
        sender: senderOf(session),
        source,
      });
      return null;
    } finally {
      memory.bytes -= source.length;
    }
  };
  const server = new SMTPServer({
    name: options.name,
    banner: "Palisade",
    size: mailBytesMax,
    rejectOversized: true,
    authOptional: true,
    disabledCommands: certificate === undefined ? ["AUTH", "STARTTLS"] : ["AUTH"],
    ...(certificate && { cert: certificate.cert, key: certificate.key, ...tlsParameters }),
    disableReverseLookup: true,
    logger: false,
    maxClients: limits.connectionsMax,
    maxRecipients: 1,
    socketTimeout: limits.silenceMsMax,
    closeTimeout: 1_000,
    onRcptTo({ address }, _session, callback) {
      void answer(log, callback, async () => recipientReply(await mails.judgeRecipient(address)));
    },
    onData(stream, session, callback) {
      void answer(log, callback, () => take(stream, session));
    },
  });
  // Errors of single connections, of which most are strangers who hang up.
  server.on("error", (error) => log.debug({ err: error }, "A mail connection failed"));
  server.server.on("connection", (socket) => connections.add(socket));
  server.listen(options.port, options.host);
  try {
    await once(server.server, "listening");
  } catch (error) {
    throw new StartError(
      `Port ${options.port} on ${options.host} cannot be opened for mails: set PALISADE_INBOUND_SMTP_PORT to a free port that this user may open`,
      { cause: error },
    );
  }
  return {
    // A listening TCP server has an address with a port.
    port: (server.server.address() as AddressInfo).port,
    renew: ({ cert, key }) => server.updateSecureContext({ cert, key, ...tlsParameters }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        connections.end();
      }),
  };
}

/** Tells the client the reply of `work`; null: it is accepted. */
async function answer(
  log: Logger,
  callback: (reply: Error | null) => void,
  work: () => Promise<Error | null>,
): Promise<void> {
  let result: Error | null;
  try {
    result = await work();
  } catch (error) {
    log.warn({ err: error }, "A mail could not be taken: its sender tries again");
    result = reply(451, "4.3.0 Please try again later");
  }
  callback(result);
}

function senderOf({ envelope }: SMTPServerSession): string {
  const from: SMTPServerAddress | false = envelope.mailFrom;
  return from === false ? "" : from.address;
}

function countConnections(limits: SmtpLimits) {
  const open = new Map<Socket, string>();
  return {
    add(socket: Socket) {
      const address = socket.remoteAddress ?? "";
      const same = [...open.values()].filter((other) => other === address).length;
      if (same >= limits.connectionsPerAddressMax) {
        socket.destroy();
        return;
      }
      open.set(socket, address);
      const deadline = setTimeout(() => socket.destroy(), limits.connectionMsMax);
      socket.once("close", () => {
        clearTimeout(deadline);
        open.delete(socket);
      });
    },
    end() {
      for (const socket of open.keys()) socket.destroy();
    },
  };
}

const tooMuch = {
  mail: reply(552, "5.3.4 The mail is too large"),
  memory: reply(452, "4.3.1 Too many mails at once, please try again later"),
} as const;

/** Reads to the end in any case: the client hears the answer only then. */
async function receive(
  stream: SMTPServerDataStream,
  memory: { bytes: number },
  memoryBytesMax: number,
): Promise<Buffer | keyof typeof tooMuch> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let problem: keyof typeof tooMuch | undefined;
  const release = (): void => {
    memory.bytes -= bytes;
    bytes = 0;
    chunks.length = 0;
  };
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (problem !== undefined) continue;
      bytes += chunk.length;
      memory.bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > mailBytesMax) problem = "mail";
      else if (memory.bytes > memoryBytesMax) problem = "memory";
      if (problem !== undefined) release();
    }
  } catch (error) {
    release();
    throw error;
  }
  return stream.sizeExceeded ? (release(), "mail") : (problem ?? Buffer.concat(chunks));
}

function recipientReply(judgement: "take" | "unknown" | "later"): Error | null {
  if (judgement === "take") return null;
  return judgement === "unknown"
    ? reply(550, "5.1.1 There is no such address")
    : reply(452, "4.2.2 Too many mails to this ticket, please try again later");
}

function reply(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}
