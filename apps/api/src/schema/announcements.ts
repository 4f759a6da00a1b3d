import type { AnnouncementLevel } from "@palisade/contract/http/announcements";
import type { Timestamp } from "./columns.ts";

interface AnnouncementsTable {
  id: string;
  level: AnnouncementLevel;
  text_en: string;
  text_ru: string;
  starts_at: Timestamp;
  ends_at: Date | null;
  created_at: Timestamp;
  changed_at: Timestamp;
}

export interface AnnouncementsTables {
  announcements: AnnouncementsTable;
}
