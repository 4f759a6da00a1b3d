import { useLingui } from "@lingui/react/macro";
import type { NotificationSettings } from "@palisade/contract/http/notifications";
import { eventLabels } from "./event-labels.ts";

/** The other user's settings, with the labels of the page. */
export function ConflictingNotifications({ theirs }: { theirs: Partial<NotificationSettings> }) {
  const { t, i18n } = useLingui();
  const labels: Record<keyof NotificationSettings, string> = {
    email_notifications: t`Email notifications`,
    webhook_notifications: t`Webhook notifications`,
    attack_started_msg: t`Attack started message`,
    attack_stopped_msg: t`Attack stopped message`,
    mail_events: t`Mail me about`,
    digest: t`When mails are sent`,
    quiet_hours: t`Quiet hours`,
    time_zone: t`Time zone`,
  };
  const digests = { off: t`At once`, hourly: t`Every hour`, daily: t`Every day` };

  function textOf(name: keyof NotificationSettings): string {
    const value = theirs[name];
    if (typeof value === "boolean") return value ? t`on` : t`off`;
    if (name === "digest") return digests[theirs.digest ?? "off"];
    if (Array.isArray(value))
      return value.map((event) => i18n._(eventLabels[event])).join(", ") || "–";
    if (typeof value === "object" && value !== null) return `${value.from} – ${value.until}`;
    return value === null || value === "" || value === undefined ? "–" : value;
  }
  // The keys of the record are its names.
  const names = Object.keys(labels) as (keyof NotificationSettings)[];
  return (
    <ul>
      {names
        .filter((name) => theirs[name] !== undefined)
        .map((name) => (
          <li key={name}>
            {labels[name]}: <strong>{textOf(name)}</strong>
          </li>
        ))}
    </ul>
  );
}
