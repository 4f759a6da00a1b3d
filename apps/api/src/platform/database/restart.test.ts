import { routes } from "@palisade/contract/http/routes";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "@palisade/embedded-postgres/launcher";
import { createTemporaryFolder, type TemporaryFolder } from "@palisade/testing/temporary-folder";
import { until } from "@palisade/testing/until";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compose, type Composition } from "#src/compose.ts";
import { testConfig } from "#src/test-support/test-app.ts";
import { migrate } from "./migrate.ts";

let folder: TemporaryFolder;
let postgres: EmbeddedPostgres;
let api: Composition;
beforeAll(async () => {
  folder = await createTemporaryFolder("restart");
  postgres = await startEmbeddedPostgres({ root: folder.path, settings: { fsync: "off" } });
  await migrate({ ...postgres, log: () => undefined });
});
afterAll(async () => {
  await api?.close();
  await postgres?.stop();
  await folder?.remove();
});

async function readiness(): Promise<number> {
  return (await api.app.inject({ url: "/readyz" })).statusCode;
}

test("the api waits for PostgreSQL at start and survives its restart", async () => {
  await postgres.stop();
  const starting = compose({
    config: testConfig(postgres.runtimeUrl),
    log: pino({ level: "silent" }),
  });
  postgres = await startEmbeddedPostgres({ root: folder.path, settings: { fsync: "off" } });
  api = await starting;
  expect(await readiness()).toBe(200);

  const heard: string[] = [];
  let reconnections = 0;
  await api.platform.bus.listen(
    "restart_test",
    (payload) => heard.push(payload),
    () => (reconnections += 1),
  );

  // A connection lost between two statements of a transaction.
  const interrupted = api.platform.db.transaction().execute(async (trx) => {
    await sql`select 1`.execute(trx);
    await postgres.stop();
    await sql`select 1`.execute(trx);
  });
  await expect(interrupted).rejects.toThrow(/connection|terminat/i);
  await until(async () => (await readiness()) === 503, { what: "readyz to turn red" });
  expect((await api.app.inject({ url: "/healthz" })).statusCode).toBe(200);
  const answer = await api.app.inject({
    method: "POST",
    url: "/api/v1/auth/login",
    payload: { email: "a@b.cd", password: "x" },
  });
  expect([answer.statusCode, answer.json().code]).toEqual([503, "unavailable"]);
  expect(answer.headers["retry-after"]).toBe("5");

  postgres = await startEmbeddedPostgres({ root: folder.path, settings: { fsync: "off" } });
  await until(async () => (await readiness()) === 200, { what: "readyz to turn green" });
  await until(() => reconnections > 0);
  await api.platform.bus.notify(api.platform.db, "restart_test", "back");
  await until(() => heard.includes("back"), { what: "a notification after the restart" });

  // Jobs work again too: the mail of a registration arrives.
  const registered = await api.app.inject({
    method: "POST",
    url: `/api/v1${routes.auth.register.path}`,
    payload: {
      email: "after@example.com",
      password: "correct horse battery",
      password_confirmation: "correct horse battery",
      accept_privacy_policy: true,
    },
  });
  expect(registered.statusCode).toBe(201);
  await until(async () => {
    const mails = await api.app.inject({ url: "/dev/mail.json?to=after@example.com" });
    return mails.json().length === 1;
  });
}, 120_000);
