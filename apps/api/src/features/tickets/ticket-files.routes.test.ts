import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { request } from "node:http";
import { routes } from "@palisade/contract/http/routes";
import { createClient } from "@palisade/contract/http/client";
import { createTemporaryFolder, type TemporaryFolder } from "@palisade/testing/temporary-folder";
import { until } from "@palisade/testing/until";
import { strToU8, zipSync } from "fflate";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { quota } from "#src/features/attachments/attachments.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import { createFileStore } from "#src/platform/files/file-store.ts";
import { uploadFolderPrefix } from "#src/platform/http/pipeline/uploads.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { addTicket, ticketBody, tinyPng } from "#src/test-support/ticket-samples.ts";
import {
  call,
  createUser,
  expectStatus,
  formOf,
  type TestUser,
} from "#src/test-support/test-users.ts";

const { tickets } = routes;
const megabyte = 1024 * 1024;

let testApp: TestApp;
let origin: string;
let user: TestUser;
/** For this file alone, because others send files at the same time. */
let temporary: TemporaryFolder;
beforeAll(async () => {
  temporary = await createTemporaryFolder("uploads");
  vi.stubEnv("TMPDIR", temporary.path);
  testApp = await createTestApp();
  origin = await testApp.listen();
});
beforeEach(async () => {
  user = await createUser(testApp);
});
afterAll(async () => {
  await testApp?.close();
  vi.unstubAllEnvs();
  await temporary?.remove();
});

const folders = async (): Promise<string[]> =>
  (await readdir(temporary.path)).filter((name) => name.startsWith(uploadFolderPrefix));

const log = (name = "latest.log", content = "[12:00] joined\n"): File => new File([content], name);

async function create(files: readonly File[], headers: Record<string, string> = {}) {
  const form = await formOf(ticketBody, files);
  return call(testApp, tickets.createTicket, {
    token: user.token,
    body: form.body,
    headers: { ...form.headers, ...headers },
  });
}

async function reply(id: string, files: readonly File[], message = "") {
  const form = await formOf({ message }, files);
  return call(testApp, tickets.replyToTicket, { token: user.token, params: { id }, ...form });
}

async function storedKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of createFileStore(testApp.platform.config.files).list("attachments")) {
    keys.push(...page);
  }
  return keys.toSorted();
}

const rowKeys = async (): Promise<string[]> => {
  const rows = await testApp.platform.db
    .selectFrom("ticket_attachments")
    .select("storage_key")
    .execute();
  return rows.map(({ storage_key }) => storage_key).toSorted();
};

/** Every stored file has a row, and no folder of a form is left. */
async function expectNothingLeft(): Promise<void> {
  await until(async () => (await folders()).length === 0);
  expect(await storedKeys()).toEqual(await rowKeys());
}

