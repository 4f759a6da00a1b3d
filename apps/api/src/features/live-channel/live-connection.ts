import {
  channelCaps,
  clientFrame,
  closeCodes,
  type ClientFrame,
  type ServerFrame,
} from "@palisade/contract/http/live-channel";
import { pickLocale } from "@palisade/contract/texts/render";
import type { RawData, WebSocket } from "ws";
import { newId } from "#src/platform/database/ids.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { translateError } from "#src/platform/errors/error-translator.ts";
import type { LiveMetrics } from "./live-metrics.ts";
import type { LiveViewer } from "./live-viewer.ts";

/** The part of a socket that a connection needs. */
export type LiveWebSocket = Pick<
  WebSocket,
  "send" | "close" | "terminate" | "ping" | "on" | "bufferedAmount"
>;

export interface LiveConnection {
  /** Undefined until it is authenticated. */
  readonly viewer: () => LiveViewer | undefined;
  readonly send: (frame: ServerFrame) => void;
  readonly close: (code: number) => void;
  /** Ends without goodbye where two heartbeats were not answered. */
  readonly beat: () => void;
}

export interface LiveConnectionDeps {
  /** Answers with the viewer, or with the close code of the refusal. */
  readonly authenticate: (
    connection: LiveConnection,
    token: string,
  ) => Promise<LiveViewer | number>;
  /** @throws DomainError for an answer that the client gets */
  readonly handle: (connection: LiveConnection, frame: ClientFrame) => Promise<void>;
  readonly ended: (connection: LiveConnection) => void;
  readonly metrics: LiveMetrics;
  readonly log: { warn(details: object, text: string): void };
}

/** Waiting for a client that does not read: more than any message with its frame. */
export const bufferedBytesMax = 1_024 * 1_024;
/** For the client's own close frame. */
const closeMsMax = 2_000;

/** One socket: what it may send, how fast, and when it ends. */
export function openLiveConnection(
  socket: LiveWebSocket,
  acceptLanguage: string | undefined,
  deps: LiveConnectionDeps,
): LiveConnection {
  const locale = pickLocale(acceptLanguage);
  const { metrics } = deps;
  let viewer: LiveViewer | undefined;
  let isAuthenticating = false;
  let isOpen = true;
  let missedBeats = 0;
  let framesInWindow = 0;
  let windowEndsAt = 0;
  /** One frame after the other. */
  let turn = Promise.resolve();
  metrics.connections.inc({ state: "unknown" });
  const deadline = setTimeout(
    () => close(closeCodes.authenticationFailed),
    channelCaps.authenticateSeconds * 1_000,
  );

  const connection: LiveConnection = {
    viewer: () => viewer,
    send,
    close,
    beat() {
      if (!isOpen) return;
      missedBeats += 1;
      if (missedBeats > 2) {
        end();
        socket.terminate();
        return;
      }
      socket.ping();
      if (viewer !== undefined) send({ event: "heartbeat", data: {} });
    },
  };

  function send(frame: ServerFrame): void {
    if (!isOpen) return;
    if (socket.bufferedAmount > bufferedBytesMax) {
      close(closeCodes.tooSlow);
      return;
    }
    socket.send(JSON.stringify(frame));
    metrics.sent.inc({ event: frame.event });
  }

  function close(code: number): void {
    if (!isOpen) return;
    end();
    metrics.closed.inc({ code: String(code) });
    socket.close(code);
    setTimeout(() => socket.terminate(), closeMsMax).unref();
  }

  function end(): void {
    if (!isOpen) return;
    isOpen = false;
    clearTimeout(deadline);
    metrics.connections.dec({ state: viewer === undefined ? "unknown" : "authenticated" });
    deps.ended(connection);
  }

  function receive(data: RawData, isBinary: boolean): void {
    missedBeats = 0;
    if (!isOpen) return;
    const frame = isBinary ? undefined : readClientFrame(data);
    if (viewer === undefined) {
      if (isAuthenticating || frame?.event !== "authenticate") {
        close(closeCodes.authenticationFailed);
        return;
      }
      isAuthenticating = true;
      run(() => authenticate(frame.data.token));
      return;
    }
    if (isOverLimit()) {
      close(closeCodes.authenticationFailed);
      return;
    }
    run(async () => {
      if (frame === undefined || frame.event === "authenticate")
        throw new DomainError("bad_request");
      await deps.handle(connection, frame);
    });
  }

  function isOverLimit(): boolean {
    const now = performance.now();
    if (now >= windowEndsAt) {
      windowEndsAt = now + channelCaps.framesSeconds * 1_000;
      framesInWindow = 0;
    }
    framesInWindow += 1;
    return framesInWindow > channelCaps.frames;
  }

  function run(work: () => Promise<void>): void {
    turn = turn.then(async () => {
      if (!isOpen) return;
      try {
        await work();
      } catch (error) {
        const { body, isUnexpected } = translateError(error, locale, newId());
        if (isUnexpected) deps.log.warn({ err: error }, "A frame of the live channel has failed");
        send({ event: "error", data: { code: body.code, message: body.message } });
      }
    });
  }

  async function authenticate(token: string): Promise<void> {
    let answer: LiveViewer | number;
    try {
      answer = await deps.authenticate(connection, token);
    } catch (error) {
      deps.log.warn({ err: error }, "A token of the live channel cannot be checked");
      close(closeCodes.goingAway);
      return;
    }
    if (typeof answer === "number") close(answer);
    if (!isOpen || typeof answer === "number") return;
    clearTimeout(deadline);
    viewer = answer;
    metrics.connections.dec({ state: "unknown" });
    metrics.connections.inc({ state: "authenticated" });
    send({ event: "authenticated", data: {} });
  }

  socket.on("message", receive);
  socket.on("pong", () => {
    missedBeats = 0;
  });
  socket.on("close", end);
  // Resets, and frames that are broken or too large: the library has sent its close frame.
  socket.on("error", () => {
    end();
    setTimeout(() => socket.terminate(), closeMsMax).unref();
  });
  return connection;
}

function readClientFrame(data: RawData): ClientFrame | undefined {
  try {
    return clientFrame.safeParse(JSON.parse((data as Buffer).toString())).data;
  } catch {
    return undefined;
  }
}
