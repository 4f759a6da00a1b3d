import { createDatabaseOn } from "@palisade/testing/test-database";
import { provideDatabaseServer } from "@palisade/testing/database-server";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { sql } from "kysely";
import pg from "pg";
import { pino } from "pino";
import { createDb, type Db } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { migrate } from "#src/platform/database/migrate.ts";
import { createPgBus } from "#src/platform/database/pg-bus.ts";
import type { Bus } from "#src/platform/database/bus.ts";
import { hashToken, newToken, tokenPrefixes } from "#src/platform/security/tokens.ts";
import { startApiProcess, type ApiProcess } from "../api-process.ts";
import { createUser } from "../test-users.ts";

export interface Customer {
  readonly ticketId: string;
  /** Bearer token of a session. */
  readonly token: string;
}

/** Two api processes on one database, and customers with a ticket each. */
export interface ChannelWorld {
  readonly db: Db;
  readonly bus: Bus;
  readonly apis: readonly [ApiProcess, ApiProcess];
  readonly customers: readonly Customer[];
  close(): Promise<void>;
}

export async function createChannelWorld(customers: number): Promise<ChannelWorld> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  try {
    return await open(customers, closers, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  count: number,
  closers: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<ChannelWorld> {
  const home = await createTemporaryFolder("channel");
  closers.push(() => home.remove());
  const server = await provideDatabaseServer(undefined);
  closers.push(() => server.close());
  const { ownerUrl, runtimeUrl: url } = await createDatabaseOn(server, {
    template: "channel",
    prepare: (urls) => migrate({ ...urls, log: () => undefined }),
  });
  const onConnectionError = (): void => undefined;
  const db = createDb({ url, connectionsMax: 6, statementTimeoutMs: 30_000, onConnectionError });
  closers.push(() => db.destroy());
  const bus = createPgBus({ url, log: pino({ level: "silent" }) });
  closers.push(() => bus.stop());
  await bus.start();
  const customers = await insertCustomers(db, ownerUrl, count);
  const start = async (): Promise<ApiProcess> => {
    const api = await startApiProcess({ PALISADE_HOME: home.path, DATABASE_URL: url });
    closers.push(async () => {
      api.kill();
      await api.exited;
    });
    return api;
  };
  return { db, bus, customers, apis: [await start(), await start()], close };
}

/** Accounts like one that has registered, with a session and a ticket each. */
async function insertCustomers(db: Db, ownerUrl: string, count: number): Promise<Customer[]> {
  const now = new Date();
  const model = await createUser({ platform: { db }, clock: { now: () => now } });
  const customers = Array.from({ length: count }, () => ({
    userId: newId(),
    ticketId: newId(),
    token: newToken(tokenPrefixes.session),
  }));
  const { rows } = await sql<{ columns: string }>`
    select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
    where table_name = 'users' and table_schema = 'public'
      and column_name not in ('id', 'email', 'email_key') and is_generated = 'NEVER'
  `.execute(db);
  const columns = rows[0]?.columns ?? "";
  const owner = new pg.Client(ownerUrl);
  await owner.connect();
  try {
    await owner.query(
      `insert into users (id, email, email_key, ${columns})
       select given.id, given.id || '@example.com', given.id || '@example.com', ${columns}
       from unnest($1::uuid[]) as given (id), (select ${columns} from users where id = $2) as model`,
      [customers.map(({ userId }) => userId), model.id],
    );
  } finally {
    await owner.end();
  }
  for (let from = 0; from < count; from += 500) {
    const part = customers.slice(from, from + 500);
    await db
      .insertInto("sessions")
      .values(
        part.map(({ userId, token }) => ({
          id: newId(),
          user_id: userId,
          token_hash: hashToken(token),
          device: "",
          ip: "198.18.0.1",
          created_at: now,
          last_seen_at: now,
          authenticated_at: now,
          expires_at: new Date(now.getTime() + 86_400_000),
        })),
      )
      .execute();
    await db
      .insertInto("tickets")
      .values(
        part.map(({ userId, ticketId }) => ({
          id: ticketId,
          user_id: userId,
          shield_id: null,
          category: "technical" as const,
          severity: "low" as const,
          subject: "Players cannot join",
          status: "open" as const,
          snapshot: null,
          created_at: now,
          updated_at: now,
        })),
      )
      .execute();
  }
  return customers;
}