describe("files", () => {
  test("come with a new ticket and with a reply, and are read back as they were", async () => {
    const archive = new File([zipSync({ "logs/latest.log": strToU8("joined") })], "logs.zip");
    const opened = await expectStatus(
      create([log(), new File([tinyPng], "screen.png"), archive]),
      201,
    );
    const { ticket } = tickets.createTicket.response.parse(opened.json());
    const [text, image, zip] = ticket.messages[0]?.attachments ?? [];
    expect([text, image, zip]).toMatchObject([
      { original_name: "latest.log", content_type: "text/plain", size: 15, is_image: false },
      { original_name: "screen.png", content_type: "image/png", is_image: true },
      { original_name: "logs.zip", content_type: "application/zip", is_image: false },
    ]);

    const answered = await expectStatus(reply(ticket.id, [log("players.csv", "name;ip\n")]), 201);
    expect(answered.json().ticket_message).toMatchObject({
      message: "",
      attachments: [{ original_name: "players.csv", content_type: "text/csv" }],
    });

    const get = (
      definition: typeof tickets.downloadAttachment | typeof tickets.viewAttachment,
      file: string,
    ) => call(testApp, definition, { token: user.token, params: { id: ticket.id, file } });
    const download = await expectStatus(get(tickets.downloadAttachment, text?.filename ?? ""), 200);
    expect(download.body).toBe("[12:00] joined\n");
    expect(download.headers).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "content-length": "15",
      "content-disposition": "attachment; filename=\"latest.log\"; filename*=UTF-8''latest.log",
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    });
    const shown = await expectStatus(get(tickets.viewAttachment, image?.filename ?? ""), 200);
    expect(shown.headers).toMatchObject({
      "content-type": "image/png",
      "content-disposition": expect.stringMatching(/^inline; /),
      "content-security-policy": "sandbox; default-src 'none'",
    });
    expect(shown.rawPayload.subarray(1, 4).toString()).toBe("PNG");
    // Only images are shown.
    for (const file of [text, zip]) {
      expect((await get(tickets.viewAttachment, file?.filename ?? "")).statusCode).toBe(404);
    }
    await expectNothingLeft();
  });

  test("are sent by the typed client as a form, beside their fields", async () => {
    const client = createClient({
      baseUrl: origin,
      headers: () => ({ authorization: `Bearer ${user.token}` }),
    });
    const { data } = await client(tickets.createTicket, {
      body: { ...ticketBody, with_snapshot: false },
      uploads: [log("Журнал.log")],
    });
    const [message] = data.ticket.messages;
    expect(message?.attachments[0]?.original_name).toBe("Журнал.log");
    const file = message?.attachments[0]?.filename ?? "";
    const read = await client(tickets.downloadAttachment, { params: { id: data.ticket.id, file } });
    expect(await read.data.text()).toBe("[12:00] joined\n");
  });

  test("are 404 under another ticket, and ids that are no ids are refused", async () => {
    const [one, two] = [await addTicket(testApp, user.id), await addTicket(testApp, user.id)];
    for (const [file, status] of [
      [two.file, 404],
      [newId(), 404],
      ["..%2f..%2fetc%2fpasswd", 422],
      ["%00", 422],
    ] as const) {
      const answer = await testApp.app.inject({
        url: `/api/v1/tickets/${one.id}/attachments/${file}`,
        headers: { authorization: `Bearer ${user.token}` },
      });
      expect([file, answer.statusCode]).toEqual([file, status]);
    }
  });
});

