import { once } from "node:events";
import http2 from "node:http2";
import net from "node:net";
import { until } from "@palisade/testing/until";
import { fastify, type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { afterAnswer, trackAnswers } from "./after-answer.ts";

/** Leaves as soon as the request has reached its handler. */
type Caller = (port: number, leave: Promise<void>) => Promise<void>;

const callers: Record<string, { readonly http2: boolean; readonly call: Caller }> = {
  "HTTP/1.1": {
    http2: false,
    async call(port, leave) {
      const socket = net.connect(port, "127.0.0.1");
      socket.write("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
      await leave;
      socket.destroy();
    },
  },
  "HTTP/2": {
    http2: true,
    async call(port, leave) {
      const session = http2.connect(`http://127.0.0.1:${port}`);
      session.on("error", () => undefined);
      session.request({ ":path": "/slow" }).on("error", () => undefined);
      await leave;
      session.destroy();
    },
  },
};

describe.each(Object.entries(callers))("over %s", (_, { http2: isHttp2, call }) => {
  const answers: [url: string, status: number, hasLeft: boolean][] = [];
  const arrived = Promise.withResolvers<void>();
  let app: FastifyInstance;
  let port: number;
  beforeAll(async () => {
    app = isHttp2 ? (fastify({ http2: true }) as unknown as FastifyInstance) : fastify();
    trackAnswers(app);
    app.addHook("onRequest", async (request) => {
      afterAnswer(
        request,
        ({ statusCode }, hasLeft) => void answers.push([request.url, statusCode, hasLeft]),
      );
    });
    app.get("/", async () => "here");
    app.get("/slow", async (_request, reply) => {
      arrived.resolve();
      await once(reply.raw, "close");
      return reply.code(422).send("too late");
    });
    port = Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
  });
  afterAll(() => app.close());

  test("an answer is told once, with its status, also to a caller who has gone before it", async () => {
    await app.inject("/");
    await call(port, arrived.promise);
    await until(() => answers.length > 1);
    await app.inject("/unknown");
    expect(answers).toEqual([
      ["/", 200, false],
      ["/slow", 422, true],
      ["/unknown", 404, false],
    ]);
  });
});
