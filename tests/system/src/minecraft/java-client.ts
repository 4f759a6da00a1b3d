import { connect, type Socket } from "node:net";
import { FieldReader } from "@palisade/minecraft-protocol/java/fields";
import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { readStatusResponse, statusRequest } from "@palisade/minecraft-protocol/java/status";
import type { HostPort } from "../product/palisade.ts";

/**
 * The first packets of a Java client over a real socket: enough for load, where a whole client
 * would be too much. Real clients test what players do.
 */

/** 1.8: a login is only a name, and every peer of the tests speaks it. */
const protocol = 47;
const answerBytesMax = 512 * 1024;
const loginDisconnectId = 0;

export interface ClientOptions {
  readonly edge: HostPort;
  /** Host of the handshake: domain or label of the shield. */
  readonly host: string;
  /** Any address of 127.0.0.0/8: where the client seems to come from. */
  readonly from?: string;
  readonly capMs?: number;
}

/** The status as a server list shows it. */
export interface Status {
  readonly version?: { readonly name?: string; readonly protocol?: number };
  readonly description?: unknown;
  readonly players?: { readonly online?: number };
}

/** @throws where there is no answer in time */
export function pingStatus(options: ClientOptions): Promise<Status> {
  const hello = Buffer.concat([handshake(options, "status"), statusRequest]);
  return exchange(options, hello, (bytes) => {
    const answer = readStatusResponse(bytes);
    if (answer.kind === "malformed") throw new Error("malformed status");
    // Checked by the reader to be an object; its fields are optional here.
    return answer.kind === "status" ? (JSON.parse(answer.json) as Status) : undefined;
  });
}

export type LoginOutcome =
  | { readonly kind: "admitted" }
  | { readonly kind: "kicked"; readonly text: string };

/** Whether the login reaches the server behind: anything but a disconnect is its answer. */
export async function tryLogin(options: ClientOptions, name: string): Promise<LoginOutcome> {
  const hello = Buffer.concat([handshake(options, "login"), encodeLoginStart(name)]);
  const outcome = await firstLoginAnswer(options, hello);
  if (outcome === "closed") throw new ClosedEarly();
  return outcome;
}

/** The first answer to these bytes, whatever they are. */
export async function firstLoginAnswer(
  options: Omit<ClientOptions, "host">,
  hello: Uint8Array,
): Promise<LoginOutcome | "closed"> {
  const answer = exchange(options, hello, (bytes) => {
    const frame = readFrame(bytes, 0, answerBytesMax);
    if (frame.kind === "malformed") throw new Error("malformed login answer");
    if (frame.kind !== "packet") return undefined;
    if (frame.id !== loginDisconnectId) return { kind: "admitted" as const };
    const text = new FieldReader(bytes, frame.bodyStart, frame.bodyEnd).string(answerBytesMax);
    return { kind: "kicked" as const, text };
  });
  return answer.catch((error: unknown) => {
    if (error instanceof ClosedEarly) return "closed";
    throw error;
  });
}

class ClosedEarly extends Error {
  constructor() {
    super("closed without an answer");
  }
}

function handshake({ edge, host }: ClientOptions, intent: "status" | "login"): Buffer {
  return encodeHandshake({ protocol, host, port: edge.port, intent });
}

function exchange<T>(
  { edge, from, capMs = 60_000 }: Omit<ClientOptions, "host">,
  hello: Uint8Array,
  read: (bytes: Buffer) => T | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({
      host: edge.host,
      port: edge.port,
      ...(from === undefined ? {} : { localAddress: from }),
    });
    let bytes = Buffer.alloc(0);
    const cap = setTimeout(() => fail(new Error(`no answer in ${capMs} ms`)), capMs);
    function fail(error: Error): void {
      clearTimeout(cap);
      socket.destroy();
      reject(error);
    }
    socket.on("connect", () => socket.write(hello));
    socket.on("error", fail);
    socket.on("close", () => fail(new ClosedEarly()));
    socket.on("data", (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      try {
        const answer = read(bytes);
        if (answer === undefined) return;
        clearTimeout(cap);
        resolve(answer);
        socket.destroy();
      } catch (error) {
        fail(error instanceof Error ? error : new Error(String(error)));
      }
    });
  });
}
