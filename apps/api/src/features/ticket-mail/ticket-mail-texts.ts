import type { Locale } from "@palisade/contract/texts/render";

/** `{number}` is the ticket's, `{subject}` what the customer called it. */
export const ticketMailTexts = {
  en: {
    thread: "Re: {subject} [#{number}]",
    by: "Palisade support",
    answered: {
      heading: "Our support has answered you",
      lead: "There is a new answer in your ticket “{subject}”.",
    },
    resolved: {
      heading: "We think your request is solved",
      lead: "Our support has marked your ticket “{subject}” as resolved.",
      next: "If something is still open, simply answer: the ticket then goes on. If all is well, please close the ticket and tell us how our help was.",
      button: "Close the ticket and rate our help",
    },
    closed: {
      heading: "Your ticket is closed",
      lead: "Your ticket “{subject}” was closed.",
      next: "How was our help? You can rate it in the ticket. Until {until} you can also open the ticket again there.",
      nextWithoutDate: "How was our help? You can rate it in the ticket.",
      button: "Rate our help",
    },
    howToReply: "To answer, reply to this mail and write above the first line, or open the ticket.",
    howToReplyInConsole: "To answer, open the ticket.",
    button: "Open the ticket",
    number: "Ticket",
    files: "Files",
    reason: "You receive this mail because you wrote to the support of Palisade.",
    optOut: "Switch these mails off",
    refused: {
      reason: "You receive this mail because you sent a mail to a ticket at Palisade.",
      ticket_closed: {
        heading: "Your mail was not added",
        text: "Your ticket “{subject}” is closed, so we could not add your mail to it. You can open the ticket again for {days} days after it was closed; then send your mail once more. After that, please open a new ticket.",
      },
      empty: {
        heading: "Your mail was not added",
        text: "We found no text in your mail to the ticket “{subject}”. Please write your answer above the first line of our mail, or in the ticket.",
      },
      quota: {
        heading: "Your mail was not added",
        text: "The files of your tickets take up all the room that an account has, so we could not add your mail to the ticket “{subject}”. Please send it again without files.",
      },
      files: {
        heading: "Some files were not added",
        text: "We added your mail to the ticket “{subject}”, but not these files. A message takes up to {files} files of up to {megabytes} MB: PNG, JPEG, text, CSV and Excel.",
      },
      refusedFiles: "Not added",
    },
  },
  ru: {
    thread: "Re: {subject} [#{number}]",
    by: "Поддержка Palisade",
    answered: {
      heading: "Поддержка вам ответила",
      lead: "В обращении «{subject}» есть новый ответ.",
    },
    resolved: {
      heading: "Похоже, ваш вопрос решён",
      lead: "Поддержка отметила обращение «{subject}» как решённое.",
      next: "Если что-то осталось, просто ответьте: работа над обращением продолжится. Если всё в порядке, закройте обращение и оцените нашу помощь.",
      button: "Закрыть обращение и оценить помощь",
    },
    closed: {
      heading: "Обращение закрыто",
      lead: "Обращение «{subject}» закрыто.",
      next: "Как вам наша помощь? Её можно оценить в обращении. До {until} там же можно открыть обращение снова.",
      nextWithoutDate: "Как вам наша помощь? Её можно оценить в обращении.",
      button: "Оценить помощь",
    },
    howToReply:
      "Чтобы ответить, напишите ответ на это письмо над первой строкой или откройте обращение.",
    howToReplyInConsole: "Чтобы ответить, откройте обращение.",
    button: "Открыть обращение",
    number: "Обращение",
    files: "Файлы",
    reason: "Вы получили это письмо, потому что писали в поддержку Palisade.",
    optOut: "Отключить такие письма",
    refused: {
      reason: "Вы получили это письмо, потому что отправили письмо в обращение Palisade.",
      ticket_closed: {
        heading: "Письмо не добавлено",
        text: "Обращение «{subject}» закрыто, поэтому мы не смогли добавить ваше письмо. В течение {days} дней после закрытия обращение можно открыть снова; затем отправьте письмо ещё раз. Позже создайте новое обращение.",
      },
      empty: {
        heading: "Письмо не добавлено",
        text: "В вашем письме в обращение «{subject}» мы не нашли текста. Напишите ответ над первой строкой нашего письма или в самом обращении.",
      },
      quota: {
        heading: "Письмо не добавлено",
        text: "Файлы ваших обращений заняли всё место, отведённое аккаунту, поэтому мы не смогли добавить письмо в обращение «{subject}». Отправьте его ещё раз без файлов.",
      },
      files: {
        heading: "Некоторые файлы не добавлены",
        text: "Мы добавили ваше письмо в обращение «{subject}», но без этих файлов. К сообщению можно приложить до {files} файлов размером до {megabytes} МБ: PNG, JPEG, текст, CSV и Excel.",
      },
      refusedFiles: "Не добавлены",
    },
  },
} as const satisfies Record<Locale, unknown>;
