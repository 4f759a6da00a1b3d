import { once } from "node:events";
import { request as ask } from "node:http";
import http2 from "node:http2";
import type { AddressInfo } from "node:net";
import { fastify } from "fastify";
import { afterAll, expect, test } from "vitest";
import { endLateRequests, endLateStreams } from "./request-deadlines.ts";

const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR } = http2.constants;
/** Long enough for a whole request on a busy machine. */
const deadlineMs = 1_000;

const held: http2.Http2ServerResponse[] = [];
const server = http2.createServer((request, answer) => {
  request.resume().once("end", () => {
    answer.write("first");
    held.push(answer);
  });
});
endLateStreams(server, deadlineMs);
server.listen(0, "127.0.0.1");
await once(server, "listening");
const session = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
afterAll(async () => {
  session.destroy();
  server.close();
  await once(server, "close");
});

test("a request over HTTP/2 that does not arrive in time is cancelled; answers may take longer", async () => {
  const answered = ["GET", "POST"].map((method) => {
    const request = session.request({ ":method": method, ":path": "/" });
    request.end();
    return request.resume();
  });
  await Promise.all(answered.map((request) => once(request, "response")));

  const late = session.request({ ":method": "POST", ":path": "/" });
  late.on("error", () => undefined);
  late.write("x");
  await once(late, "close");
  expect(late.rstCode).toBe(NGHTTP2_CANCEL);

  // The deadline of the others, which came before, is over as well.
  const closed = answered.map((request) => once(request, "close"));
  for (const answer of held) answer.end();
  await Promise.all(closed);
  expect(answered.map(({ rstCode }) => rstCode)).toEqual([NGHTTP2_NO_ERROR, NGHTTP2_NO_ERROR]);
});

test("a request over HTTP/1.1 that does not arrive in time is answered 408, one with files may take longer", async () => {
  const app = fastify();
  endLateRequests(app, { anyMs: deadlineMs, filesMs: 60_000 });
  app.post("/any", async () => "done");
  app.post("/files", { config: { takesFiles: true } }, async () => "done");
  const origin = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
  try {
    const begin = (path: string) => {
      const headers = { "content-type": "application/json" };
      const sent = ask(new URL(path, origin), { method: "POST", headers });
      sent.on("error", () => undefined);
      sent.write("{");
      return sent;
    };
    const [late, slow] = [begin("/any"), begin("/files")];
    const [refused] = await once(late, "response");
    expect(refused.statusCode).toBe(408);
    // It began at the same time.
    slow.end("}");
    const [answer] = await once(slow, "response");
    expect(answer.statusCode).toBe(200);
    answer.resume();
  } finally {
    await app.close();
  }
});
