import { consolePaths } from "@palisade/contract/console-paths";
import type { Locale } from "@palisade/contract/texts/render";
import type { MailTemplate } from "#src/platform/mail/mailer.ts";
import { timeText } from "./event-values.ts";

const texts = {
  en: {
    edge: "Edge",
    location: "Location",
    heard: "Last heard",
    button: "Open the console",
    reason: "You receive this mail because you are on the staff of this Palisade installation.",
    lost: {
      subject: "Edge {edge} is lost",
      heading: "An edge is no longer heard",
      lead: "For over a minute the edge has reported nothing. It may still serve players with its last configuration; new settings do not reach it.",
    },
    back: {
      subject: "Edge {edge} is back",
      heading: "An edge is heard again",
      lead: "The edge reports again and has the current configuration, or will have it in a moment.",
    },
  },
  ru: {
    edge: "Узел",
    location: "Локация",
    heard: "Последний отчёт",
    button: "Открыть консоль",
    reason: "Вы получили это письмо, потому что вы сотрудник этой установки Palisade.",
    lost: {
      subject: "Узел {edge} потерян",
      heading: "Узел больше не отвечает",
      lead: "Больше минуты узел ничего не сообщает. Возможно, он ещё обслуживает игроков с последней конфигурацией; новые настройки до него не доходят.",
    },
    back: {
      subject: "Узел {edge} снова на связи",
      heading: "Узел снова отвечает",
      lead: "Узел снова отчитывается и получил текущую конфигурацию или получит её через мгновение.",
    },
  },
} as const satisfies Record<Locale, unknown>;

function edgeMail(kind: "lost" | "back"): MailTemplate {
  return {
    sample: { edge: "fra-1", location: "frankfurt", at: "2026-11-01T12:00:00.000Z" },
    render(locale, values) {
      const { edge, location, heard, button, reason, [kind]: said } = texts[locale];
      const name = String(values["edge"] ?? "");
      const at = String(values["at"] ?? "");
      return {
        subject: said.subject.replace("{edge}", name.slice(0, 40)),
        heading: said.heading,
        paragraphs: [said.lead],
        action: { label: button, to: consolePaths.dashboard },
        details: [
          { label: edge, value: name },
          { label: location, value: String(values["location"] ?? "") },
          ...(at === ""
            ? []
            : [{ label: heard, value: timeText(at, { locale, timeZone: "UTC" }) }]),
        ],
        reason,
      };
    },
  };
}

/** Mails to staff. */
export const edgeMails: Readonly<Record<string, MailTemplate>> = {
  "edges.lost": edgeMail("lost"),
  "edges.back": edgeMail("back"),
};
