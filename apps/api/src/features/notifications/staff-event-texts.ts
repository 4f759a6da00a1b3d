import type { TicketCategory, TicketSeverity } from "@palisade/contract/http/tickets";
import type { Locale } from "@palisade/contract/texts/render";
import type { EventText } from "./event-texts.ts";
import { timeText } from "./event-values.ts";

/** An event of the installation, which staff are told about. */
export type StaffEvent =
  | {
      readonly kind: "edge.lost" | "edge.back";
      readonly data: {
        readonly edge: string;
        readonly location: string;
        readonly last_seen_at: string | null;
      };
    }
  | {
      readonly kind: "certificate.renewal_failed" | "certificate.expiring" | "certificate.renewed";
      readonly data: {
        readonly domain: string;
        /** Null while the CA has issued none. */
        readonly expires_at: string | null;
      };
    }
  | {
      readonly kind: "ticket.critical" | "ticket.overdue";
      readonly ticketId: string;
      readonly data: {
        /** As #1001. */
        readonly ticket: string;
        readonly category: TicketCategory;
        readonly severity: TicketSeverity;
        readonly support_plan: string;
        readonly due_at: string | null;
      };
    }
  | { readonly kind: "webhook.test"; readonly data: Readonly<Record<string, never>> };

export type StaffEventKind = StaffEvent["kind"];

/** A kind, or what it means in a certain case. */
type Said = StaffEventKind | "certificate.none" | "certificate.expired";

interface Words {
  readonly details: Readonly<Record<string, string>>;
  readonly events: Readonly<Record<Said, { readonly title: string; readonly text: string }>>;
}

const en: Words = {
  details: {
    edge: "Edge",
    location: "Location",
    last_seen_at: "Last heard",
    domain: "Domain",
    expires_at: "Expires",
    ticket: "Ticket",
    category: "Category",
    severity: "Severity",
    support_plan: "Support plan",
    due_at: "Answer due",
  },
  events: {
    "edge.lost": {
      title: "Edge {edge} is lost",
      text: "For over a minute the edge has reported nothing. It may still serve players with its last configuration; new settings do not reach it.",
    },
    "edge.back": {
      title: "Edge {edge} is back",
      text: "The edge reports again and has the current configuration, or will have it in a moment.",
    },
    "certificate.renewal_failed": {
      title: "The certificate of {domain} cannot be renewed",
      text: "For ten minutes every try has failed. The present certificate stays in use, and the api tries again by itself. Its log says why.",
    },
    "certificate.none": {
      title: "There is no usable new certificate for {domain}",
      text: "For ten minutes the CA has issued none, or the files could not be used. A process that already has a certificate keeps it. The api's log says why.",
    },
    "certificate.expiring": {
      title: "The certificate of {domain} expires soon",
      text: "Once it has expired, browsers warn about the console, and edges get no new settings. The api's log says why there is no new one; with files, install a new pair.",
    },
    "certificate.expired": {
      title: "The certificate of {domain} has expired",
      text: "Browsers warn about the console, and edges get no new settings. The api's log says why there is no new one; with files, install a new pair.",
    },
    "certificate.renewed": {
      title: "The certificate of {domain} is usable again",
      text: "It is valid, and no try fails any more. You need to do nothing.",
    },
    "ticket.critical": {
      title: "Ticket {ticket} is critical",
      text: "A customer has opened a critical ticket, and staff have not answered it yet.",
    },
    "ticket.overdue": {
      title: "Ticket {ticket} is overdue",
      text: "The customer waits for an answer longer than their support plan promises.",
    },
    "webhook.test": {
      title: "This webhook works",
      text: "Events of this Palisade installation come here: edges that are lost and come back, its certificate, and tickets that are critical or overdue.",
    },
  },
};

