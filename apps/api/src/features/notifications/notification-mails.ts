import { shieldPath } from "@palisade/contract/console-paths";
import {
  exampleEventData,
  mailEvents,
  notificationEvents,
  type MailEvent,
} from "@palisade/contract/http/notification-events";
import type { Locale } from "@palisade/contract/texts/render";
import { z } from "zod";
import type { MailContent } from "#src/platform/mail/mail-content.ts";
import type { MailTemplate, MailValues } from "#src/platform/mail/mailer.ts";
import { eventPath, eventText } from "./event-texts.ts";
import { timeText } from "./event-values.ts";

const texts = {
  en: {
    reason: "You receive this mail because you are told of events of this Game Shield.",
    optOut: "Choose which events are mailed",
    open: "Open the Game Shield",
    digest: {
      subject: "{server}: {count} events",
      lead: "This is what has happened since the last mail.",
    },
    off: {
      subject: "A webhook of {server} was switched off",
      failing:
        "For three days its receiver has not taken a single message. We have switched the webhook off and send nothing more to it.",
      gone: "Its receiver answered that it is gone. We have switched the webhook off and send nothing more to it.",
      next: "Once the receiver works, switch the webhook on again. What happened in between can be sent again from the list of deliveries.",
      button: "Open the notifications",
      server: "Game Shield",
      receiver: "Receiver",
      reason:
        "You receive this mail because it concerns a webhook of your Game Shield at Palisade.",
    },
  },
  ru: {
    reason: "Вы получили это письмо, потому что вам сообщают о событиях этого щита.",
    optOut: "Выбрать, о каких событиях приходят письма",
    open: "Открыть щит",
    digest: {
      subject: "{server}: событий: {count}",
      lead: "Вот что произошло со времени последнего письма.",
    },
    off: {
      subject: "Вебхук щита {server} отключён",
      failing:
        "Три дня его получатель не принял ни одного сообщения. Мы отключили вебхук и больше ничего на него не отправляем.",
      gone: "Его получатель ответил, что его больше нет. Мы отключили вебхук и больше ничего на него не отправляем.",
      next: "Когда получатель заработает, включите вебхук снова. То, что произошло за это время, можно отправить ещё раз из списка доставок.",
      button: "Открыть уведомления",
      server: "Щит",
      receiver: "Получатель",
      reason: "Вы получили это письмо, потому что оно касается вебхука вашего щита Palisade.",
    },
  },
} as const satisfies Record<Locale, unknown>;

const event = z.object({
  kind: z.enum(notificationEvents),
  data: z.looseObject({ server_id: z.string(), server_name: z.string() }),
});

/** Jobs of another version may hold events that this one does not know. */
function readEvents(values: MailValues): z.infer<typeof event>[] {
  const parsed = z.array(z.unknown()).safeParse(parse(String(values["events"] ?? "[]")));
  return (parsed.data ?? []).flatMap((each) => event.safeParse(each).data ?? []);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return [];
  }
}

/** Long names would not fit a subject, and a mailbox cuts them anyway. */
const nameShownMax = 28;

function shorten(name: string): string {
  return name.length > nameShownMax ? `${name.slice(0, nameShownMax - 1)}…` : name;
}

function shared(
  locale: Locale,
  values: MailValues,
): Pick<MailContent, "reason" | "optOut" | "action"> {
  const { reason, optOut, open } = texts[locale];
  const shieldId = String(values["shieldId"] ?? "");
  return {
    reason,
    optOut: { label: optOut, to: shieldPath(shieldId, "notifications") },
    action: { label: open, to: shieldPath(shieldId) },
  };
}

function readerOf(locale: Locale, values: MailValues) {
  return { locale, timeZone: String(values["timeZone"] ?? "UTC") };
}

function eventMail(kind: MailEvent): MailTemplate {
  const data = exampleEventData[kind];
  return {
    sample: {
      shieldId: data.server_id,
      server: data.server_name,
      timeZone: "UTC",
      events: JSON.stringify([{ kind, data }]),
    },
    render(locale, values) {
      const [told] = readEvents(values);
      const named = told?.data ?? { server_id: "", server_name: "" };
      const reader = readerOf(locale, values);
      const { title, text, details } = eventText(kind, named, reader);
      const short = { ...named, server_name: shorten(named.server_name) };
      return {
        ...shared(locale, values),
        action: { label: texts[locale].open, to: eventPath(named) },
        subject: eventText(kind, short, reader).title,
        heading: title,
        paragraphs: [text],
        details,
      };
    },
  };
}

const digest: MailTemplate = {
  sample: {
    shieldId: exampleEventData["attack.ended"].server_id,
    server: exampleEventData["attack.ended"].server_name,
    timeZone: "UTC",
    events: JSON.stringify(mailEvents.map((kind) => ({ kind, data: exampleEventData[kind] }))),
  },
  render(locale, values) {
    const told = readEvents(values);
    const { subject, lead } = texts[locale].digest;
    const server = shorten(String(values["server"] ?? ""));
    const reader = readerOf(locale, values);
    const title = subject.replace("{server}", server).replace("{count}", String(told.length));
    return {
      ...shared(locale, values),
      subject: title,
      heading: title,
      paragraphs: [lead],
      details: told.map(({ kind, data }) => {
        const at = data["ended_at"] ?? data["since"] ?? data["started_at"];
        return {
          label: typeof at === "string" ? timeText(at, reader) : data.server_name,
          value: eventText(kind, data, reader).title,
        };
      }),
    };
  },
};

function offMail(why: "failing" | "gone"): MailTemplate {
  return {
    sample: {
      shieldId: exampleEventData["webhook.test"].server_id,
      server: exampleEventData["webhook.test"].server_name,
      receiver: "hooks.example.com",
    },
    render(locale, values) {
      const { off } = texts[locale];
      const server = String(values["server"] ?? "");
      return {
        subject: off.subject.replace("{server}", shorten(server)),
        heading: off.subject.replace("{server}", server),
        paragraphs: [off[why], off.next],
        action: {
          label: off.button,
          to: shieldPath(String(values["shieldId"] ?? ""), "notifications"),
        },
        details: [
          { label: off.server, value: server },
          { label: off.receiver, value: String(values["receiver"] ?? "") },
        ],
        reason: off.reason,
      };
    },
  };
}

export const notificationMails: Readonly<Record<string, MailTemplate>> = {
  ...Object.fromEntries(mailEvents.map((kind) => [`notifications.${kind}`, eventMail(kind)])),
  "notifications.digest": digest,
  "notifications.webhook-failing": offMail("failing"),
  "notifications.webhook-gone": offMail("gone"),
};
