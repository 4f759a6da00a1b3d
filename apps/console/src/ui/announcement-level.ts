import { useLingui } from "@lingui/react/macro";
import type { AnnouncementLevel } from "@palisade/contract/http/announcements";

export const announcementTones = {
  info: "neutral",
  warning: "attack",
  critical: "danger",
} as const satisfies Record<AnnouncementLevel, string>;

export function useLevelLabels(): Readonly<Record<AnnouncementLevel, string>> {
  const { t } = useLingui();
  return { info: t`Info`, warning: t`Warning`, critical: t`Critical` };
}
