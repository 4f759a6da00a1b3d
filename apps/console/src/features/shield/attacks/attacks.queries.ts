import { attackRoutes, type attackShareDays } from "@palisade/contract/http/attacks";
import type { Locale } from "@palisade/contract/texts/locale";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { saveFile } from "#src/lib/save-file.ts";

const runningMs = 5_000;

export interface AttackOf {
  readonly shieldId: string;
  readonly attackId: string;
}

const paramsOf = ({ shieldId: id, attackId }: AttackOf) => ({ id, attackId });

/** One attack; it is read again every few seconds while it lasts. */
export function attackQuery(of: AttackOf) {
  return queryOptions({
    queryKey: ["servers", of.shieldId, "attack", of.attackId],
    queryFn: async ({ signal }) =>
      (await call(attackRoutes.getAttack, { params: paramsOf(of), signal })).data.attack,
    refetchInterval: ({ state }) => (state.data?.ended_at === null ? runningMs : false),
  });
}

export function attackSharesQuery(of: AttackOf) {
  return queryOptions({
    queryKey: ["servers", of.shieldId, "attack", of.attackId, "shares"],
    queryFn: async ({ signal }) =>
      (await call(attackRoutes.listAttackShares, { params: paramsOf(of), signal })).data.shares,
  });
}

export function sharedAttackQuery(token: string) {
  return queryOptions({
    queryKey: ["shared-attack", token],
    queryFn: async ({ signal }) =>
      (await call(attackRoutes.readSharedAttack, { body: { token }, signal })).data,
  });
}

export async function saveAttackPdf(
  of: AttackOf & { readonly startedAt: string },
  language: Locale,
): Promise<void> {
  const { data } = await call(attackRoutes.getAttackPdf, {
    params: paramsOf(of),
    query: { language },
  });
  saveFile(`attack-${of.startedAt.slice(0, 16).replaceAll(/[:T]/g, "-")}.pdf`, data);
}

export async function createShare(of: AttackOf, days: (typeof attackShareDays)[number]) {
  return (await call(attackRoutes.shareAttack, { params: paramsOf(of), body: { days } })).data;
}

export async function revokeShare(of: AttackOf, shareId: string) {
  const params = { ...paramsOf(of), shareId };
  return (await call(attackRoutes.revokeAttackShare, { params })).data;
}
