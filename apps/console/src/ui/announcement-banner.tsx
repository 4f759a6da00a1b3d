import type { AnnouncementLevel } from "@palisade/contract/http/announcements";
import { IconAlertTriangle, IconSpeakerphone } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { announcementTones, useLevelLabels } from "./announcement-level.ts";
import { Banner } from "./banner.tsx";

interface AnnouncementBannerProps {
  readonly level: AnnouncementLevel;
  readonly text: string;
  readonly aside?: ReactNode;
}

/** An announcement as customers see it. */
export function AnnouncementBanner({ level, text, aside }: AnnouncementBannerProps) {
  const labels = useLevelLabels();
  const Icon = level === "info" ? IconSpeakerphone : IconAlertTriangle;
  return (
    <Banner
      tone={announcementTones[level]}
      icon={<Icon size={18} stroke={1.6} role="img" aria-label={labels[level]} />}
      aside={aside}
    >
      {text}
    </Banner>
  );
}
