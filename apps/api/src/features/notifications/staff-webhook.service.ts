import { formerSecretHours, type WebhookFormat } from "@palisade/contract/http/webhooks";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { Sealer } from "#src/platform/security/sealing.ts";
import { queueForStaff } from "./staff-events.service.ts";
import {
  changeStaffWebhook,
  deleteStaffWebhook,
  insertStaffWebhook,
  lockStaffWebhook,
  selectStaffWebhook,
} from "./staff-webhook.repository.ts";
import { maskUrl } from "./webhooks.presenter.ts";
import type { WebhookRow } from "./webhooks.repository.ts";

/** The operator's settings. */
export interface StaffWebhookConfig {
  readonly url: string;
  readonly format: WebhookFormat;
  /** `whsec_…`; null for chats, which check no signature. */
  readonly secret: string | null;
}

export interface StaffWebhookDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly consoleOrigin: () => string;
}

/**
 * Makes the operator's webhook what the settings say; without settings there is none. Another receiver or
 * format is another webhook: messages that wait for the one before are dropped, and its late answers change
 * nothing. With another secret it stays, and the secret before signs too for a day. Each change sends a test
 * message. A webhook that was switched off because its receiver failed is on again: the api has just been
 * started.
 */
export async function applyStaffWebhook(
  deps: StaffWebhookDeps,
  config: StaffWebhookConfig | undefined,
): Promise<void> {
  const { db, clock, sealer } = deps;
  await db.transaction().execute(async (trx) => {
    await lockStaffWebhook(trx);
    if (config === undefined) return deleteStaffWebhook(trx);
    const before = await selectStaffWebhook(trx);
    const known = before && openWebhook(sealer, before);
    const on = { enabled: true, disabled_reason: null, failing_since: null };
    if (isSame(known, config)) {
      if (before?.enabled === false) await changeStaffWebhook(trx, on);
      return;
    }
    const now = clock.now();
    const { url, format, secret } = config;
    const kept = known?.url === url && known.format === format ? before : undefined;
    const id = kept?.id ?? newId();
    const webhook = {
      format,
      sealed_url: sealer.seal(url, id),
      host: new URL(url).host,
      hint: maskUrl(url),
      sealed_secret: secret === null ? null : sealer.seal(secret, id),
    };
    if (kept === undefined) {
      await deleteStaffWebhook(trx);
      await insertStaffWebhook(trx, { ...webhook, id, created_at: now });
    } else await changeStaffWebhook(trx, { ...webhook, ...on, ...formerOf(kept, now) });
    await queueForStaff(deps, trx, { kind: "webhook.test", data: {} });
  });
}

/** Undefined where it was sealed under a secret that is no longer known. */
function openWebhook(sealer: Sealer, row: WebhookRow): StaffWebhookConfig | undefined {
  const { id, format, sealed_url, sealed_secret } = row;
  try {
    const secret = sealed_secret === null ? null : sealer.open(sealed_secret, id);
    return { url: sealer.open(sealed_url, id), format, secret };
  } catch {
    return undefined;
  }
}

function isSame(known: StaffWebhookConfig | undefined, config: StaffWebhookConfig): boolean {
  return (
    known?.url === config.url && known.format === config.format && known.secret === config.secret
  );
}

/** For the former secret, which signs too for a while. */
function formerOf(
  { sealed_secret }: WebhookRow,
  now: Date,
): Pick<WebhookRow, "sealed_former_secret" | "former_secret_until"> {
  const until = new Date(now.getTime() + formerSecretHours * 3_600_000);
  return { sealed_former_secret: sealed_secret, former_secret_until: until };
}
