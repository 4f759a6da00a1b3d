import type {
  IncidentImpact,
  IncidentKind,
  IncidentState,
} from "@palisade/contract/http/status-page";
import type { Locale } from "@palisade/contract/texts/locale";
import type { Generated } from "./columns.ts";

interface UptimeClockTable {
  id: Generated<boolean>;
  counted_minute: Date | null;
}

interface UptimeDaysTable {
  component: string;
  day: string;
  up_minutes: number;
  partial_minutes: number;
  down_minutes: number;
}

interface StatusIncidentsTable {
  id: string;
  kind: IncidentKind;
  impact: IncidentImpact;
  state: IncidentState;
  title_en: string;
  title_ru: string;
  locations: string[];
  affects_console: boolean;
  starts_at: Date;
  ends_at: Date | null;
  ended_at: Date | null;
  reminded_at: Generated<Date | null>;
  created_at: Date;
}

interface StatusUpdatesTable {
  id: string;
  incident_id: string;
  /** Counts up within the incident. */
  position: number;
  state: IncidentState;
  text_en: string;
  text_ru: string;
  created_at: Date;
  announced_at: Generated<Date | null>;
}

interface StatusSubscribersTable {
  id: string;
  kind: "mail" | "webhook";
  address_key: string;
  sealed_address: string;
  sealed_secret: string | null;
  host: string | null;
  locale: Locale;
  confirmed_at: Generated<Date | null>;
  failing_since: Generated<Date | null>;
  created_at: Date;
}

export interface StatusTables {
  uptime_clock: UptimeClockTable;
  uptime_days: UptimeDaysTable;
  status_incidents: StatusIncidentsTable;
  status_updates: StatusUpdatesTable;
  status_subscribers: StatusSubscribersTable;
}
