import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { httpFetch } from "./http-fetch.ts";

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  // A TCP server's address is not a pipe's name.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a call arrives with its method, headers and body, and the answer is read as JSON", async () => {
  const url = await serve(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    response.setHeader("content-type", "application/json");
    const { method, headers } = request;
    response.end(
      JSON.stringify({
        method,
        body,
        who: headers.authorization,
        length: headers["content-length"],
      }),
    );
  });
  const init = { method: "POST", headers: { authorization: "Bearer x" }, body: "grüße" };
  const answer = await httpFetch(`${url}/calls`, init);
  expect(answer.headers.get("Content-Type")).toBe("application/json");
  expect([answer.status, answer.ok]).toEqual([200, true]);
  expect(await answer.json()).toEqual({
    method: "POST",
    body: "grüße",
    who: "Bearer x",
    length: "7",
  });
});

test("a redirect is an answer, and its target hears nothing", async () => {
  let heard = 0;
  const other = await serve((_, response) => void response.end(String(++heard)));
  const url = await serve(
    (_, response) => void response.writeHead(307, { location: other }).end("moved"),
  );
  const answer = await httpFetch(url, { headers: { authorization: "Bearer x" } });
  expect([answer.status, answer.ok, await answer.text(), heard]).toEqual([307, false, "moved", 0]);
});

test("a stream gives each part as it comes, and leaving it ends the connection", async () => {
  const closed = Promise.withResolvers<void>();
  const url = await serve((request, response) => {
    request.socket.once("close", closed.resolve);
    response.write("first");
  });
  const { body } = await httpFetch(url);
  for await (const chunk of body ?? []) {
    expect(Buffer.from(chunk).toString()).toBe("first");
    break;
  }
  await closed.promise;
});

test("failures are told as by fetch: no connection, an answer cut short, and a signal's own reason", async () => {
  const cut = await serve((_, response) => {
    response.writeHead(200, { "content-length": "10" }).write("half", () => response.destroy());
  });
  const silent = await serve(() => undefined);
  await expect(httpFetch("http://127.0.0.1:1")).rejects.toThrow(new TypeError("fetch failed"));
  const answer = await httpFetch(cut);
  await expect(answer.text()).rejects.toThrow(new TypeError("terminated"));
  const ending = new AbortController();
  const reason = new Error("no data for 10 ms");
  const waiting = httpFetch(silent, { signal: ending.signal });
  ending.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(httpFetch(silent, { signal: ending.signal })).rejects.toBe(reason);
});

test("a signal that fires while an answer is read ends the reading with its reason", async () => {
  const url = await serve((_, response) => void response.write("first"));
  const ending = new AbortController();
  const { body } = await httpFetch(url, { signal: ending.signal });
  const reason = new Error("no data for 10 ms");
  const read = (async () => {
    for await (const _ of body ?? []) ending.abort(reason);
  })();
  await expect(read).rejects.toBe(reason);
});
