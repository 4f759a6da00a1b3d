import { sql, type Kysely } from "kysely";

/**
 * Texts of plans and locations in languages other than English, which the columns hold:
 * `{"ru": {"description": "..."}}`, a text that is missing being shown in English.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table pricing_plans add column translations jsonb not null default '{}'
      check (jsonb_typeof(translations) = 'object');
    alter table support_plans add column translations jsonb not null default '{}'
      check (jsonb_typeof(translations) = 'object');
    alter table locations add column translations jsonb not null default '{}'
      check (jsonb_typeof(translations) = 'object');
  `.execute(db);
}
