import { routes } from "@palisade/contract/http/routes";
import type { Server } from "@palisade/contract/http/servers";
import { sql } from "kysely";
import type { TestApp } from "./test-app.ts";
import { createShield } from "./test-shields.ts";
import { call, expectStatus, type TestUser } from "./test-users.ts";

/** Tables of the database that name a user, or something that belongs to one, at whatever remove. */
export async function tablesBelowUsers(testApp: TestApp): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with recursive below (id) as (
      select 'users'::regclass::oid
      union
      select c.conrelid from pg_constraint c join below on c.confrelid = below.id
      where c.contype = 'f'
    )
    select id::regclass::text as name from below where id <> 'users'::regclass order by name
  `.execute(testApp.platform.db);
  return rows.map(({ name }) => name);
}

/** A shield with the word in everything its owner may write, by now deleted. */
export async function deletedShieldOf(
  testApp: TestApp,
  user: TestUser,
  word: string,
): Promise<Server> {
  const { token } = user;
  const { db } = testApp.platform;
  const domain = `${word}.example.com`;
  const shield = await createShield(testApp, user, {
    server_name: word,
    domain,
    real_ip: "127.77.77.77",
  });
  const params = { id: shield.id };
  const messages = { offline: { motd_line1: word } };
  await expectStatus(
    call(testApp, routes.serverMessages.updateServerMessages, { token, params, body: messages }),
    200,
  );
  for (const ip of ["198.51.100.77", "Exported_1"]) {
    const body = { type: "whitelist", ip, note: `Note of ${word}` };
    await expectStatus(
      call(testApp, routes.firewall.addFirewallEntry, { token, params, body }),
      201,
    );
  }
  const now = testApp.clock.now();
  const { cname_record } = shield;
  await db
    .insertInto("domain_proofs")
    .values({ domain, cname_record, user_id: user.id, proven_at: now, supersedes: null })
    .execute();
  await db
    .updateTable("shields")
    .set({ status: "deleted", deleted_at: now })
    .where("id", "=", shield.id)
    .execute();
  return shield;
}
