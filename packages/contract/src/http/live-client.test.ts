import { describe, expect, test } from "vitest";
import { ticketChannel, type ClientFrame, type ServerFrame } from "./live-channel.ts";
import { createLiveClient, mergeMessages, type LiveSocket } from "./live-client.ts";

const ticketId = "0199c0de-0000-7000-8000-000000000001";
const channel = ticketChannel(ticketId);

class StubSocket implements LiveSocket {
  onopen: LiveSocket["onopen"] = null;
  onmessage: LiveSocket["onmessage"] = null;
  onclose: LiveSocket["onclose"] = null;
  readonly sent: ClientFrame[] = [];
  isClosed = false;
  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientFrame);
  }
  close(): void {
    this.isClosed = true;
  }
  say(frame: ServerFrame): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
  drop(code = 1006): void {
    this.onclose?.({ code });
  }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

function fixture() {
  const sockets: StubSocket[] = [];
  const frames: ServerFrame[] = [];
  const timers = new Set<{ run: () => void; at: number }>();
  let now = 0;
  let tokens = 0;
  let failure: Error | undefined;
  const client = createLiveClient({
    fetchToken: async () => {
      tokens += 1;
      if (failure !== undefined) throw failure;
      return `token-${tokens}`;
    },
    isRefused: (error) => (error as Error).message === "401",
    openSocket: () => {
      const socket = new StubSocket();
      sockets.push(socket);
      return socket;
    },
    startTimer: (run, ms) => {
      const timer = { run, at: now + ms };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    now: () => now,
  });
  return {
    client,
    sockets,
    frames,
    timers,
    tokens: () => tokens,
    fail: (error: Error | undefined) => (failure = error),
    socket: () => sockets.at(-1) as StubSocket,
    subscribe: () => client.subscribe(channel, (frame) => frames.push(frame)),
    async pass(ms: number) {
      now += ms;
      for (const timer of [...timers].filter(({ at }) => at <= now)) {
        timers.delete(timer);
        timer.run();
      }
      await settled();
    },
    async accept() {
      await settled();
      const socket = sockets.at(-1) as StubSocket;
      socket.onopen?.(undefined as never);
      socket.say({ event: "authenticated", data: {} });
      socket.say({ event: "subscribed", data: { channel } });
    },
  };
}

describe("the live client", () => {
  test("connects at the first subscription with a token and subscribes once authenticated", async () => {
    const { client, subscribe, socket, accept, frames } = fixture();
    expect(client.state()).toBe("idle");
    subscribe();
    expect(client.state()).toBe("connecting");
    await accept();
    expect(socket().sent).toEqual([
      { event: "authenticate", data: { token: "token-1" } },
      { event: "subscribe", data: { channel } },
    ]);
    expect(client.state()).toBe("live");
    expect(frames).toEqual([{ event: "subscribed", data: { channel } }]);
  });

  test("tries five times, three seconds apart, then only when asked", async () => {
    const { client, subscribe, socket, sockets, accept, pass, timers } = fixture();
    subscribe();
    await accept();
    socket().drop();
    for (let tried = 1; tried <= 5; tried += 1) {
      expect(client.state()).toBe("reconnecting");
      await pass(2_999);
      expect(sockets).toHaveLength(tried);
      await pass(1);
      expect(sockets).toHaveLength(tried + 1);
      socket().drop();
    }
    expect(client.state()).toBe("failed");
    expect(timers.size).toBe(0);
    client.reconnect();
    await accept();
    expect(client.state()).toBe("live");
    expect(sockets).toHaveLength(7);
  });

  test("a connection that worked gives all tries back", async () => {
    const { client, subscribe, socket, accept, pass } = fixture();
    subscribe();
    await accept();
    for (let lost = 0; lost < 12; lost += 1) {
      socket().drop();
      await pass(3_000);
      await accept();
      expect(client.state()).toBe("live");
    }
  });

  test("a token that cannot be fetched is a failed try", async () => {
    const { client, subscribe, fail, pass, accept, tokens } = fixture();
    fail(new Error("offline"));
    subscribe();
    await settled();
    expect(client.state()).toBe("reconnecting");
    fail(undefined);
    await pass(3_000);
    await accept();
    expect(client.state()).toBe("live");
    expect(tokens()).toBe(2);
  });

  test("does not try again where the login is refused", async () => {
    const { client, subscribe, socket, accept, timers, fail } = fixture();
    subscribe();
    await accept();
    socket().drop(1008);
    expect(client.state()).toBe("refused");
    expect(timers.size).toBe(0);
    fail(new Error("401"));
    client.reconnect();
    await settled();
    expect(client.state()).toBe("refused");
  });

  test("an expired token is replaced at once, and a second one in a row like any lost connection", async () => {
    const { client, subscribe, socket, sockets, accept, timers } = fixture();
    subscribe();
    await accept();
    socket().drop(4401);
    await settled();
    expect(sockets).toHaveLength(2);
    socket().onopen?.(undefined as never);
    expect(socket().sent).toEqual([{ event: "authenticate", data: { token: "token-2" } }]);
    socket().drop(4401);
    await settled();
    expect(sockets).toHaveLength(2);
    expect(timers.size).toBe(1);
    expect(client.state()).toBe("reconnecting");
  });

  test("a silent connection is given up; a heartbeat keeps it", async () => {
    const { client, subscribe, sockets, socket, accept, pass } = fixture();
    subscribe();
    await accept();
    await pass(49_000);
    socket().say({ event: "heartbeat", data: {} });
    await pass(49_000);
    expect(client.state()).toBe("live");
    const silent = socket();
    await pass(1_000);
    expect(client.state()).toBe("reconnecting");
    expect(silent.isClosed).toBe(true);
    await pass(3_000);
    expect(sockets).toHaveLength(2);
  });

  test("the connection ends with the last subscription, also while a token is on its way", async () => {
    const { client, subscribe, sockets, accept, timers } = fixture();
    const end = subscribe();
    const endSecond = subscribe();
    await accept();
    end();
    expect(sockets[0]?.isClosed).toBe(false);
    endSecond();
    expect(sockets[0]?.isClosed).toBe(true);
    const endThird = subscribe();
    endThird();
    await settled();
    expect(sockets).toHaveLength(1);
    expect(client.state()).toBe("idle");
    expect(timers.size).toBe(0);
  });

  test("each listener gets the frames of its own channel, and nonsense is ignored", async () => {
    const { client, frames, subscribe, socket, accept } = fixture();
    const others: ServerFrame[] = [];
    subscribe();
    client.subscribe("ticket-0199c0de-0000-7000-8000-000000000002", (frame) => others.push(frame));
    await accept();
    socket().say({
      event: "status-updated",
      data: { ticket_id: ticketId, status: "closed", updated_at: "2026-01-01T00:00:00.000Z" },
    });
    for (const data of ["", "{", "null", "[]", '{"event":1}', new Uint8Array(4)])
      socket().onmessage?.({ data });
    expect(frames.map(({ event }) => event)).toEqual(["subscribed", "status-updated"]);
    expect(others).toEqual([]);
  });

  test("typing is sent every two seconds at most", async () => {
    const { client, subscribe, socket, accept, pass } = fixture();
    subscribe();
    client.sendTyping(channel);
    await accept();
    client.sendTyping(channel);
    client.sendTyping(channel);
    await pass(2_000);
    client.sendTyping(channel);
    expect(socket().sent.filter(({ event }) => event === "typing")).toHaveLength(2);
  });
});

test("messages of the channel and of a later read are merged: each once, newest first", () => {
  const [a, b, c, d] = ["a", "b", "c", "d"].map((id) => ({ id }));
  if (!a || !b || !c || !d) throw new Error("unreachable");
  expect(mergeMessages([b, a], [b, c, d])).toEqual([d, c, b, a]);
  expect(mergeMessages([d, c, b, a], [c, d])).toEqual([d, c, b, a]);
  expect(mergeMessages([], [a, a])).toEqual([a]);
});