const ru: Words = {
  details: {
    edge: "Узел",
    location: "Локация",
    last_seen_at: "Последний отчёт",
    domain: "Домен",
    expires_at: "Действует до",
    ticket: "Обращение",
    category: "Категория",
    severity: "Важность",
    support_plan: "План поддержки",
    due_at: "Ответить до",
  },
  events: {
    "edge.lost": {
      title: "Узел {edge} потерян",
      text: "Больше минуты узел ничего не сообщает. Возможно, он ещё обслуживает игроков с последней конфигурацией; новые настройки до него не доходят.",
    },
    "edge.back": {
      title: "Узел {edge} снова на связи",
      text: "Узел снова отчитывается и получил текущую конфигурацию или получит её через мгновение.",
    },
    "certificate.renewal_failed": {
      title: "Сертификат {domain} не удаётся обновить",
      text: "Уже десять минут все попытки неудачны. Прежний сертификат остаётся в работе, API пробует снова сам. Причина есть в его журнале.",
    },
    "certificate.none": {
      title: "Для {domain} нет пригодного нового сертификата",
      text: "Уже десять минут центр сертификации его не выдаёт или файлы непригодны. Процесс, у которого сертификат есть, продолжает работать с ним. Причина есть в журнале API.",
    },
    "certificate.expiring": {
      title: "Сертификат {domain} скоро истечёт",
      text: "Когда он истечёт, браузеры будут предупреждать о консоли, а узлы не получат новых настроек. Почему нового нет, сказано в журнале API; если сертификат в файлах, установите новую пару.",
    },
    "certificate.expired": {
      title: "Сертификат {domain} истёк",
      text: "Браузеры предупреждают о консоли, а узлы не получают новых настроек. Почему нового нет, сказано в журнале API; если сертификат в файлах, установите новую пару.",
    },
    "certificate.renewed": {
      title: "Сертификат {domain} снова пригоден",
      text: "Он действует, и попытки больше не завершаются ошибкой. Делать ничего не нужно.",
    },
    "ticket.critical": {
      title: "Обращение {ticket} критическое",
      text: "Клиент создал критическое обращение, сотрудники ещё не ответили.",
    },
    "ticket.overdue": {
      title: "Ответ на обращение {ticket} просрочен",
      text: "Клиент ждёт ответа дольше, чем обещает его план поддержки.",
    },
    "webhook.test": {
      title: "Этот вебхук работает",
      text: "Сюда приходят события этой установки Palisade: узлы, которые пропали и вернулись, её сертификат, критические и просроченные обращения.",
    },
  },
};

const words: Readonly<Record<Locale, Words>> = { en, ru };

const tones: Readonly<Record<StaffEventKind, EventText["tone"]>> = {
  "edge.lost": "danger",
  "edge.back": "good",
  "certificate.renewal_failed": "attack",
  "certificate.expiring": "danger",
  "certificate.renewed": "good",
  "ticket.critical": "attack",
  "ticket.overdue": "danger",
  "webhook.test": "neutral",
};

/**
 * The event in words. Names of edges are cut where a subject has no room.
 *
 * @param at when it was told; null where an api of the version before has not kept it
 */
export function staffEventText(event: StaffEvent, at: Date | null, locale: Locale): EventText {
  const { kind, data } = event;
  const spoken = words[locale];
  const values = Object.entries(data).flatMap(([name, value]: [string, string | null]) =>
    value === null ? [] : [[name, value] as const],
  );
  const known = new Map(values);
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => (known.get(name) ?? "").slice(0, 80));
  const { title, text } = spoken.events[saidOf(event, at)];
  return {
    title: fill(title),
    text: fill(text),
    tone: tones[kind],
    details: values.map(([name, value]) => ({
      label: spoken.details[name] ?? name,
      value: name.endsWith("_at") ? timeText(value, { locale, timeZone: "UTC" }) : value,
    })),
  };
}

function saidOf({ kind, data }: StaffEvent, at: Date | null): Said {
  if (kind === "certificate.renewal_failed" && data.expires_at === null) return "certificate.none";
  if (kind !== "certificate.expiring" || data.expires_at === null || at === null) return kind;
  return Date.parse(data.expires_at) <= at.getTime() ? "certificate.expired" : kind;
}
