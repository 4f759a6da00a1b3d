import { z } from "zod";
import { refusalReasons } from "../edge/plain-values.ts";
import { loginVerdicts } from "../edge/telemetry.ts";
import { serverParams, timestamp, uuid } from "./fields.ts";
import { updateMitigationBody } from "./mitigation.ts";
import { route } from "./route.ts";

/** `verify`: the player has to pass a challenge first, and then joins. */
export const replayOutcomes = ["admitted", "verify", "refused"] as const;
export type ReplayOutcome = (typeof replayOutcomes)[number];

/** The newest logins of these hours, and at most so many of them. */
export const replayedHours = 24;
export const replayedLoginsMax = 100_000;
/** Rows shown of each kind of change. */
export const replayedRowsMax = 100;

const outcome = z.object({
  outcome: z.enum(replayOutcomes),
  refusal: z.enum(refusalReasons).nullable().describe("Null where the player is not refused"),
  reason: z.string().describe("The outcome in words"),
});

export const replayedLogin = z
  .object({
    id: uuid.describe("Of the entry in the log"),
    at: timestamp,
    player: z.string(),
    ip: z.string().describe("Shortened, `203.0.*.*`, for members without the right to addresses"),
    country: z.string().nullable().describe("Two letters; null where no database knows it"),
    version: z.string().nullable().describe("Of Minecraft, by the client's protocol number"),
    trace: z.string().describe("The code a refused player reads"),
    verdict: z.enum(loginVerdicts).describe("As the log has it"),
    verdict_reason: z.string().describe("The log's verdict in words"),
    saved: outcome.describe("Under the settings that are saved"),
    proposed: outcome.describe("Under the proposed settings"),
  })
  .meta({ id: "ReplayedLogin" });
export type ReplayedLogin = z.infer<typeof replayedLogin>;

const reasons = z.partialRecord(z.enum(refusalReasons), z.int());

const outcomes = z
  .object({
    admitted: z.int(),
    verify: z.int(),
    refused: z.int(),
    reasons: reasons.describe("Refused players by reason"),
  })
  .meta({ id: "ReplayOutcomes" });

const change = z
  .object({
    from: z.enum(replayOutcomes).describe("Under the saved settings"),
    to: z.enum(replayOutcomes).describe("Under the proposed settings"),
    count: z.int(),
    reasons: reasons.describe("By the reason of the refusal, now or then; empty without one"),
    rows: z.array(replayedLogin).max(replayedRowsMax).describe("The newest of them"),
  })
  .meta({ id: "ReplayChange" });
export type ReplayChange = z.infer<typeof change>;

export const mitigationReplay = z
  .object({
    from: timestamp,
    to: timestamp,
    logins: z.int().describe("Entries of the log that were looked at"),
    is_shortened: z
      .boolean()
      .describe("The log has more logins in these hours; `from` is where those looked at begin"),
    left_out: z.int().describe("Logins that a flood left out of the log"),
    assumed: z
      .int()
      .describe("Logins with facts that no edge has logged; assumed in the player's favour"),
    account_checks: z
      .int()
      .describe("Of those that the proposed settings verify: by their paid account"),
    sizes_unknown: z
      .boolean()
      .describe(
        "The proposed settings allow smaller packets only, and the log has no sizes of those allowed today",
      ),
    differing: z
      .int()
      .describe("Logins whose verdict in the log is another one than under the saved settings"),
    saved: outcomes,
    proposed: outcomes,
    changes: z.array(change).max(6).describe("Each kind of change that would have happened"),
  })
  .meta({ id: "MitigationReplay" });
export type MitigationReplay = z.infer<typeof mitigationReplay>;

export const replayMitigation = route({
  id: "mitigation.replay",
  method: "POST",
  path: "/servers/:id/mitigation/replay",
  family: "api",
  access: "member",
  area: "mitigation",
  right: "view",
  apiKey: "write",
  summary: "Replay the last day under other settings",
  params: serverParams,
  body: updateMitigationBody,
  success: 200,
  response: mitigationReplay,
  errors: ["unauthenticated", "forbidden", "not_found", "gone", "plan_required"],
  audited: false,
  limits: [
    { per: "shield", max: 20, windowSeconds: 60 },
    { per: "user", max: 30, windowSeconds: 60 },
  ],
});

export const replayRoutes = { replayMitigation };
