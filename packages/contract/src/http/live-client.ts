import {
  closeCodes,
  heartbeatSeconds,
  typingSeconds,
  type ClientFrame,
  type ServerFrame,
} from "./live-channel.ts";

/**
 * - `idle`         nothing is subscribed
 * - `connecting`   the first connection is on its way
 * - `live`         events arrive
 * - `reconnecting` the connection was lost and is tried again
 * - `failed`       every try failed: only `reconnect` tries again
 * - `refused`      the server does not accept the login: only `reconnect` tries again
 */
export type LiveState = "idle" | "connecting" | "live" | "reconnecting" | "failed" | "refused";

/** The part of a browser's `WebSocket` that the client needs. */
export interface LiveSocket {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(text: string): void;
  close(): void;
}

export interface LiveClientDeps {
  /** @throws whatever the call throws; `isRefused` tells whether another try may help */
  readonly fetchToken: () => Promise<string>;
  /** The session has ended, for instance. */
  readonly isRefused: (error: unknown) => boolean;
  readonly openSocket: () => LiveSocket;
  /** @returns cancels the timer */
  readonly startTimer: (run: () => void, ms: number) => () => void;
  readonly now: () => number;
}

export type LiveListener = (frame: ServerFrame) => void;

export interface LiveClient {
  /**
   * Connects at the first subscription and ends the connection after the last. The listener gets
   * `subscribed` after every (re)connection: what was sent before is missing, so read the state again there.
   *
   * @returns ends the subscription
   */
  subscribe(channel: string, listener: LiveListener): () => void;
  sendTyping(channel: string): void;
  state(): LiveState;
  /** @returns ends the watch */
  watch(onChange: () => void): () => void;
  /** Tries again after `failed` or `refused`; does nothing in other states. */
  reconnect(): void;
}

export const reconnectTries = 5;
export const reconnectMs = 3_000;
const openMsMax = 15_000;
const silenceMsMax = 2 * heartbeatSeconds * 1_000;

/** One connection for all subscriptions, which comes back by itself. */
export function createLiveClient(deps: LiveClientDeps): LiveClient {
  const listeners = new Map<string, Set<LiveListener>>();
  const watchers = new Set<() => void>();
  const typedAt = new Map<string, number>();
  let state: LiveState = "idle";
  let socket: LiveSocket | undefined;
  let isAuthenticated = false;
  /** Failed tries since the connection last worked. */
  let tries = 0;
  /** The next try after an expired token comes at once, but only once. */
  let wasExpired = false;
  /** Grows whenever what is under way no longer counts. */
  let attempt = 0;
  let cancelTimer = (): void => undefined;

  function become(next: LiveState): void {
    if (state === next) return;
    state = next;
    for (const watcher of watchers) watcher();
  }

  function startTimer(run: () => void, ms: number): void {
    cancelTimer();
    cancelTimer = deps.startTimer(run, ms);
  }

  function leave(): void {
    attempt += 1;
    cancelTimer();
    isAuthenticated = false;
    const left = socket;
    socket = undefined;
    if (left === undefined) return;
    left.onopen = left.onmessage = left.onclose = null;
    left.close();
  }

  async function connect(): Promise<void> {
    leave();
    const own = attempt;
    try {
      const token = await deps.fetchToken();
      if (own === attempt) open(token);
    } catch (error) {
      if (own !== attempt) return;
      if (deps.isRefused(error)) become("refused");
      else retry();
    }
  }

  function open(token: string): void {
    const fresh = deps.openSocket();
    socket = fresh;
    startTimer(lose, openMsMax);
    fresh.onopen = () => send({ event: "authenticate", data: { token } });
    fresh.onmessage = ({ data }) => {
      const frame = readFrame(data);
      if (frame !== undefined) receive(frame);
    };
    fresh.onclose = ({ code }) => {
      if (code === closeCodes.authenticationFailed) {
        leave();
        become("refused");
      } else if (code === closeCodes.expired && !wasExpired) {
        wasExpired = true;
        become("reconnecting");
        void connect();
      } else lose();
    };
  }

  function lose(): void {
    leave();
    retry();
  }

  function retry(): void {
    tries += 1;
    if (tries > reconnectTries) {
      become("failed");
      return;
    }
    become("reconnecting");
    startTimer(() => void connect(), reconnectMs);
  }

  function send(frame: ClientFrame): void {
    socket?.send(JSON.stringify(frame));
  }

  function receive(frame: ServerFrame): void {
    if (isAuthenticated) startTimer(lose, silenceMsMax);
    if (frame.event === "authenticated") {
      isAuthenticated = true;
      tries = 0;
      wasExpired = false;
      startTimer(lose, silenceMsMax);
      become("live");
      for (const channel of listeners.keys()) send({ event: "subscribe", data: { channel } });
      return;
    }
    const channel = channelOf(frame);
    for (const [name, each] of listeners) {
      if (channel !== undefined && channel !== name) continue;
      for (const listener of [...each]) listener(frame);
    }
  }

  function start(): void {
    tries = 0;
    wasExpired = false;
    become("connecting");
    void connect();
  }

  return {
    subscribe(channel, listener) {
      const known = listeners.get(channel) ?? new Set();
      const isFirst = known.size === 0;
      // A listener that comes later needs its own `subscribed`.
      if (isAuthenticated) send({ event: "subscribe", data: { channel } });
      listeners.set(channel, known.add(listener));
      if (isFirst && state === "idle") start();
      return () => {
        if (!known.delete(listener) || known.size > 0) return;
        if (listeners.get(channel) === known) listeners.delete(channel);
        typedAt.delete(channel);
        if (listeners.size === 0) {
          leave();
          become("idle");
        } else if (isAuthenticated) send({ event: "unsubscribe", data: { channel } });
      };
    },
    sendTyping(channel) {
      const now = deps.now();
      if (!isAuthenticated || now - (typedAt.get(channel) ?? -Infinity) < typingSeconds * 500)
        return;
      typedAt.set(channel, now);
      send({ event: "typing", data: { channel } });
    },
    state: () => state,
    watch(onChange) {
      watchers.add(onChange);
      return () => watchers.delete(onChange);
    },
    reconnect() {
      if (state === "failed" || state === "refused") start();
    },
  };
}

/** The server's own frames are not checked again, only that they are frames. */
function readFrame(data: unknown): ServerFrame | undefined {
  if (typeof data !== "string") return undefined;
  try {
    const frame: unknown = JSON.parse(data);
    const isFrame =
      typeof frame === "object" && frame !== null && "event" in frame && "data" in frame;
    return isFrame ? (frame as ServerFrame) : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined: it is about no channel, so that every listener gets it. */
function channelOf({ data }: ServerFrame): string | undefined {
  if ("channel" in data) return data.channel;
  return "ticket_id" in data ? `ticket-${data.ticket_id}` : undefined;
}

/**
 * The messages of a ticket as just read, with those the channel brought since the read began. Newest
 * first, each once.
 */
export function mergeMessages<M extends { readonly id: string }>(
  read: readonly M[],
  live: readonly M[],
): M[] {
  const known = new Set(read.map(({ id }) => id));
  const added: M[] = [];
  for (const message of live) {
    if (known.has(message.id)) continue;
    known.add(message.id);
    added.unshift(message);
  }
  return [...added, ...read];
}
