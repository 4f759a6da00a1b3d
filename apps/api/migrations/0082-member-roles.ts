import { sql, type Kysely } from "kysely";

/** Members had every right but those of the owner, and keep them: that is the role of a manager. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["shield_members", "shield_invitations"]) {
    await sql`
      alter table ${sql.table(table)}
        add column member_role text not null default 'manager'
          check (member_role in ('viewer', 'operator', 'manager', 'custom')),
        -- By area, of the role custom.
        add column rights jsonb
    `.execute(db);
  }
}
