import { sql, type Kysely } from "kysely";

/** Tokens of the live channel, and a notification for each session that ends. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table live_tokens (
      token_hash text primary key,
      session_id uuid not null references sessions (id) on delete cascade,
      expires_at timestamptz not null
    );
    create index live_tokens_of_session on live_tokens (session_id);
    create index live_tokens_expiry on live_tokens (expires_at);

    -- Sessions end in many ways. A trigger misses none of them.
    create function announce_ended_session() returns trigger language plpgsql as $$
      begin
        perform pg_notify('palisade_session_ended', old.id::text);
        return null;
      end
    $$;
    create trigger sessions_announce_end after delete on sessions
      for each row execute function announce_ended_session();
  `.execute(db);
}
