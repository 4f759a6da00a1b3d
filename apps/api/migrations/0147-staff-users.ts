import { sql, type Kysely } from "kysely";

/** Staff block accounts, remove two-factor by two of them, and see what a customer sees. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users add column blocked_at timestamptz;

    alter table staff_orders drop constraint staff_orders_kind_check;
    alter table staff_orders add constraint staff_orders_kind_check
      check (kind in ('adjust', 'reverse', 'refund', 'quarantine', 'two-factor-off'));
    create unique index staff_orders_one_removal on staff_orders (user_id)
      where status = 'waiting' and kind = 'two-factor-off';

    create table staff_views (
      id uuid primary key,
      -- The staff member's own session: the view ends with it.
      session_id uuid not null references sessions (id) on delete cascade,
      staff_id uuid not null references users (id) on delete cascade,
      user_id uuid not null references users (id) on delete cascade,
      token_hash text not null unique,
      created_at timestamptz not null,
      expires_at timestamptz not null
    );
    create index staff_views_session on staff_views (session_id);
    create index staff_views_user on staff_views (user_id);
  `.execute(db);
}
