import { attackPath, shieldPath } from "@palisade/contract/console-paths";
import { editions, type Edition } from "@palisade/contract/edge/plain-values";
import type {
  NotificationData,
  WebhookEventType,
} from "@palisade/contract/http/notification-events";
import { words, type EventWords } from "./event-words.ts";
import { durationText, timeText, type Detail, type Reader } from "./event-values.ts";

/** A stored event with the name of its shield. */
export type EventData = { readonly server_id: string; readonly server_name: string } & Readonly<
  Record<string, unknown>
>;

/** The page of the console about the event. */
export function eventPath({ server_id: shieldId, attack_id: attackId }: EventData): string {
  return typeof attackId === "string" ? attackPath(shieldId, attackId) : shieldPath(shieldId);
}

/** An event in words, for chats and mails. Nothing in it is escaped. */
export interface EventText {
  readonly title: string;
  readonly text: string;
  readonly details: readonly Detail[];
  readonly tone: "attack" | "danger" | "good" | "neutral";
}

const tones: Readonly<Record<WebhookEventType, EventText["tone"]>> = {
  "attack.started": "attack",
  "attack.level_relaxed": "attack",
  "attack.ended": "good",
  "backend.down": "danger",
  "backend.up": "good",
  "domain.lost": "danger",
  "traffic.warning": "attack",
  "traffic.used_up": "danger",
  "plan.renewed": "good",
  "plan.renewal_failed": "danger",
  "plan.expired": "danger",
  "member.joined": "neutral",
  "webhook.test": "neutral",
};

export function eventText(kind: WebhookEventType, data: EventData, reader: Reader): EventText {
  const spoken = words[reader.locale];
  const values = valuesOf(data, reader);
  const said = spoken.events[kind];
  const own = ownMessage(data, values);
  const floods: Partial<Record<WebhookEventType, string>> = spoken.floods;
  const text = (isFloodAlone(data) ? floods[kind] : undefined) ?? said.text;
  return {
    title: fill(said.title, values),
    text: own === "" ? fill(text, values) : own,
    details: detailsOf(kind, isFloodAlone(data) ? { ...values, peak: "" } : values, spoken),
    tone: tones[kind],
  };
}

/** Chats refuse longer texts; the values of placeholders may be much longer than their names. */
const ownMessageMax = 4_000;

/** The owner's own text with its placeholders filled in. */
function ownMessage({ message }: EventData, values: Values): string {
  if (typeof message !== "string") return "";
  return cutText(fill(message, values), ownMessageMax);
}

/** At most so many units of the text, and no half of a character. */
export function cutText(text: string, max: number): string {
  return text.slice(0, max).replace(/[\uD800-\uDBFF]$/, "");
}

/** The data of an event as programs get them: without placeholders. */
export function readableData(data: EventData, reader: Reader): EventData {
  if (data["message"] === undefined) return data;
  return { ...data, message: ownMessage(data, valuesOf(data, reader)) };
}

type Values = Readonly<Record<string, string>>;

/** Unknown placeholders stay as they are. */
function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

const detailNames: Readonly<
  Partial<Record<WebhookEventType, readonly (keyof EventWords["details"])[]>>
> = {
  "attack.started": ["server", "started", "peak", "datagrams", "edition"],
  "attack.level_relaxed": ["server", "started", "level", "peak", "edition", "refused"],
  "attack.ended": [
    "server",
    "started",
    "duration",
    "peak",
    "datagrams",
    "edition",
    "sources",
    "refused",
  ],
  "backend.down": ["server", "group", "address", "edition", "since"],
  "backend.up": ["server", "group", "address", "edition", "since"],
  "domain.lost": ["server", "domain"],
  "plan.renewed": ["server", "endsAt"],
  "plan.renewal_failed": ["server", "endsAt"],
  "plan.expired": ["server", "endsAt"],
  "member.joined": ["server", "member", "role"],
};

function detailsOf(kind: WebhookEventType, values: Values, { details }: EventWords): Detail[] {
  const names = detailNames[kind] ?? (["server"] as const);
  return names.flatMap((name) => {
    const value = values[name];
    return value === undefined || value === "" ? [] : [{ label: details[name], value }];
  });
}

function valuesOf(data: EventData, reader: Reader): Values {
  const count = (value: unknown) =>
    typeof value === "number" ? new Intl.NumberFormat(reader.locale).format(value) : "";
  const time = (value: unknown) => (typeof value === "string" ? timeText(value, reader) : "");
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  const spoken = words[reader.locale];
  const { levels, roles } = spoken;
  const level = text(data["relaxed_to"]);
  const attack: Partial<NotificationData<"attack.ended">> = data;
  return {
    server: data.server_name,
    started: time(data["started_at"]),
    duration: durationText(attack.started_at, attack.ended_at, reader.locale),
    peak: count(data["peak_per_second"]),
    datagrams: hasFlood(data) ? count(data["datagrams_peak"]) : "",
    sources: count(data["sources"]),
    refused: count(data["refused_total"]),
    level: nameIn(levels, level),
    group: text(data["group"]),
    address: text(data["address"]),
    edition:
      attack.editions || hasFlood(data)
        ? editionsOf(attack.editions ?? null, hasFlood(data))
            .map((each) => nameIn(spoken.editions, each))
            .join(", ")
        : nameIn(spoken.editions, text(data["edition"])),
    since: time(data["since"]),
    domain: text(data["domain"]),
    endsAt: time(data["ends_at"]),
    member: text(data["member"]),
    role: nameIn(roles, text(data["role"])),
    percent: count(data["percent"]),
  };
}

function editionsOf(
  logins: Readonly<Record<Edition, number>> | null,
  hasFlood: boolean,
): Edition[] {
  return editions.filter(
    (edition) => (logins?.[edition] ?? 0) > 0 || (edition === "bedrock" && hasFlood),
  );
}

/** Datagrams of Bedrock are an attack. */
function hasFlood(data: EventData): boolean {
  return Number(data["datagrams_peak"] ?? 0) > 0;
}

function isFloodAlone(data: EventData): boolean {
  return hasFlood(data) && data["peak_per_second"] === 0;
}

function nameIn(names: Readonly<Record<string, string>>, value: string): string {
  return names[value] ?? value;
}
