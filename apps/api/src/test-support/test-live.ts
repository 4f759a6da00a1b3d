import {
  createLiveToken,
  serverFrame,
  socketsPath,
  ticketChannel,
  type ClientFrame,
  type ServerFrame,
} from "@palisade/contract/http/live-channel";
import { until } from "@palisade/testing/until";
import { WebSocket } from "ws";
import { addMessage } from "#src/features/tickets/ticket-messages.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { Platform } from "#src/platform/platform.ts";
import type { TestApp } from "./test-app.ts";
import { call, expectStatus, type TestUser } from "./test-users.ts";

type FrameOf<E extends ServerFrame["event"]> = Extract<ServerFrame, { event: E }>;

/** A client of the live channel that keeps what it hears. */
export interface TestLive {
  readonly socket: WebSocket;
  readonly frames: readonly ServerFrame[];
  /** The close code; undefined while it is open. */
  readonly closedWith: () => number | undefined;
  readonly say: (frame: ClientFrame) => void;
  heard<E extends ServerFrame["event"]>(event: E): FrameOf<E>["data"][];
  /** Waits for as many frames of the event. */
  wait<E extends ServerFrame["event"]>(event: E, count?: number): Promise<FrameOf<E>["data"][]>;
  closes(): Promise<number>;
}

/** A socket that has not authenticated yet. */
export async function openLive(
  testApp: TestApp,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestLive> {
  const origin = await testApp.listen();
  const socket = new WebSocket(origin.replace("http", "ws") + socketsPath, { headers });
  const frames: ServerFrame[] = [];
  let code: number | undefined;
  // Each frame is one of the contract.
  socket.on("message", (data) => {
    frames.push(serverFrame.parse(JSON.parse((data as Buffer).toString())));
  });
  socket.on("close", (with_) => (code = with_));
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve).once("error", reject);
  });
  socket.on("error", () => undefined);
  const live: TestLive = {
    socket,
    frames,
    closedWith: () => code,
    say: (frame) => socket.send(JSON.stringify(frame)),
    heard: (event) =>
      frames.flatMap((frame) => (frame.event === event ? [frame.data] : [])) as never,
    wait: (event, count = 1) =>
      until(
        () => {
          const heard = live.heard(event);
          return heard.length >= count && heard;
        },
        { what: `${count} ${event}; heard ${JSON.stringify(frames)}; closed ${code}` },
      ),
    closes: () => until(() => code, { what: "the end of the connection" }),
  };
  return live;
}

export async function liveToken(
  testApp: TestApp,
  { token }: Pick<TestUser, "token">,
): Promise<string> {
  const answer = await expectStatus(call(testApp, createLiveToken, { token }), 201);
  return createLiveToken.response.parse(answer.json()).token;
}

/** Authenticated as the user, and subscribed to the tickets. */
export async function goLive(
  testApp: TestApp,
  user: Pick<TestUser, "token">,
  ...ticketIds: string[]
): Promise<TestLive> {
  const live = await openLive(testApp);
  live.say({ event: "authenticate", data: { token: await liveToken(testApp, user) } });
  await live.wait("authenticated");
  for (const id of ticketIds)
    live.say({ event: "subscribe", data: { channel: ticketChannel(id) } });
  if (ticketIds.length > 0) await live.wait("subscribed", ticketIds.length);
  return live;
}

/** A ticket of the user, without messages. */
export async function insertTicket(testApp: TestApp, user: Pick<TestUser, "id">): Promise<string> {
  const id = newId();
  const now = testApp.clock.now();
  await testApp.platform.db
    .insertInto("tickets")
    .values({
      id,
      user_id: user.id,
      shield_id: null,
      category: "technical",
      severity: "low",
      subject: "Players cannot join",
      status: "open",
      snapshot: null,
      created_at: now,
      updated_at: now,
    })
    .execute();
  return id;
}

/** The parts of an app that tickets are written with. */
interface TicketStore {
  readonly platform: Pick<Platform, "db" | "bus">;
  readonly clock: Pick<TestApp["clock"], "now">;
}

/** Writes in a ticket as its routes do. */
export async function writeInTicket(
  { platform: { db, bus }, clock }: TicketStore,
  ticketId: string,
  message: {
    readonly author: Pick<TestUser, "id">;
    readonly body: string;
    readonly isAdmin?: boolean;
    readonly isInternal?: boolean;
  },
): Promise<string> {
  const { messageId } = await db.transaction().execute((trx) =>
    addMessage(bus, trx, {
      ticketId,
      authorId: message.author.id,
      isAdmin: message.isAdmin ?? false,
      isInternal: message.isInternal ?? false,
      body: message.body,
      source: "console",
      files: [],
      now: clock.now(),
    }),
  );
  return messageId;
}
