import { z } from "zod";
import { levelCauses } from "../edge/attack-limits.ts";
import { antibotLevels, refusalReasons } from "../edge/plain-values.ts";
import { loginVerdicts } from "../edge/telemetry.ts";
import { locales } from "../texts/locale.ts";
import { acknowledgement, serverParams, timestamp, uuid } from "./fields.ts";
import { defaultLimits, route } from "./route.ts";

export const attack = z
  .object({
    id: uuid,
    started_at: timestamp,
    ended_at: timestamp.nullable().describe("Null while it lasts"),
    peak_per_second: z.int().describe("Logins in a second: each edge's peak, added up"),
    datagrams_peak: z
      .int()
      .describe(
        "The same of datagrams to Bedrock ports that belong to no player, where they were an attack; otherwise 0",
      ),
    sources: z.int().describe("Different /24 and /64 networks, about"),
    refused: z.partialRecord(z.enum(refusalReasons), z.int()),
    edges: z.int().describe("Edges it reached"),
    relaxed_to: z
      .enum(antibotLevels)
      .nullable()
      .describe("The level that acted, where it was relaxed because verified players had failed"),
  })
  .meta({ id: "Attack" });

export type Attack = z.infer<typeof attack>;

export const listAttacks = route({
  id: "attacks.list",
  method: "GET",
  path: "/servers/:id/attacks",
  family: "api",
  access: "member",
  area: "logs",
  apiKey: "read",
  summary: "Attacks on a shield, the newest first",
  params: serverParams,
  querystring: z.object({
    cursor: z.string("cursor.invalid").max(200, "cursor.invalid").optional(),
  }),
  success: 200,
  response: z.object({
    data: z.array(attack).max(50),
    next_cursor: z.string().nullable().describe("For the attacks before; null at the end"),
  }),
  errors: ["unauthenticated", "forbidden", "not_found", "gone"],
  limits: defaultLimits.read,
});

const count = z.int().min(0);

/** Days for which the course and the sources of an attack are kept. */
export const attackDetailDays = 30;
/** Entries of each list of sources. */
export const attackSourcesMax = 20;
/** Links to share one attack at the same time. */
export const attackSharesMax = 20;
/** Days after which a link ends. */
export const attackShareDays = [1, 7, 30, 90] as const;

export const attackCourse = z
  .object({
    from: timestamp.describe("Begin of the first point"),
    step_seconds: z.int().describe("Seconds that each point covers"),
    peaks: z.array(count).describe("The most logins in a second, by point"),
    logins: z.array(count),
    admitted: z.array(count).describe("Logins that reached the backend"),
    datagrams: z
      .array(count)
      .nullable()
      .describe("The most datagrams in a second, as of `datagrams_peak`; null where there is none"),
  })
  .meta({ id: "AttackCourse" });

export const attackLevel = z
  .object({ at: timestamp, level: z.enum(antibotLevels), cause: z.enum(levelCauses) })
  .meta({ id: "AttackLevel" });

const shape = z
  .object({ shape: z.string().describe("Digits are `#`"), logins: count })
  .meta({ id: "AttackNames" });

export const attackPlayers = z
  .object({
    before: z.number().nullable().describe("Mean of the 15 minutes before; null if unknown"),
    during: z.number().nullable(),
    after: z.number().nullable().describe("Null until 15 minutes have passed"),
    from: timestamp,
    step_seconds: z.int(),
    online: z.array(z.number()).describe("Mean players online, by point"),
  })
  .meta({ id: "AttackPlayers" });
export type AttackPlayers = z.infer<typeof attackPlayers>;

/** Logins from which on a link to share shows a shape of names; a few may be those of one player. */
export const sharedNameLoginsMin = 20;

const measured = {
  course: attackCourse.nullable().describe("Null if it is not kept, or no edge has told it"),
  logins: count.nullable().describe("In the course, all together"),
  admitted: count.nullable().describe("Of these: logins that reached the backend"),
  editions: z
    .object({ java: count, bedrock: count })
    .nullable()
    .describe("Logins that had an outcome, by edition of the game; null where none is known"),
  names: z.array(shape).max(attackSourcesMax),
};

/** An attack as it may be shown to anyone: no address, no setting, and no number of players online. */
export const sharedAttack = attack
  .omit({ relaxed_to: true })
  .extend(measured)
  .meta({ id: "SharedAttack" });
export type SharedAttack = z.infer<typeof sharedAttack>;

const place = {
  logins: count.describe("At least"),
  country: z.string().nullable().describe("Two letters; null if no database is installed"),
  network_name: z.string().nullable(),
};

const sampledLogin = z
  .object({
    id: uuid,
    at: timestamp,
    verdict: z.enum(loginVerdicts),
    shadow: z.boolean(),
    player: z.string(),
    ip: z.string(),
    host: z.string(),
    edge: z.string(),
    trace: z.string(),
  })
  .meta({ id: "AttackLogin" });
