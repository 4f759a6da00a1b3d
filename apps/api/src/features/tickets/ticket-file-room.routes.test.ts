import { routes } from "@palisade/contract/http/routes";
import { describe, expect, test } from "vitest";
import { quota } from "#src/features/attachments/attachments.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import { createFileStore } from "#src/platform/files/file-store.ts";
import { addTicket, tinyPng } from "#src/test-support/ticket-samples.ts";
import { log, useTicketFiles } from "#src/test-support/test-ticket-files.ts";
import { call, expectStatus, formOf } from "#src/test-support/test-users.ts";

/** The room that the files of an account have, and files that nothing needs any more. */

const { tickets } = routes;
const fixture = useTicketFiles();
const { create, reply, storedKeys, rowKeys, expectNothingLeft } = fixture;

describe("room", () => {
  /** As if the account had sent them before. */
  async function fill(files: number, bytes: number): Promise<string> {
    const { id, messageId } = await addTicket(fixture.app, fixture.user.id);
    const { db } = fixture.app.platform;
    const used = files - 1;
    const rows = Array.from({ length: used }, (_, position) => ({
      id: newId(),
      ticket_id: id,
      message_id: messageId,
      user_id: fixture.user.id,
      original_name: "a.txt",
      type: "text" as const,
      size_bytes: Math.floor((bytes - tinyPng.length) / used),
      storage_key: `none/${newId()}`,
      position,
      created_at: fixture.app.clock.now(),
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
    fixture.app.platform.db
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

  test("ends what is sent of many small files, five a call", async () => {
    const before = quota.files - 100;
    await fill(before + 1, 0);
    const opened = await expectStatus(create([log()]), 201);
    const { ticket } = tickets.createTicket.response.parse(opened.json());
    const codes = new Map<string, number>();
    let sent = 1;
    while (sent < 400) {
      const files = Array.from({ length: 5 }, (_, n) => log(`${sent + n}.log`, `${sent + n}`));
      const answer = await reply(ticket.id, files);
      const code = answer.statusCode === 201 ? "taken" : String(answer.json().code);
      codes.set(code, (codes.get(code) ?? 0) + 1);
      if (answer.statusCode === 429) {
        fixture.app.clock.advance(Number(answer.headers["retry-after"]) * 1_000);
      } else sent += 5;
    }
    // One file has come with the ticket.
    expect(codes.get("taken")).toBe(Math.floor((quota.files - before - 1) / 5));
    codes.delete("rate_limited");
    expect([...codes.keys()].toSorted()).toEqual(["attachment_quota", "taken"]);
    await forget();
    await expectNothingLeft();
  });

  test("that a call has used up does not keep its repetition from the same answer", async () => {
    const id = await fill(quota.files - 1, 10_000);
    const form = await formOf({ message: "the last" }, [log()]);
    const headers = { ...form.headers, "idempotency-key": newId() };
    const send = () =>
      call(fixture.app, tickets.replyToTicket, {
        token: fixture.user.token,
        params: { id },
        ...form,
        headers,
      });
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

describe("the collection", () => {
  test("removes files without a row after a day, and no others", async () => {
    await expectStatus(create([log()]), 201);
    const files = createFileStore(fixture.app.platform.config.files);
    const day = fixture.app.clock.now().toISOString().slice(0, 10);
    const orphan = `attachments/${day}/${newId()}`;
    await files.put({ key: orphan, bytes: Buffer.from("x"), contentType: "text/plain" });
    await fixture.app.runJob("attachments.collect");
    expect(await storedKeys()).toContain(orphan);
    fixture.app.clock.advance(2 * 86_400_000);
    await fixture.app.runJob("attachments.collect");
    expect(await storedKeys()).toEqual(await rowKeys());
  });
});
