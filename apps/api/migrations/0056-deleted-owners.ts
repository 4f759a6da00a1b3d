import { sql, type Kysely } from "kysely";

/**
 * Nothing new begins for an account that was deleted: what was under way when its deletion
 * committed had authenticated before, and waited for the lock on the user's row that the foreign
 * key takes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function refuse_deleted_user() returns trigger language plpgsql as $$
    declare
      named uuid := to_jsonb(new) ->> tg_argv[0];
    begin
      perform 1 from users where id = named for key share;
      if exists (select 1 from users where id = named and deleted_at is not null) then
        raise exception 'the account was deleted' using errcode = 'check_violation';
      end if;
      return new;
    end
    $$
  `.execute(db);
  await sql`
    create trigger shields_owner_exists before insert on shields
      for each row execute function refuse_deleted_user('owner_id')
  `.execute(db);
  await sql`
    create trigger payment_intents_user_exists before insert on payment_intents
      for each row execute function refuse_deleted_user('user_id')
  `.execute(db);
}
