import { recordSettings } from "#src/features/shield-history/shield-history.service.ts";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Bus } from "#src/platform/database/bus.ts";
import type { Trx } from "#src/platform/database/db.ts";
import { takeOwnLock } from "#src/platform/database/lock-order.ts";
import type { Failpoint } from "#src/platform/development/failpoints.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { configSchemaVersions } from "@palisade/contract/edge/shield-config";
import { everyRegion } from "@palisade/contract/http/backends";
import {
  compileShield,
  ConfigRejected,
  type CompiledConfigs,
  type ShieldRows,
} from "./compile/compile-shield.ts";
import {
  lockShield,
  pruneRevisions,
  publish,
  selectLocationsEver,
  selectShieldRows,
  selectStatus,
  setRevision,
  storeConfigs,
  type ConfigurationRows,
} from "./configuration.repository.ts";
import { selectSalt } from "./cookie-keys.repository.ts";
import { cookieKeyOf } from "./cookie-keys.service.ts";
import { settingsOf } from "./settings-state.ts";

/** Notified whenever a configuration was committed; the payload is empty. */
export const configChannel = "palisade_config";

/** Revisions kept per shield, for rollbacks. */
export const revisionsKept = 20;

export interface Receipt {
  readonly revision: number;
  /** Global version of the configuration stream. */
  readonly version: number;
}

export type LockedShield = NonNullable<Awaited<ReturnType<typeof lockShield>>>;

/** How every feature changes a shield: lock, write own tables, commit; in one transaction. */
export interface ShieldWrites {
  /**
   * Holds the shield until `trx` ends, so that changes of one shield follow each other.
   *
   * @throws DomainError `server_not_active`; grace counts as active
   */
  lockActive(trx: Trx, shieldId: string): Promise<LockedShield>;
  /**
   * Compiles the shield from its tables as they now are in `trx` and makes it the shield's next
   * revision. Call it last: it takes the lock that all commits queue for.
   *
   * @throws DomainError where no edge would take the configuration; nothing is committed then
   */
  commit(trx: Trx, shieldId: string): Promise<Receipt>;
}

export type CompileDeps = Pick<
  ShieldWritesDeps,
  "allowUnproven" | "discordInviteUrl" | "cookieSecret"
>;

export interface ShieldWritesDeps {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly failpoint: Failpoint;
  /** Route domains before they are proven: development only. */
  readonly allowUnproven: boolean;
  /** The secret from which the shields' cookie keys are derived. */
  readonly cookieSecret: Buffer;
  /** The operator's; undefined where there is none. */
  readonly discordInviteUrl?: string | undefined;
}

export function createShieldWrites(deps: ShieldWritesDeps): ShieldWrites {
  return {
    async lockActive(trx, shieldId) {
      const shield = await lockShield(trx, shieldId);
      if (shield === undefined) throw new DomainError("not_found");
      if (shield.status !== "active") throw new DomainError("server_not_active");
      // Made by an api of the version before, a shield has nothing to compare its first change with.
      if (shield.is_recorded !== true) {
        await record(deps, trx, { shieldId, rows: await selectShieldRows(trx, shieldId) });
      }
      return shield;
    },
    commit: (trx, shieldId) => commitShield(deps, trx, shieldId),
  };
}

async function commitShield(deps: ShieldWritesDeps, trx: Trx, shieldId: string): Promise<Receipt> {
  const next = await compileNext(deps, trx, shieldId);
  await record(deps, trx, next);
  const receipt = await publishNext(deps, trx, next);
  deps.failpoint("shield-commit");
  return receipt;
}

/** Adds what the commit changes to the history of the shield. */
async function record(
  { clock }: Pick<ShieldWritesDeps, "clock">,
  trx: Trx,
  next: Pick<CompiledRevision, "shieldId" | "rows"> & { readonly revision?: number },
): Promise<void> {
  const { shieldId, rows, revision = null } = next;
  if (rows === null) return;
  await recordSettings(trx, { shieldId, revision, now: clock.now() }, settingsOf(rows));
}

/** A shield's next revision, ready to be published. */
export interface NextRevision {
  readonly shieldId: string;
  readonly revision: number;
  /** Null when no edge should have the shield any more. */
  readonly configs: CompiledConfigs | null;
  readonly locations: readonly string[];
  /** The salt its cookie key was made with. */
  readonly cookieSalt: string;
}

/** With the rows it was compiled from; null once the shield is deleted. */
export type CompiledRevision = NextRevision & { readonly rows: ConfigurationRows | null };

/** Compiles from the tables. A deleted shield may have no rows left. */
export async function compileNext(
  deps: CompileDeps,
  trx: Trx,
  shieldId: string,
): Promise<CompiledRevision> {
  const standing = await selectStatus(trx, shieldId);
  const revision = standing.revision + 1;
  if (standing.status === "deleted") return { ...emptyRevision(shieldId), revision, rows: null };
  const rows = await selectShieldRows(trx, shieldId);
  const locations = locationsOf(rows);
  const cookieSalt = await selectSalt(trx, shieldId, locations);
  const configs = compile(rows, { revision, cookieSalt }, deps);
  return { shieldId, revision, configs, locations, cookieSalt, rows };
}

/** A revision that removes the shield from every edge. */
export function emptyRevision(shieldId: string): Omit<NextRevision, "revision"> {
  return { shieldId, configs: null, locations: [], cookieSalt: "0" };
}

/** Takes the lock that all commits queue for. */
export async function publishNext(
  { bus }: Pick<ShieldWritesDeps, "bus">,
  trx: Trx,
  { shieldId, revision, configs, locations, cookieSalt }: NextRevision,
): Promise<Receipt> {
  const left = new Set(await selectLocationsEver(trx, shieldId));
  for (const location of locations) left.delete(location);
  await setRevision(trx, shieldId, revision);
  await pruneRevisions(trx, shieldId, revision - revisionsKept + 1);
  await bus.notify(trx, configChannel, "");

  await storeConfigs(trx, {
    shieldId,
    revision,
    locations,
    leftLocations: [...left],
    cookieSalt,
    configs: configSchemaVersions.map((schema) => [schema, configs?.[schema] ?? ""]),
  });

  await takeOwnLock(trx);
  const version = await publish(trx, { shieldId, revision });
  return { revision, version };
}

/** The locations of the shield: where players enter, where they entered before, and those of its groups. */
function locationsOf({ shield, groups, stillServing }: ConfigurationRows): string[] {
  const regions = groups.map(({ region }) => region).filter((region) => region !== everyRegion);
  return [...new Set([shield.location, ...regions, ...stillServing])];
}

function compile(
  rows: ShieldRows,
  { revision, cookieSalt }: Pick<NextRevision, "revision" | "cookieSalt">,
  { cookieSecret, ...deps }: CompileDeps,
): CompiledConfigs | null {
  try {
    const cookieKey = cookieKeyOf(cookieSecret, rows.shield.id, cookieSalt);
    return compileShield(rows, { ...deps, revision, cookieKey });
  } catch (error) {
    if (!(error instanceof ConfigRejected)) throw error;
    throw new DomainError(error.kind === "oversize" ? "payload_too_large" : "internal", {
      cause: error,
    });
  }
}
