import type { AttackCourse } from "@palisade/contract/edge/attack-detail";
import type { LoggedAttempt, LoginVerdict } from "@palisade/contract/edge/telemetry";
import { sql } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";

/** An entry of the log with all that a replay reads of it. */
export interface LoggedLogin {
  readonly id: string;
  readonly at: Date;
  readonly edgeId: string;
  readonly verdict: LoginVerdict;
  readonly shadow: boolean;
  readonly player: string;
  readonly ip: string;
  readonly country: string | null;
  readonly asn: string | null;
  readonly protocol: number;
  readonly trace: string;
  readonly facts: Readonly<Record<string, string>>;
  /** Null: the edge has not logged it. */
  readonly attempt: LoggedAttempt | null;
}

/** The edge decides about players of Bedrock by other rules and facts, of which the log has few. */
const isOfJava = sql`facts ->> 'edition' is distinct from 'bedrock'`;

/**
 * The time of the oldest of the newest `max` entries.
 *
 * @returns undefined if there are no more than `max`
 */
export async function selectShortenedStart(
  db: Executor,
  shieldId: string,
  window: { readonly from: Date; readonly to: Date; readonly max: number },
): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date }>`
    select "at" from login_entries
    where shield_id = ${shieldId} and "at" >= ${window.from}::timestamptz
      and "at" <= ${window.to}::timestamptz and ${isOfJava}
    order by "at" desc, id desc offset ${window.max - 1} limit 2
  `.execute(db);
  const [oldest, more] = rows;
  return more === undefined ? undefined : oldest?.at;
}

/** The next entries of the window, the oldest first. */
export async function selectNextLogins(
  db: Executor,
  shieldId: string,
  window: {
    readonly from: Date;
    readonly to: Date;
    readonly after: { readonly at: Date; readonly id: string } | undefined;
    readonly limit: number;
  },
): Promise<readonly LoggedLogin[]> {
  const { from, to, limit } = window;
  const after = window.after ?? { at: from, id: "00000000-0000-0000-0000-000000000000" };
  const { rows } = await sql<LoggedLogin>`
    select id, "at", edge_id as "edgeId", verdict, shadow, player, host(ip) as ip, country,
      asn::text as asn, protocol,
      trace, facts, attempt
    from login_entries
    where shield_id = ${shieldId} and "at" >= ${after.at}::timestamptz
      and "at" <= ${to}::timestamptz
      and ("at", id) > (${after.at}::timestamptz, ${after.id}::uuid) and ${isOfJava}
    order by "at", id limit ${limit}
  `.execute(db);
  return rows;
}

/** An attack on the shield, as one edge has told it. */
export interface RecordedAttack {
  readonly edgeId: string;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  /** Null: the edge has told none. */
  readonly course: AttackCourse | null;
}

/** Attacks that reach into the window. */
export async function selectAttacksOf(
  db: Executor,
  shieldId: string,
  window: { readonly from: Date; readonly to: Date },
): Promise<readonly RecordedAttack[]> {
  const { rows } = await sql<RecordedAttack>`
    select part.edge_id as "edgeId", part.started_at as "startedAt", part.ended_at as "endedAt",
      detail -> 'course' as course
    from attacks
    join attack_parts part on part.attack_id = attacks.id
    left join attack_part_details details
      on details.attack_id = part.attack_id and details.edge_id = part.edge_id
        and details.part_id = part.part_id
    where attacks.shield_id = ${shieldId}
      and attacks.started_at <= ${window.to}::timestamptz
      and (attacks.ended_at is null or attacks.ended_at >= ${window.from}::timestamptz)
    order by part.started_at
  `.execute(db);
  return rows;
}
