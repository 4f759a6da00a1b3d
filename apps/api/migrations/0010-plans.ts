import { sql, type Kysely } from "kysely";

/** Plans, support plans and locations. Rows come from seeds/, later from the staff area. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table pricing_plans (
      id uuid primary key,
      slug text not null unique,
      name text not null,
      description text not null,
      price_cents bigint not null check (price_cents >= 0),
      features jsonb not null,
      limits jsonb not null,
      position integer not null,
      retired_at timestamptz,
      created_at timestamptz not null default now()
    );

    create table support_plans (
      id uuid primary key,
      slug text not null unique,
      name text not null,
      description text not null,
      price_cents bigint not null check (price_cents >= 0),
      position integer not null,
      created_at timestamptz not null default now()
    );

    create table locations (
      name text primary key,
      display_name text not null,
      flag_url text,
      position integer not null
    );
  `.execute(db);
}
