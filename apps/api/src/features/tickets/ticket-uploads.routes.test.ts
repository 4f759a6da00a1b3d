import { once } from "node:events";
import { request } from "node:http";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { describe, expect, test } from "vitest";
import { ticketBody } from "#src/test-support/ticket-samples.ts";
import { log, useTicketFiles } from "#src/test-support/test-ticket-files.ts";
import { call, createUser, expectStatus, formOf } from "#src/test-support/test-users.ts";

/** Forms with files as they come over a socket. */

const { tickets } = routes;
const megabyte = 1024 * 1024;
const fixture = useTicketFiles();
const { create, folders, expectNothingLeft } = fixture;

describe("over a socket", () => {
  const boundary = "edge";
  const head = (name: string): string =>
    `--${boundary}\r\ncontent-disposition: form-data; name="attachments[0]"; filename="${name}"\r\n\r\n`;

  function begin(contentLength?: number) {
    const { hostname, port } = new URL(fixture.origin);
    const sent = request({
      hostname,
      port,
      method: "POST",
      path: "/api/v1/tickets",
      headers: {
        authorization: `Bearer ${fixture.user.token}`,
        "content-type": `multipart/form-data; boundary=${boundary}`,
        ...(contentLength !== undefined && { "content-length": contentLength }),
      },
    });
    sent.on("error", () => undefined);
    return sent;
  }

  test("a caller who leaves in the middle leaves nothing", async () => {
    const sent = begin();
    sent.write(head("a.log"));
    sent.write("x".repeat(megabyte));
    await until(async () => (await folders()).length > 0);
    sent.destroy();
    await expectNothingLeft();
    const list = await call(fixture.app, tickets.listTickets, { token: fixture.user.token });
    expect(list.json().total).toBe(0);
  });

  test("one who sends without end is answered 413 after 10 MB of a file", async () => {
    const sent = begin();
    sent.write(head("endless.log"));
    const block = Buffer.alloc(256 * 1024, 0x78);
    const answered = once(sent, "response");
    const state = { isAnswered: false };
    void answered.then(() => (state.isAnswered = true));
    while (!state.isAnswered && sent.writable) {
      if (!sent.write(block)) await Promise.race([once(sent, "drain"), answered]);
    }
    const [response] = await answered;
    expect(response.statusCode).toBe(413);
    sent.destroy();
    await expectNothingLeft();
  });

  test("10,000 small files in one form are refused after the fifth", async () => {
    const sent = begin();
    const answered = once(sent, "response");
    for (let n = 0; n < 10_000; n += 1) {
      sent.write(`${n === 0 ? "" : "\r\n"}${head(`${n}.log`).replace("[0]", `[${n}]`)}${n}`);
    }
    sent.end(`\r\n--${boundary}--\r\n`);
    const [response] = await answered;
    expect(response.statusCode).toBe(422);
    let body = "";
    for await (const chunk of response) body += String(chunk);
    expect(JSON.parse(body)).toMatchObject({ message: "Maximum files: 5" });
    await expectNothingLeft();
  });

  test("a form that announces more than it may be is refused by its length", async () => {
    const sent = begin(100 * megabyte);
    sent.flushHeaders();
    const [response] = await once(sent, "response");
    expect(response.statusCode).toBe(413);
    sent.destroy();
  });

  test("three forms of an account at a time; the fourth is told to come again, others are served", async () => {
    const open = Array.from({ length: 3 }, () => {
      const sent = begin();
      sent.write(head("a.log"));
      return sent;
    });
    await until(async () => (await folders()).length === 3);
    const fourth = await create([log()]);
    expect([fourth.statusCode, fourth.headers["retry-after"]]).toEqual([429, "3"]);
    const other = await createUser(fixture.app);
    const form = await formOf(ticketBody, [log()]);
    await expectStatus(
      call(fixture.app, tickets.createTicket, { token: other.token, ...form }),
      201,
    );
    for (const sent of open) sent.destroy();
    await until(async () => (await folders()).length === 0);
    await expectStatus(create([log()]), 201);
  });
});
