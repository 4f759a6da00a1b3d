import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { until } from "@palisade/testing/until";
import { afterEach, describe, expect, test } from "vitest";
import { type VerificationLimits, verificationLimits } from "./rules/limits.ts";
import { SessionServer } from "./session-server.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const id = "0123456789abcdef0123456789abcdef";
const never = new AbortController().signal;
const closers: (() => void)[] = [];

async function serverOf(answer: Answer, limits: Partial<VerificationLimits> = {}, path = "") {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? "");
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  // Listening on TCP, it has an address of this form.
  const { port } = server.address() as AddressInfo;
  let nowMs = 0;
  const sessions = new SessionServer({
    url: `http://127.0.0.1:${port}${path}`,
    limits: { ...verificationLimits, ...limits },
    monotonicMs: () => nowMs,
  });
  return { sessions, seen, skip: (ms: number) => (nowMs += ms) };
}

function profile(response: ServerResponse, text = JSON.stringify({ id, name: "Steve" })): void {
  response.writeHead(200, { "content-type": "application/json" }).end(text);
}

describe("session server", () => {
  afterEach(() => {
    for (const close of closers.splice(0)) close();
  });

  test("a join is confirmed with id and name; no part of a name reaches the path", async () => {
    const { sessions, seen } = await serverOf((_request, response) => profile(response));
    expect(await sessions.hasJoined("Steve", "-7c9d", never)).toEqual({
      kind: "joined",
      id,
      name: "Steve",
    });
    await sessions.hasJoined("a&b=/../c", "1", never);
    expect(seen).toEqual([
      "/session/minecraft/hasJoined?username=Steve&serverId=-7c9d",
      "/session/minecraft/hasJoined?username=a%26b%3D%2F..%2Fc&serverId=1",
    ]);
  });

  test("a server below a path is called there", async () => {
    const { sessions, seen } = await serverOf((_, response) => profile(response), {}, "/mojang");
    await sessions.hasJoined("Steve", "1", never);
    expect(seen).toEqual(["/mojang/session/minecraft/hasJoined?username=Steve&serverId=1"]);
  });

  test.each<[string, Answer, string]>([
    ["204", (_request, response) => void response.writeHead(204).end(), "unknown"],
    ["an empty answer", (_request, response) => profile(response, ""), "unknown"],
    ["500", (_request, response) => void response.writeHead(500).end("{}"), "unavailable"],
    ["429", (_request, response) => void response.writeHead(429).end(), "unavailable"],
    ["no JSON", (_request, response) => profile(response, "<html>"), "unavailable"],
    ["no profile", (_request, response) => profile(response, "[1]"), "unavailable"],
    [
      "a wrong id",
      (_request, response) => profile(response, '{"id":"x","name":"a"}'),
      "unavailable",
    ],
    ["a flood", (_request, response) => profile(response, "x".repeat(100_000)), "unavailable"],
    ["a broken connection", (request) => request.socket.destroy(), "unavailable"],
    [
      "a redirect",
      (_request, response) =>
        void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
      "unavailable",
    ],
  ])("%s is no challenge, and says whether anything is known", async (_what, answer, kind) => {
    const { sessions } = await serverOf(answer);
    expect((await sessions.hasJoined("Steve", "1", never)).kind).toBe(kind);
  });

  test("a silent server is given up after its time", async () => {
    const { sessions } = await serverOf(() => undefined, { sessionCallMs: 50 });
    expect((await sessions.hasJoined("Steve", "1", never)).kind).toBe("unavailable");
  });

  test("after failures in a row no calls are made for a while, then one, then all again", async () => {
    let isWell = false;
    const { sessions, seen, skip } = await serverOf((_request, response) => {
      if (isWell) profile(response);
      else response.writeHead(503).end();
    });
    for (let n = 0; n < 8; n++) await sessions.hasJoined("Steve", "1", never);
    expect(seen).toHaveLength(verificationLimits.sessionFailuresMax);
    expect(sessions.isAvailable).toBe(false);
    skip(verificationLimits.sessionPauseMs);
    isWell = true;
    const both = [sessions.hasJoined("a", "1", never), sessions.hasJoined("b", "1", never)];
    expect((await Promise.all(both)).map(({ kind }) => kind)).toEqual(["joined", "unavailable"]);
    expect((await sessions.hasJoined("b", "1", never)).kind).toBe("joined");
  });

  test("calls at once and waiting calls are limited; a player who leaves gives the turn to the next", async () => {
    const waiting: ServerResponse[] = [];
    const { sessions, seen } = await serverOf((_request, response) => waiting.push(response), {
      sessionCallsMax: 1,
      sessionQueueMax: 2,
    });
    const leaves = new AbortController();
    const first = sessions.hasJoined("first", "1", never);
    const second = sessions.hasJoined("second", "1", leaves.signal);
    const third = sessions.hasJoined("third", "1", never);
    expect((await sessions.hasJoined("fourth", "1", never)).kind).toBe("unavailable");
    leaves.abort();
    expect((await second).kind).toBe("unavailable");
    await until(() => waiting.length === 1);
    profile(waiting[0] as ServerResponse);
    expect((await first).kind).toBe("joined");
    await until(() => waiting.length === 2);
    profile(waiting[1] as ServerResponse);
    expect((await third).kind).toBe("joined");
    expect(seen.map((url) => new URL(url, "http://x").searchParams.get("username"))).toEqual([
      "first",
      "third",
    ]);
  });
});
