import type { Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import {
  disownPorts,
  removeAllPorts,
  removePort,
  returnPorts,
  selectFreePort,
  selectPorts,
  takePort,
} from "./bedrock-ports.repository.ts";

/** UDP ports that edges open for players of Bedrock. */
export interface BedrockPorts {
  /** The port that Bedrock suggests to players. */
  readonly standard: number;
  /** Random ports, both ends included. */
  readonly pool: { readonly first: number; readonly last: number };
}

/** Players have saved the address: for so long, no other shield gets the port. */
export const restMs = 86_400_000;

/** So many others may take the chosen port at the same moment. */
const attempts = 20;

interface Moment {
  readonly shieldId: string;
  readonly now: Date;
}

const restedBefore = (now: Date) => new Date(now.getTime() - restMs);

/** @throws DomainError `pool_exhausted` */
export async function takeRandomPort(
  trx: Trx,
  pool: BedrockPorts["pool"],
  { shieldId, now }: Moment,
): Promise<void> {
  const rested = restedBefore(now);
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = await selectFreePort(trx, pool, rested);
    if (port === undefined) break;
    const taken = { id: newId(), shieldId, port, location: null, now, restedBefore: rested };
    if (await takePort(trx, taken)) return;
  }
  throw new DomainError("pool_exhausted");
}

/** @throws DomainError `port_taken` where another shield of the location has it, or had it of late */
export async function takeDefaultPort(
  trx: Trx,
  { standard }: BedrockPorts,
  { shieldId, now, location }: Moment & { readonly location: string },
): Promise<void> {
  const taken = { id: newId(), shieldId, port: standard, location, now };
  if (!(await takePort(trx, { ...taken, restedBefore: restedBefore(now) }))) {
    throw new DomainError("port_taken");
  }
}

/**
 * The default port moves with its shield. In the location that is left it rests, and edges there
 * serve it as long as DNS may still lead players there.
 *
 * @throws DomainError `port_taken` where another shield has it in the new location
 */
export async function moveDefaultPort(
  trx: Trx,
  { shieldId, now }: Moment,
  to: string,
): Promise<void> {
  const ports = await selectPorts(trx, shieldId);
  const held = ports.find(({ location }) => location !== null && location !== to);
  if (held === undefined) return;
  const taken = { id: newId(), shieldId, port: held.port, location: to, now };
  if (!(await takePort(trx, { ...taken, restedBefore: restedBefore(now) }))) {
    throw new DomainError("port_taken", { text: "bedrock.default_taken_there" });
  }
  await removePort(trx, shieldId, held.id, now);
}

/** A deleted shield has no ports: once they have rested, other shields may get them. */
export function releasePorts(trx: Trx, { shieldId, now }: Moment): Promise<void> {
  return removeAllPorts(trx, shieldId, now);
}

/** A restored shield has the ports again that no other shield got in the meantime. */
export function reclaimPorts(trx: Trx, shieldId: string, deletedAt: Date | null): Promise<void> {
  return deletedAt === null ? Promise.resolve() : returnPorts(trx, shieldId, deletedAt);
}

export function forgetPortOwners(trx: Trx, shieldIds: readonly string[]): Promise<void> {
  return disownPorts(trx, shieldIds);
}
