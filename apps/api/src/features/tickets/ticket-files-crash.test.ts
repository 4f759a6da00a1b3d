import { mkdir, readdir, utimes } from "node:fs/promises";
import path from "node:path";
import { mountedPath } from "@palisade/contract/http/route";
import { routes } from "@palisade/contract/http/routes";
import { createFakeClock } from "@palisade/testing/fake-clock";
import { createTemporaryFolder, type TemporaryFolder } from "@palisade/testing/temporary-folder";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createFileStore } from "#src/platform/files/file-store.ts";
import { startApiProcess } from "#src/test-support/api-process.ts";
import { createMigratedDatabase, createTestApp } from "#src/test-support/test-app.ts";
import { ticketBody } from "#src/test-support/ticket-samples.ts";
import { call, createUser } from "#src/test-support/test-users.ts";

const dayMs = 86_400_000;

let home: TemporaryFolder;
let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
beforeAll(async () => {
  home = await createTemporaryFolder("ticket-files");
  database = await createMigratedDatabase();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await database?.drop();
  await home?.remove();
});

test("a process killed between a file and its row leaves no ticket, and the file is collected later", async () => {
  const temporary = path.join(home.path, "tmp");
  await mkdir(temporary);
  vi.stubEnv("TMPDIR", temporary);
  const files = { kind: "disk", folder: path.join(home.path, "files") } as const;
  const keys = async (): Promise<string[]> => {
    const all: string[] = [];
    for await (const page of createFileStore(files).list("attachments")) all.push(...page);
    return all;
  };
  const clock = createFakeClock(new Date());
  const testApp = await createTestApp({ database, clock, config: { files } });
  try {
    const { token } = await createUser(testApp);
    const api = await startApiProcess(
      { PALISADE_HOME: home.path, DATABASE_URL: database.runtimeUrl, TMPDIR: temporary },
      ["attachments.stored"],
    );
    const form = new FormData();
    for (const [name, value] of Object.entries(ticketBody)) form.set(name, value);
    form.set("attachments[0]", new File(["joined"], "latest.log"), "latest.log");
    const sent = fetch(api.url + mountedPath(routes.tickets.createTicket), {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    await expect(sent).rejects.toThrow("fetch failed");
    await api.exited;
    expect(api.diedAt()).toBe("attachments.stored");

    const list = await call(testApp, routes.tickets.listTickets, { token });
    expect(list.json().total).toBe(0);
    const left = async () => [
      await keys(),
      (await readdir(temporary)).filter((name) => name.startsWith("palisade-upload-")),
    ];
    const [, [folder = ""] = []] = await left();
    await testApp.runJob("attachments.collect");
    expect(await left()).toEqual([[expect.any(String)], [folder]]);
    clock.advance(2 * dayMs);
    const yesterday = new Date(Date.now() - dayMs);
    await utimes(path.join(temporary, folder), yesterday, yesterday);
    await testApp.runJob("attachments.collect");
    expect(await left()).toEqual([[], []]);
  } finally {
    await testApp.close();
  }
});
