import { isDeepStrictEqual } from "node:util";
import {
  challengeDays,
  type ChallengeTimes,
  type Mitigation,
  type MitigationSettings,
  type updateMitigationBody,
} from "@palisade/contract/http/mitigation";
import type { z } from "zod";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { etagOf, requireMatch } from "#src/platform/http/etag.ts";
import { sparedSince } from "#src/features/traffic/traffic.service.ts";
import { entitlements, type Entitlements } from "#src/features/plans/entitlements.service.ts";
import {
  isDefaultVersionRange,
  mergeMitigation,
  parseMitigation,
} from "#src/features/configuration/mitigation-settings.service.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { presentChallengeTimes } from "./challenge-times.ts";
import { selectChallengeTimes } from "./challenge-times.repository.ts";
import { issuesOf, ordered } from "./mitigation.policy.ts";
import { selectLacksVpnLists, selectMitigation, setMitigation } from "./mitigation.repository.ts";

const dayMs = 86_400_000;

export async function getMitigation(db: Executor, shieldId: string, now: Date) {
  const stored = await selectMitigation(db, shieldId);
  const settings = parseMitigation(stored.settings);
  const spared = await sparedSince(db, shieldId, new Date(now.getTime() - dayMs));
  return {
    settings,
    revision: stored.revision,
    mitigation: {
      ...present(settings, entitlements(stored)),
      anti_vpn_has_lists: !(await selectLacksVpnLists(db, shieldId)),
      shadowed_24h: spared.refused,
      would_challenge_24h: spared.challenged,
    },
    etag: etagOf(["mitigation", stored.version]),
  };
}

/** Today and the days before, in UTC, as edges report them. */
export async function getChallengeTimes(
  db: Executor,
  shieldId: string,
  now: Date,
): Promise<ChallengeTimes> {
  const first = new Date(now.getTime() - (challengeDays - 1) * dayMs);
  const rows = await selectChallengeTimes(db, shieldId, first.toISOString().slice(0, 10));
  return presentChallengeTimes(rows);
}

/** Missing fields keep their values. Without a change, revision and ETag stay the same. */
export async function updateMitigation(
  writes: ShieldWrites,
  trx: Trx,
  request: {
    readonly shieldId: string;
    readonly ifMatch: string | undefined;
    readonly now: Date;
  },
  body: z.output<typeof updateMitigationBody>,
) {
  const { shieldId, now } = request;
  const plan = entitlements(await writes.lockActive(trx, shieldId));
  const before = await getMitigation(trx, shieldId, now);
  requireMatch(request, before.etag);
  const settings = settingsWith(before.settings, plan, body);
  if (isDeepStrictEqual(settings, before.settings)) {
    const { mitigation, etag, revision } = before;
    return { mitigation, etag, revision };
  }
  await setMitigation(trx, shieldId, toStore(settings));
  const { mitigation, etag } = await getMitigation(trx, shieldId, now);
  const { revision } = await writes.commit(trx, shieldId);
  return { mitigation, etag, revision };
}

/** The saved and the proposed settings of a shield, limited by its plan where edges get them. */
export async function proposeMitigation(
  db: Executor,
  shieldId: string,
  body: z.output<typeof updateMitigationBody>,
) {
  const stored = await selectMitigation(db, shieldId);
  const plan = entitlements(stored);
  const saved = parseMitigation(stored.settings);
  return { plan, saved, proposed: settingsWith(saved, plan, body) };
}

/**
 * The settings after a change. Fields that it does not name keep their values.
 *
 * @throws DomainError if the plan or the settings as a whole do not allow it
 */
function settingsWith(
  before: MitigationSettings,
  plan: Entitlements,
  body: z.output<typeof updateMitigationBody>,
): MitigationSettings {
  requirePlan(plan, body);
  const asked = mergeMitigation(before, body);
  const issues = issuesOf(asked);
  if (issues.length > 0) throw new DomainError("validation_failed", { issues });
  return { ...asked, minecraft_versions: ordered(asked.minecraft_versions) };
}

/** A range that is off and was never set goes on to end with the newest version of the day. */
function toStore(settings: MitigationSettings): Partial<MitigationSettings> {
  const { minecraft_versions: versions, ...rest } = settings;
  const isSet = settings.minecraft_version_range_enabled || !isDefaultVersionRange(versions);
  return isSet ? settings : rest;
}

function requirePlan(plan: Entitlements, body: z.output<typeof updateMitigationBody>): void {
  const { antibot_level: level = "disabled", anti_vpn: antiVpn = false } = body;
  if (!plan.allowsAntibot(level) || (antiVpn && !plan.antiVpn)) {
    throw new DomainError("plan_required");
  }
}

/** The settings as they act: those that the plan no longer includes are shown as off. */
function present(
  settings: MitigationSettings,
  plan: Entitlements,
): Omit<Mitigation, "shadowed_24h" | "would_challenge_24h" | "anti_vpn_has_lists"> {
  return {
    ...settings,
    antibot_level: plan.antibotWithin(settings.antibot_level),
    anti_vpn: settings.anti_vpn && plan.antiVpn,
    antibot_level_max: plan.antibotMax,
    anti_vpn_available: plan.antiVpn,
  };
}
