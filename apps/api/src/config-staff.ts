import { hasFormOf } from "@palisade/contract/http/webhooks";
import type { SettingValues } from "@palisade/settings/settings";
import type { StaffWebhookConfig } from "#src/features/notifications/staff-webhook.service.ts";
import { isPublicHost } from "#src/platform/http/outbound.ts";

/** The settings of the operator's webhook. */
export const staffNames = [
  "PALISADE_STAFF_WEBHOOK_URL",
  "PALISADE_STAFF_WEBHOOK_FORMAT",
  "PALISADE_STAFF_WEBHOOK_SECRET",
] as const;

type StaffSettings = SettingValues<(typeof staffNames)[number] | "PALISADE_ENV">;

/** Adds what is wrong to the problems. */
export function readStaffWebhook(
  values: StaffSettings,
  problems: string[],
): StaffWebhookConfig | undefined {
  const { PALISADE_STAFF_WEBHOOK_URL: url, PALISADE_STAFF_WEBHOOK_SECRET: secret } = values;
  if (url === undefined) return undefined;
  const format = values.PALISADE_STAFF_WEBHOOK_FORMAT;
  if (!hasFormOf({ format, url })) {
    problems.push(
      format === "json"
        ? "PALISADE_STAFF_WEBHOOK_URL must be an https URL without user, password and fragment"
        : `PALISADE_STAFF_WEBHOOK_URL must have the form that ${format} gives, because PALISADE_STAFF_WEBHOOK_FORMAT is ${format}`,
    );
  } else if (!isPublicHost(new URL(url).hostname, values.PALISADE_ENV === "development")) {
    problems.push("PALISADE_STAFF_WEBHOOK_URL must have a public address: no other one is called");
  }
  if (format !== "json") return { url, format, secret: null };
  if (secret === undefined) {
    problems.push(
      "PALISADE_STAFF_WEBHOOK_SECRET must be set, because messages of the format json are signed",
    );
  }
  return { url, format, secret: secret ?? null };
}
