import { deepEqual } from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { routes } from "@palisade/contract/http/routes";
import { createTemporaryFolder, type TemporaryFolder } from "@palisade/testing/temporary-folder";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, beforeEach, vi } from "vitest";
import { createFileStore } from "#src/platform/files/file-store.ts";
import { uploadFolderPrefix } from "#src/platform/http/pipeline/uploads.ts";
import { createTestApp, type TestApp } from "./test-app.ts";
import { ticketBody } from "./ticket-samples.ts";
import { call, createUser, formOf, type TestUser } from "./test-users.ts";

const { tickets } = routes;

/** A small log of a game server. */
export const log = (name = "latest.log", content = "[12:00] joined\n"): File =>
  new File([content], name);

/** An api for the tests of a file, and an account of its own for each test, which sends files. */
export function useTicketFiles() {
  let app: TestApp;
  let origin: string;
  let user: TestUser;
  /** For this file of tests alone, because others send files at the same time. */
  let temporary: TemporaryFolder;
  beforeAll(async () => {
    temporary = await createTemporaryFolder("uploads");
    vi.stubEnv("TMPDIR", temporary.path);
    app = await createTestApp();
    origin = await app.listen();
  });
  beforeEach(async () => {
    user = await createUser(app);
  });
  afterAll(async () => {
    await app?.close();
    vi.unstubAllEnvs();
    await temporary?.remove();
  });

  /** Folders of forms that are being received. */
  const folders = async (): Promise<string[]> =>
    (await readdir(temporary.path)).filter((name) => name.startsWith(uploadFolderPrefix));

  async function storedKeys(): Promise<string[]> {
    const keys: string[] = [];
    for await (const page of createFileStore(app.platform.config.files).list("attachments")) {
      keys.push(...page);
    }
    return keys.toSorted();
  }

  async function rowKeys(): Promise<string[]> {
    const { db } = app.platform;
    const rows = await db.selectFrom("ticket_attachments").select("storage_key").execute();
    return rows.map(({ storage_key }) => storage_key).toSorted();
  }

  return {
    get app() {
      return app;
    },
    get origin() {
      return origin;
    },
    get user() {
      return user;
    },
    async create(files: readonly File[], headers: Record<string, string> = {}) {
      const form = await formOf(ticketBody, files);
      return call(app, tickets.createTicket, {
        token: user.token,
        body: form.body,
        headers: { ...form.headers, ...headers },
      });
    },
    async reply(id: string, files: readonly File[], message = "") {
      const form = await formOf({ message }, files);
      return call(app, tickets.replyToTicket, { token: user.token, params: { id }, ...form });
    },
    folders,
    storedKeys,
    rowKeys,
    /** Every stored file has a row, and no folder of a form is left. */
    async expectNothingLeft(): Promise<void> {
      await until(async () => (await folders()).length === 0);
      deepEqual(await storedKeys(), await rowKeys());
    },
  };
}