describe("a file is refused, and nothing of the call is kept", () => {
  const png = (name: string): File => new File([tinyPng], name);
  const html = "<html><script>alert(1)</script></html>";

  test.each([
    ["a type that the form does not take", [log("a.csv", "a;b\n")], "Invalid file type: a.csv"],
    [
      "a program named as a picture",
      [new File(["MZ\u0000\u0001"], "a.png")],
      "Invalid file type: a.png",
    ],
    [
      "a picture that is none",
      [new File([tinyPng.subarray(0, 40)], "cut.png")],
      "Invalid file type: cut.png",
    ],
    ["an SVG", [new File(["<svg onload='alert(1)'></svg>"], "a.png")], "Invalid file type: a.png"],
    ["an empty file", [new File([], "empty.txt")], "Invalid file type: empty.txt"],
    ["the second of two", [log(), new File(["\u0000"], "b.txt")], "Invalid file type: b.txt"],
    [
      "a path as a name",
      [new File(["\u0000"], "..\\..\\x\r\ny.txt")],
      /^Invalid file type: x.{0,6}y\.txt$/,
    ],
    ["the same file twice", [png("a.png"), png("a.png")], "Duplicate file: a.png"],
    ["a sixth", Array.from({ length: 6 }, (_, n) => log(`${n}.log`)), "Maximum files: 5"],
  ] as const)("%s", async (_, files, message) => {
    const answer = await create(files);
    expect([answer.statusCode, answer.json().code]).toEqual([422, "attachment_refused"]);
    expect(answer.json().message).toEqual(
      typeof message === "string" ? message : expect.stringMatching(message),
    );
    const list = await call(testApp, tickets.listTickets, { token: user.token });
    expect(list.json().total).toBe(0);
    await expectNothingLeft();
  });

  test("is named in the caller's language", async () => {
    const answer = await create([new File(["\u0000"], "a.png")], { "accept-language": "ru" });
    expect(answer.json().message).toBe("Недопустимый тип файла: a.png");
  });

  test("one byte above 10 MB; 10 MB are taken", async () => {
    const exact = await create([log("big.log", "x".repeat(10 * megabyte))]);
    expect(exact.statusCode, exact.body.slice(0, 300)).toBe(201);
    const answer = await create([log("big.log", "x".repeat(10 * megabyte + 1))]);
    expect([answer.statusCode, answer.json().message]).toEqual([413, "File too big: big.log"]);
    await expectNothingLeft();
  });

  test("fields of a form are judged as JSON's are, and files in other fields refused", async () => {
    const form = await formOf({ ...ticketBody, subject: "ab" }, [log()]);
    const invalid = await call(testApp, tickets.createTicket, { token: user.token, ...form });
    expect(invalid.json().issues).toMatchObject([{ path: "subject", message: "Min 3 chars" }]);
    const other = await formOf(ticketBody, [log()], "avatar");
    const refused = await call(testApp, tickets.createTicket, { token: user.token, ...other });
    expect(refused.statusCode).toBe(400);
    const long = await formOf({ ...ticketBody, note: "x".repeat(200_000) }, [log()]);
    const large = await call(testApp, tickets.createTicket, { token: user.token, ...long });
    expect(large.statusCode).toBe(413);
    await expectNothingLeft();
  });

  test("a form of another site, and one without a token, before a byte is read", async () => {
    const foreign = await create([log()], { "sec-fetch-site": "cross-site" });
    expect(foreign.statusCode).toBe(415);
    const form = await formOf(ticketBody, [log()]);
    const anonymous = await call(testApp, tickets.createTicket, form);
    expect(anonymous.statusCode).toBe(401);
    await expectNothingLeft();
  });

  test("a picture with a page in it is taken, and the page is gone", async () => {
    const polyglot = new File([tinyPng, html], "photo.png", { type: "text/html" });
    const opened = await expectStatus(create([polyglot]), 201);
    const { ticket } = tickets.createTicket.response.parse(opened.json());
    const file = ticket.messages[0]?.attachments[0]?.filename ?? "";
    const shown = await call(testApp, tickets.viewAttachment, {
      token: user.token,
      params: { id: ticket.id, file },
    });
    expect(shown.rawPayload.includes("script")).toBe(false);
  });
});

describe("a repeated call", () => {
  test("with the same files answers the same and stores nothing again; with others it is refused", async () => {
    const headers = { "idempotency-key": newId() };
    const first = await expectStatus(create([log()], headers), 201);
    const second = await expectStatus(create([log()], headers), 201);
    expect(second.json()).toEqual(first.json());
    const other = await create([log("latest.log", "[12:00] left\n")], headers);
    expect([other.statusCode, other.json().code]).toEqual([422, "idempotency_mismatch"]);
    await expectNothingLeft();
  });

  test("to a closed ticket stores nothing", async () => {
    const { id } = await addTicket(testApp, user.id, { isClosed: true });
    expect((await reply(id, [log()])).json().code).toBe("ticket_closed");
    await expectNothingLeft();
  });
});

