import { sql, type Kysely } from "kysely";

/** A deleted account gets no new personal data and no new credentials. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["api_keys", "profiles", "email_changes"]) {
    await sql`
      create trigger ${sql.id(`${table}_user_exists`)} before insert on ${sql.table(table)}
        for each row execute function refuse_deleted_user('user_id')
    `.execute(db);
  }
}
