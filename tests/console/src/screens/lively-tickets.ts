import { exampleIds } from "@palisade/contract/reference/example-story";
import type { TicketDetail } from "@palisade/contract/http/tickets";
import type { Locale } from "@palisade/contract/texts/locale";
import {
  createAttachment,
  createMessage,
  createTicket,
  image,
  numberedId,
} from "../stub-api/ticket-examples.ts";

const minuteMs = 60_000;
const ago = (minutes: number) => new Date(Date.now() - minutes * minuteMs).toISOString();

const words = {
  en: {
    subjects: [
      "Players from Kazakhstan time out at the login",
      "Two invoices for the same month",
      "Do you have a location in Poland?",
      "How do I move a domain to another shield?",
    ],
    question:
      "Since noon, players from Kazakhstan time out at the login. Others can join.\n\nThe log of the server is attached.",
    answer:
      "Thank you, we can see it. One of our edges in Almaty answered late.\nPlease try it once more: does it look like this picture?",
    reply: "It works again, thank you!",
  },
  ru: {
    subjects: [
      "У игроков из Казахстана таймаут при входе",
      "Два счёта за один и тот же месяц",
      "Есть ли у вас локация в Польше?",
      "Как перенести домен на другой щит?",
    ],
    question:
      "С полудня у игроков из Казахстана таймаут при входе. Остальные заходят.\n\nЖурнал сервера прикреплён.",
    answer:
      "Спасибо, мы это видим. Один из наших узлов в Алматы отвечал с задержкой.\nПопробуйте ещё раз: похоже на эту картинку?",
    reply: "Снова работает, спасибо!",
  },
} as const;

/** The tickets of an account in use, the first with a conversation. */
export function livelyTickets(locale: Locale): readonly TicketDetail[] {
  const { subjects, question, answer, reply } = words[locale];
  const first = createTicket({
    subject: subjects[0],
    created_at: ago(190),
    updated_at: ago(12),
    status: "in_progress",
    server: { id: exampleIds.shield, name: "Skyline" },
    has_snapshot: true,
    messages: [
      createMessage({ id: numberedId(3), message: reply, source: "mail", created_at: ago(12) }),
      createMessage({
        id: numberedId(2),
        is_admin: true,
        message: answer,
        attachments: [image],
        created_at: ago(80),
      }),
      createMessage({
        message: question,
        attachments: [createAttachment()],
        created_at: ago(190),
      }),
    ],
  });
  const others = [
    { category: "billing", severity: "medium", status: "waiting_customer" },
    { category: "sales", severity: "low", status: "resolved" },
    { category: "technical", severity: "critical", status: "closed" },
  ] as const;
  return [
    first,
    ...others.map((ticket, n) =>
      createTicket({
        ...ticket,
        id: numberedId(300 + n),
        ticket_number: 1038 - n,
        subject: subjects[n + 1] ?? subjects[0],
        created_at: ago(3_000 * (n + 1)),
        updated_at: ago(1_500 * (n + 1)),
      }),
    ),
  ];
}
