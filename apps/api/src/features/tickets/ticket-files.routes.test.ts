import { routes } from "@palisade/contract/http/routes";
import { createClient } from "@palisade/contract/http/client";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { newId } from "#src/platform/database/ids.ts";
import { addTicket, ticketBody, tinyPng } from "#src/test-support/ticket-samples.ts";
import { log, useTicketFiles } from "#src/test-support/test-ticket-files.ts";
import { call, expectStatus, formOf } from "#src/test-support/test-users.ts";

/** Files of tickets: how they come, are read back and are refused. */

const { tickets } = routes;
const megabyte = 1024 * 1024;
const fixture = useTicketFiles();
const { create, reply, expectNothingLeft } = fixture;

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
    ) =>
      call(fixture.app, definition, { token: fixture.user.token, params: { id: ticket.id, file } });
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
      baseUrl: fixture.origin,
      headers: () => ({ authorization: `Bearer ${fixture.user.token}` }),
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
    const [one, two] = [
      await addTicket(fixture.app, fixture.user.id),
      await addTicket(fixture.app, fixture.user.id),
    ];
    for (const [file, status] of [
      [two.file, 404],
      [newId(), 404],
      ["..%2f..%2fetc%2fpasswd", 422],
      ["%00", 422],
    ] as const) {
      const answer = await fixture.app.app.inject({
        url: `/api/v1/tickets/${one.id}/attachments/${file}`,
        headers: { authorization: `Bearer ${fixture.user.token}` },
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
    const list = await call(fixture.app, tickets.listTickets, { token: fixture.user.token });
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
    const invalid = await call(fixture.app, tickets.createTicket, {
      token: fixture.user.token,
      ...form,
    });
    expect(invalid.json().issues).toMatchObject([{ path: "subject", message: "Min 3 chars" }]);
    const other = await formOf(ticketBody, [log()], "avatar");
    const refused = await call(fixture.app, tickets.createTicket, {
      token: fixture.user.token,
      ...other,
    });
    expect(refused.statusCode).toBe(400);
    const long = await formOf({ ...ticketBody, note: "x".repeat(200_000) }, [log()]);
    const large = await call(fixture.app, tickets.createTicket, {
      token: fixture.user.token,
      ...long,
    });
    expect(large.statusCode).toBe(413);
    await expectNothingLeft();
  });

  test("a form of another site, and one without a token, before a byte is read", async () => {
    const foreign = await create([log()], { "sec-fetch-site": "cross-site" });
    expect(foreign.statusCode).toBe(415);
    const form = await formOf(ticketBody, [log()]);
    const anonymous = await call(fixture.app, tickets.createTicket, form);
    expect(anonymous.statusCode).toBe(401);
    await expectNothingLeft();
  });

  test("a picture with a page in it is taken, and the page is gone", async () => {
    const polyglot = new File([tinyPng, html], "photo.png", { type: "text/html" });
    const opened = await expectStatus(create([polyglot]), 201);
    const { ticket } = tickets.createTicket.response.parse(opened.json());
    const file = ticket.messages[0]?.attachments[0]?.filename ?? "";
    const shown = await call(fixture.app, tickets.viewAttachment, {
      token: fixture.user.token,
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
    const { id } = await addTicket(fixture.app, fixture.user.id, { isClosed: true });
    expect((await reply(id, [log()])).json().code).toBe("ticket_closed");
    await expectNothingLeft();
  });
});