export type AttackLogin = z.infer<typeof sampledLogin>;

export const attackPage = attack
  .extend({
    ...measured,
    threshold: count.nullable().describe("Logins in a second of one edge; null if unknown"),
    datagrams_threshold: count.nullable().describe("The same of `datagrams_peak`"),
    levels: z.array(attackLevel),
    players: attackPlayers.nullable(),
    addresses: z.array(z.object({ address: z.string(), ...place })).max(attackSourcesMax),
    networks: z.array(z.object({ network: z.string(), ...place })).max(attackSourcesMax),
    addresses_masked: z.boolean().describe("The caller has no right to see addresses"),
    sample: z.array(sampledLogin).max(30).describe("Logins of its time, the newest first"),
  })
  .meta({ id: "AttackPage" });
export type AttackPage = z.infer<typeof attackPage>;

export const attackShare = z
  .object({ id: uuid, created_at: timestamp, expires_at: timestamp })
  .meta({ id: "AttackShare" });
export type AttackShare = z.infer<typeof attackShare>;

const memberErrors = ["unauthenticated", "forbidden", "not_found", "gone"] as const;
const attackParams = serverParams.extend({ attackId: uuid });

export const getAttack = route({
  id: "attacks.get",
  method: "GET",
  path: "/servers/:id/attacks/:attackId",
  family: "api",
  access: "member",
  area: "logs",
  apiKey: "read",
  summary: "Read one attack, its course and its sources",
  params: attackParams,
  success: 200,
  response: z.object({ attack: attackPage }),
  errors: [...memberErrors],
  limits: [{ per: "user", max: 240, windowSeconds: 60, perProcess: true }],
});

export const getAttackPdf = route({
  id: "attacks.pdf",
  method: "GET",
  path: "/servers/:id/attacks/:attackId/report.pdf",
  family: "api",
  access: "member",
  area: "logs",
  apiKey: "read",
  summary: "The report of an attack as PDF",
  params: attackParams,
  querystring: z.object({ language: z.enum(locales, "language.invalid").optional() }),
  success: 200,
  answersFile: true,
  response: z.string().meta({ contentMediaType: "application/pdf" }),
  errors: [...memberErrors],
  limits: [{ per: "user", max: 60, windowSeconds: 3600 }],
});

export const listAttackShares = route({
  id: "attacks.shares",
  method: "GET",
  path: "/servers/:id/attacks/:attackId/shares",
  family: "api",
  access: "owner",
  apiKey: "read",
  summary: "Links by which an attack is shared",
  params: attackParams,
  success: 200,
  response: z.object({ shares: z.array(attackShare).max(attackSharesMax) }),
  errors: [...memberErrors],
  limits: defaultLimits.read,
});

export const shareAttack = route({
  id: "attacks.share",
  method: "POST",
  path: "/servers/:id/attacks/:attackId/shares",
  family: "api",
  access: "owner",
  apiKey: "none",
  summary: "Make a link that shows the attack to anyone",
  params: attackParams,
  body: z
    .object({ days: z.literal([...attackShareDays], "share_days.invalid").default(7) })
    .meta({ id: "AttackShareCreate" }),
  success: 201,
  response: acknowledgement.extend({
    share: attackShare,
    token: z.string().describe("Shown once; it belongs behind the `#` of the link"),
  }),
  errors: [...memberErrors, "list_full"],
  limits: [{ per: "user", max: 60, windowSeconds: 3600 }],
});

export const revokeAttackShare = route({
  id: "attacks.revoke",
  method: "DELETE",
  path: "/servers/:id/attacks/:attackId/shares/:shareId",
  family: "api",
  access: "owner",
  apiKey: "none",
  summary: "End a link at once",
  params: attackParams.extend({ shareId: uuid }),
  success: 200,
  response: acknowledgement,
  errors: [...memberErrors],
  limits: defaultLimits.change,
});

export const readSharedAttack = route({
  id: "attacks.shared",
  method: "POST",
  path: "/shared-attacks/read",
  family: "api",
  access: "anonymous",
  apiKey: "none",
  summary: "An attack that was shared by a link",
  /** In the body, because URLs are kept by browsers, proxies and logs. */
  body: z.object({
    token: z.string("required").min(1, "required").max(200, "share.invalid"),
  }),
  success: 200,
  response: z.object({ attack: sharedAttack, expires_at: timestamp }),
  errors: ["not_found"],
  // It reads.
  audited: false,
  limits: [{ per: "ip", max: 120, windowSeconds: 600 }],
});

export const attackRoutes = {
  listAttacks,
  getAttack,
  getAttackPdf,
  listAttackShares,
  shareAttack,
  revokeAttackShare,
  readSharedAttack,
};
