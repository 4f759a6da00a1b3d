import { sql, type Kysely } from "kysely";

/** Staff retire support plans and locations, and announce things to customers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table support_plans add column retired_at timestamptz;
    alter table locations add column retired_at timestamptz;

    create table announcements (
      id uuid primary key,
      level text not null check (level in ('info', 'warning', 'critical')),
      text_en text not null check (length(text_en) between 1 and 500),
      text_ru text not null check (length(text_ru) between 1 and 500),
      starts_at timestamptz not null,
      ends_at timestamptz,
      created_at timestamptz not null,
      changed_at timestamptz not null,
      check (ends_at > starts_at)
    );
  `.execute(db);
}
