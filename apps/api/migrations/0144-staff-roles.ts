import { sql, type Kysely } from "kysely";

/** Staff get roles, and their calls are on record with a reason. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users add column staff_roles text[] not null default '{}'
      check (staff_roles <@ '{support,billing,operations,admin}');
    update users set staff_roles = '{admin}' where role = 'staff';

    create table staff_actions (
      audit_id uuid primary key references audit_log (id),
      staff_id uuid,
      route text not null check (length(route) <= 100),
      subjects jsonb not null,
      reason text check (length(reason) <= 500),
      response_status integer not null,
      created_at timestamptz not null
    );
    create index staff_actions_subjects on staff_actions using gin (subjects jsonb_path_ops);
    create index staff_actions_newest on staff_actions (created_at desc, audit_id desc);
  `.execute(db);
}
