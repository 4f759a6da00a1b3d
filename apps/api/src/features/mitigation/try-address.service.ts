import { randomBytes } from "node:crypto";
import type { TryChallenge } from "@palisade/contract/edge/plain-values";
import { tryHours, type TryAddress } from "@palisade/contract/http/mitigation";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import {
  deleteTryAddress,
  selectTryAddress,
  setTryAddress,
  type TryAddressRow,
} from "./try-address.repository.ts";

const lifeMs = tryHours * 3_600_000;
const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
const prefix = "try";
/** With the prefix as long as the label of a shield, so that it is published wherever labels are. */
const randomCharacters = 9;

interface TryDeps {
  readonly writes: ShieldWrites;
  readonly zone: string;
}

interface Request {
  readonly shieldId: string;
  readonly now: Date;
}

export async function getTryAddress(
  db: Executor,
  { shieldId, now }: Request,
): Promise<TryAddress | null> {
  const row = await selectTryAddress(db, shieldId);
  return row === undefined || row.expires_at <= now ? null : present(row);
}

/** A name that works already goes on to work; one whose time is over is replaced. */
export async function startTry(
  { writes, zone }: TryDeps,
  trx: Trx,
  { shieldId, now }: Request,
  challenge: TryChallenge,
) {
  await writes.lockActive(trx, shieldId);
  const before = await selectTryAddress(trx, shieldId);
  const goesOn = before !== undefined && before.expires_at > now;
  const row: TryAddressRow = {
    host: goesOn ? before.host : `${randomLabel()}.${zone}`,
    challenge,
    created_at: goesOn ? before.created_at : now,
    expires_at: new Date(now.getTime() + lifeMs),
  };
  await setTryAddress(trx, shieldId, row);
  const { revision } = await writes.commit(trx, shieldId);
  return { revision, try_address: present(row) };
}

/** @returns the revision without the address; null if there was none */
export async function endTry(
  { writes }: Pick<TryDeps, "writes">,
  trx: Trx,
  { shieldId }: Pick<Request, "shieldId">,
): Promise<number | null> {
  await writes.lockActive(trx, shieldId);
  if (!(await deleteTryAddress(trx, shieldId))) return null;
  return (await writes.commit(trx, shieldId)).revision;
}

function randomLabel(): string {
  const random = Array.from(randomBytes(randomCharacters), (byte) => alphabet[byte % 32]);
  return prefix + random.join("");
}

function present({ created_at, expires_at, ...row }: TryAddressRow): TryAddress {
  return {
    ...row,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
  };
}
