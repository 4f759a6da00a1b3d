import { allIncidentStates, type IncidentState } from "@palisade/contract/http/status-page";
import type { Locale } from "@palisade/contract/texts/locale";
import type { MailTemplate, MailValues } from "#src/platform/mail/mailer.ts";
import { statusPaths } from "./status-paths.ts";
import { stateWords, timeInUtc } from "./status-words.ts";

const texts = {
  en: {
    confirm: {
      subject: "Confirm your subscription to the status page",
      lead: "Mails about incidents and maintenances were asked for with this address. You get them once you confirm.",
      button: "Confirm the subscription",
      caution: "Ignore this mail if you did not ask for it: nothing is sent to you then.",
    },
    already: {
      subject: "You are subscribed to the status page already",
      lead: "Mails about incidents and maintenances were asked for with this address. It gets them already.",
      button: "Open the subscription",
    },
    page: "Open the status page",
    state: "State",
    begins: "Begins",
    ends: "Ends",
    stop: "Unsubscribe",
    asked: "You receive this mail because this address was entered on the status page.",
    subscribed: "You receive this mail because you subscribed to the status page.",
  },
  ru: {
    confirm: {
      subject: "Подтвердите подписку на страницу состояния",
      lead: "Для этого адреса попросили письма об инцидентах и обслуживании. Они начнут приходить после подтверждения.",
      button: "Подтвердить подписку",
      caution: "Если вы об этом не просили, просто удалите письмо: больше ничего не придёт.",
    },
    already: {
      subject: "Вы уже подписаны на страницу состояния",
      lead: "Для этого адреса попросили письма об инцидентах и обслуживании. На этот адрес они уже приходят.",
      button: "Открыть подписку",
    },
    page: "Открыть страницу состояния",
    state: "Состояние",
    begins: "Начало",
    ends: "Конец",
    stop: "Отписаться",
    asked: "Вы получили это письмо, потому что этот адрес указали на странице состояния.",
    subscribed: "Вы получили это письмо, потому что подписались на страницу состояния.",
  },
} as const satisfies Record<Locale, unknown>;

const text = (value: MailValues[string] | undefined): string => String(value ?? "");

function subscriptionMail(kind: "confirm" | "already"): MailTemplate {
  return {
    sample: { link: "https://palisade.example/status/subscription#token=sample" },
    render(locale, { link }) {
      const { subject, lead, button } = texts[locale][kind];
      return {
        subject,
        heading: subject,
        paragraphs: [lead],
        action: { label: button, to: text(link) },
        details: [],
        ...(kind === "confirm" && { caution: { text: texts[locale].confirm.caution } }),
        reason: texts[locale].asked,
      };
    },
  };
}

function stateOf(value: MailValues[string] | undefined): IncidentState {
  return allIncidentStates.find((state) => state === value) ?? "investigating";
}

const update: MailTemplate = {
  sample: {
    title: "Players cannot join through Frankfurt",
    text: "We see failing connections at one of our providers.\nA fix is on its way.",
    state: "identified",
    starts_at: "2026-11-01T12:00:00.000Z",
    ends_at: "",
    link: "https://palisade.example/status/subscription#token=sample",
  },
  render(locale, values) {
    const { page, state, begins, ends, stop, subscribed } = texts[locale];
    const word = stateWords[locale][stateOf(values["state"])];
    const endsAt = text(values["ends_at"]);
    const shownTime = (iso: string) => timeInUtc(iso, locale);
    return {
      subject: `${word}: ${text(values["title"])}`,
      heading: text(values["title"]),
      paragraphs: text(values["text"]).split(/\n+/),
      action: { label: page, to: statusPaths.page },
      details: [
        { label: state, value: word },
        { label: begins, value: shownTime(text(values["starts_at"])) },
        ...(endsAt === "" ? [] : [{ label: ends, value: shownTime(endsAt) }]),
      ],
      reason: subscribed,
      optOut: { label: stop, to: text(values["link"]) },
    };
  },
};

/** Mails to subscribers of the status page. */
export const statusMails: Readonly<Record<string, MailTemplate>> = {
  "status.confirm": subscriptionMail("confirm"),
  "status.already": subscriptionMail("already"),
  "status.update": update,
};