describe("room", () => {
  /** As if the account had sent them before. */
  async function fill(files: number, bytes: number): Promise<string> {
    const { id, messageId } = await addTicket(testApp, user.id);
    const { db } = testApp.platform;
    const used = files - 1;
    const rows = Array.from({ length: used }, (_, position) => ({
      id: newId(),
      ticket_id: id,
      message_id: messageId,
      user_id: user.id,
      original_name: "a.txt",
      type: "text" as const,
      size_bytes: Math.floor((bytes - tinyPng.length) / used),
      storage_key: `none/${newId()}`,
      position,
      created_at: testApp.clock.now(),
    }));
    for (let at = 0; at < rows.length; at += 1_000) {
      await db
        .insertInto("ticket_attachments")
        .values(rows.slice(at, at + 1_000))
        .execute();
    }
    return id;
  }
  const forget = () =>
    testApp.platform.db
      .deleteFrom("ticket_attachments")
      .where("storage_key", "like", "none/%")
      .execute();

  test("is for 2,000 files of an account, however small, and two calls at once do not share the last", async () => {
    const id = await fill(quota.files - 1, 10_000);
    const answers = await Promise.all([reply(id, [log("1.log")]), reply(id, [log("2.log")])]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      201, 422,
    ]);
    const refused = await reply(id, [log("3.log")]);
    expect(refused.json()).toMatchObject({
      code: "attachment_quota",
      message: "Your files take all the room of your account. Ask support to delete old ones",
    });
    // A message without files has room.
    await expectStatus(reply(id, [], "hello"), 201);
    await forget();
    await expectNothingLeft();
  });

  test("ends what is sent of 10,000 small files, five a call", async () => {
    const opened = await expectStatus(create([log()]), 201);
    const { ticket } = tickets.createTicket.response.parse(opened.json());
    const codes = new Map<string, number>();
    let sent = 1;
    while (sent < 10_000) {
      const files = Array.from({ length: 5 }, (_, n) => log(`${sent + n}.log`, `${sent + n}`));
      const answer = await reply(ticket.id, files);
      const code = answer.statusCode === 201 ? "taken" : String(answer.json().code);
      codes.set(code, (codes.get(code) ?? 0) + 1);
      if (answer.statusCode === 429) {
        testApp.clock.advance(Number(answer.headers["retry-after"]) * 1_000);
      } else sent += 5;
    }
    // One file has come with the ticket.
    expect(codes.get("taken")).toBe(Math.floor((quota.files - 1) / 5));
    expect([...codes.keys()].toSorted()).toEqual(["attachment_quota", "rate_limited", "taken"]);
    await expectNothingLeft();
  });

  test("that a call has used up does not keep its repetition from the same answer", async () => {
    const id = await fill(quota.files - 1, 10_000);
    const form = await formOf({ message: "the last" }, [log()]);
    const headers = { ...form.headers, "idempotency-key": newId() };
    const send = () =>
      call(testApp, tickets.replyToTicket, { token: user.token, params: { id }, ...form, headers });
    const first = await expectStatus(send(), 201);
    expect((await expectStatus(send(), 201)).json()).toEqual(first.json());
    await forget();
    await expectNothingLeft();
  });

  test("is for 500 MB of an account", async () => {
    const id = await fill(100, quota.bytes - 1_000);
    await expectStatus(reply(id, [log()]), 201);
    const refused = await reply(id, [log("b.log", "x".repeat(2_000))]);
    expect(refused.json().code).toBe("attachment_quota");
    await forget();
    await expectNothingLeft();
  });
});

describe("over a socket", () => {
  const boundary = "edge";
  const head = (name: string): string =>
    `--${boundary}\r\ncontent-disposition: form-data; name="attachments[0]"; filename="${name}"\r\n\r\n`;

  function begin(contentLength?: number) {
    const { hostname, port } = new URL(origin);
    const sent = request({
      hostname,
      port,
      method: "POST",
      path: "/api/v1/tickets",
      headers: {
        authorization: `Bearer ${user.token}`,
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
    const list = await call(testApp, tickets.listTickets, { token: user.token });
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
    const other = await createUser(testApp);
    const form = await formOf(ticketBody, [log()]);
    await expectStatus(call(testApp, tickets.createTicket, { token: other.token, ...form }), 201);
    for (const sent of open) sent.destroy();
    await until(async () => (await folders()).length === 0);
    await expectStatus(create([log()]), 201);
  });
});

describe("the collection", () => {
  test("removes files without a row after a day, and no others", async () => {
    await expectStatus(create([log()]), 201);
    const files = createFileStore(testApp.platform.config.files);
    const day = testApp.clock.now().toISOString().slice(0, 10);
    const orphan = `attachments/${day}/${newId()}`;
    await files.put({ key: orphan, bytes: Buffer.from("x"), contentType: "text/plain" });
    await testApp.runJob("attachments.collect");
    expect(await storedKeys()).toContain(orphan);
    testApp.clock.advance(2 * 86_400_000);
    await testApp.runJob("attachments.collect");
    expect(await storedKeys()).toEqual(await rowKeys());
  });
});
