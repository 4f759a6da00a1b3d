import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import {
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  RECURSION_DESIRED,
  TRUNCATED_RESPONSE,
  type Answer,
  type Question,
} from "dns-packet";

/** A record in text form, e.g. `{ type: "SRV", name: "_minecraft._tcp.a.test", value: "0 5 25565 b.test" }`. */
export interface FakeRecord {
  readonly type: "CNAME" | "SRV" | "TXT" | "A" | "AAAA" | "NS" | "PTR";
  readonly name: string;
  readonly value: string;
}

/** A fault of a name: `truncated` answers completely only over TCP, `silent` never answers. */
export type FakeFault = "servfail" | "refused" | "silent" | "truncated" | "garbage";

export interface FakeZone {
  /** `address:port`, UDP and TCP. */
  readonly address: string;
  readonly port: number;
  /** The records it serves; they can be replaced at any time. */
  records: readonly FakeRecord[];
  /** By name, lower case; `*` for every name. */
  faults: Readonly<Record<string, FakeFault>>;
  readonly asked: readonly {
    readonly name: string;
    readonly type: string;
    readonly over: "udp" | "tcp";
  }[];
  close(): Promise<void>;
}

/**
 * A test's DNS server for zones that are not ours. It answers for every name, as authority and as
 * resolver, and follows CNAMEs through its own records. A name that exists, or has names below it, is
 * never NXDOMAIN.
 *
 * @example
 * const zone = await startFakeZone();
 * zone.records = [{ type: "CNAME", name: "play.example.test", value: "label.gs.localhost" }];
 * zone.faults = { "mc.example.test": "servfail" };
 */
export async function startFakeZone(options: { readonly origin?: string } = {}): Promise<FakeZone> {
  const asked: { name: string; type: string; over: "udp" | "tcp" }[] = [];
  const sockets = new Set<Socket>();
  const zone = { records: [] as readonly FakeRecord[], faults: {} as FakeZone["faults"] };

  const respond = (message: Buffer, over: "udp" | "tcp"): Buffer | null => {
    const query = decode(message);
    const question = query.questions?.[0];
    if (query.type !== "query" || question === undefined) return null;
    const name = question.name.toLowerCase();
    asked.push({ name, type: question.type, over });
    const reply = (
      code: number,
      flags: number,
      answers: Answer[] = [],
      authorities: Answer[] = [],
    ) =>
      encode({
        type: "response",
        id: query.id ?? 0,
        flags: code | flags | AUTHORITATIVE_ANSWER | (query.flag_rd ? RECURSION_DESIRED : 0),
        questions: [question],
        answers,
        authorities,
      });
    const fault = zone.faults[name] ?? zone.faults["*"];
    if (fault === "silent") return null;
    if (fault === "servfail") return reply(2, 0);
    if (fault === "refused") return reply(5, 0);
    if (fault === "garbage") return Buffer.concat([message.subarray(0, 2), Buffer.alloc(20, 0xff)]);
    if (fault === "truncated" && over === "udp") return reply(0, TRUNCATED_RESPONSE);
    const answers = answersTo(zone.records, question);
    const isAbsent = answers.length === 0 && !exists(zone.records, name);
    return reply(
      isAbsent ? 3 : 0,
      0,
      answers,
      answers.length === 0 ? [soa(options.origin ?? ".")] : [],
    );
  };

  const { tcp, udp, port } = await bindBoth();
  udp.on("message", (message, from) => {
    const answer = respond(message, "udp");
    if (answer !== null) udp.send(answer, from.port, from.address, () => undefined);
  });
  tcp.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    serveStream(socket, (message) => respond(message, "tcp"));
  });

  return Object.assign(zone, {
    address: `127.0.0.1:${port}`,
    port,
    asked,
    async close() {
      const closed = [once(tcp, "close"), once(udp, "close")];
      tcp.close();
      udp.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all(closed);
    },
  });
}

async function bindBoth() {
  for (let attempt = 1; ; attempt += 1) {
    const tcp = createServer();
    tcp.listen(0, "127.0.0.1");
    await once(tcp, "listening");
    const address = tcp.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    const udp = createSocket("udp4");
    try {
      udp.bind(port, "127.0.0.1");
      await once(udp, "listening");
      return { tcp, udp, port };
    } catch (error) {
      // Another program uses that port for UDP.
      tcp.close();
      if (attempt === 20) throw error;
    }
  }
}

function serveStream(socket: Socket, respond: (message: Buffer) => Buffer | null): void {
  let pending = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
      const end = 2 + pending.readUInt16BE(0);
      const answer = respond(pending.subarray(2, end));
      pending = pending.subarray(end);
      if (answer === null) continue;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(answer.length);
      socket.write(Buffer.concat([length, answer]));
    }
  });
}

function answersTo(records: readonly FakeRecord[], question: Question): Answer[] {
  const answers: Answer[] = [];
  let at = question.name;
  // A loop of CNAMEs ends after a few rounds, as with a careless server.
  for (let hop = 0; hop < 10; hop += 1) {
    const here = records.filter(({ name }) => isSame(name, at));
    const wanted = here.filter(({ type }) => type === question.type);
    answers.push(...wanted.map((record) => toAnswer(at, record)));
    const alias = here.find(({ type }) => type === "CNAME");
    if (wanted.length > 0 || alias === undefined) return answers;
    answers.push(toAnswer(at, alias));
    at = alias.value;
  }
  return answers;
}

function exists(records: readonly FakeRecord[], name: string): boolean {
  return records.some((record) => `.${record.name.toLowerCase()}`.endsWith(`.${name}`));
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function toAnswer(name: string, { type, value }: FakeRecord): Answer {
  const common = { name, ttl: 1 };
  if (type === "TXT") return { ...common, type, data: value };
  if (type !== "SRV") return { ...common, type, data: value };
  const [priority, weight, port, target = "."] = value.split(" ");
  const data = { priority: Number(priority), weight: Number(weight), port: Number(port), target };
  return { ...common, type, data };
}

function soa(name: string): Answer {
  const times = { serial: 1, refresh: 300, retry: 60, expire: 600, minimum: 1 };
  return { type: "SOA", name, ttl: 1, data: { mname: "ns.test", rname: "host.test", ...times } };
}
