import { describe, expect, test } from "vitest";
import { cutReply } from "./reply-text.ts";

const ours = [
  "##- Reply above this line -##",
  "",
  "Our support has answered you",
  "",
  "Palisade support:",
  "",
  "Please change the port.",
];
const oursRu = [
  "##- Напишите ответ над этой строкой -##",
  "",
  "Поддержка вам ответила",
  "",
  "Смените порт.",
];
const quoted = (lines: readonly string[]) => lines.map((line) => `> ${line}`.trimEnd());
const address = "support+1001.abcdefghijklmnop@example.com";

/** The answer and the answered mail, as each program writes them. */
const replies: readonly (readonly [string, readonly string[]])[] = [
  [
    "Gmail",
    [
      "It works now.",
      "Thank you!",
      "",
      `On Thu, Nov 26, 2026 at 8:15 PM Palisade <${address}>`,
      "wrote:",
      "",
      ...quoted(ours),
    ],
  ],
  [
    "Gmail in Russian",
    [
      "It works now.",
      "Thank you!",
      "",
      `чт, 26 нояб. 2026 г. в 20:15, Palisade <${address}>:`,
      "",
      ...quoted(oursRu),
    ],
  ],
  [
    "Outlook",
    [
      "It works now.",
      "Thank you!",
      "",
      "________________________________",
      `From: Palisade <${address}>`,
      "Sent: Thursday, November 26, 2026 8:15 PM",
      "To: alex@example.com <alex@example.com>",
      "Subject: Re: Players cannot join [#1001]",
      "",
      ...ours,
    ],
  ],
  [
    "Outlook in Russian",
    [
      "It works now.",
      "Thank you!",
      "",
      "________________________________",
      `От: Palisade <${address}>`,
      "Отправлено: 26 ноября 2026 г. 20:15",
      "Кому: alex@example.com <alex@example.com>",
      "Тема: Re: Players cannot join [#1001]",
      "",
      ...oursRu,
    ],
  ],
  [
    "Outlook of old",
    [
      "It works now.",
      "Thank you!",
      "",
      "-----Original Message-----",
      "From: Palisade",
      "Sent: Thursday, November 26, 2026 8:15 PM",
      "",
      ...ours,
    ],
  ],
  [
    "Apple Mail",
    [
      "It works now.",
      "Thank you!",
      "",
      `> On 26 Nov 2026, at 20:15, Palisade <${address}> wrote:`,
      ">",
      ...quoted(ours),
    ],
  ],
  [
    "Apple Mail in Russian",
    [
      "It works now.",
      "Thank you!",
      "",
      `26 нояб. 2026 г., в 20:15, Palisade <${address}> написал(а):`,
      "",
      ...quoted(oursRu),
    ],
  ],
  [
    "an iPhone",
    [
      "It works now.",
      "Thank you!",
      "",
      "Sent from my iPhone",
      "",
      `> On 26 Nov 2026, at 20:15, Palisade <${address}> wrote:`,
      "> ",
      ...quoted(ours),
    ],
  ],
  [
    "an iPhone in Russian",
    [
      "It works now.",
      "Thank you!",
      "",
      "Отправлено с iPhone",
      "",
      `> 26 нояб. 2026 г., в 20:15, Palisade <${address}> написал(а):`,
      "> ",
      ...quoted(oursRu),
    ],
  ],
  [
    "Thunderbird",
    ["It works now.", "Thank you!", "", "On 26/11/2026 20:15, Palisade wrote:", ...quoted(ours)],
  ],
  [
    "Thunderbird in Russian",
    ["It works now.", "Thank you!", "", "26.11.2026 20:15, Palisade пишет:", ...quoted(oursRu)],
  ],
  [
    "Thunderbird, below the quoted mail",
    [
      "On 26/11/2026 20:15, Palisade wrote:",
      ...quoted(ours),
      "",
      "It works now.",
      "Thank you!",
      "",
      "-- ",
      "Alex",
    ],
  ],
  [
    "Mail.ru",
    [
      "It works now.",
      "Thank you!",
      "",
      "--",
      "Alex",
      `Четверг, 26 ноября 2026, 20:15 +03:00 от Palisade <${address}>:`,
      "",
      ...quoted(oursRu),
    ],
  ],
  [
    "Yandex",
    [
      "It works now.",
      "Thank you!",
      "",
      `26.11.2026, 20:15, "Palisade" <${address}>:`,
      ...quoted(oursRu),
    ],
  ],
  ["a program that quotes nothing", ["It works now.", "Thank you!"]],
  [
    "a reader who removed the first line",
    [
      "It works now.",
      "Thank you!",
      "",
      "On Thu, Nov 26, 2026 at 8:15 PM Palisade <a@example.com> wrote:",
      ...quoted(ours.slice(2)),
    ],
  ],
  [
    "a signature",
    [
      "It works now.",
      "Thank you!",
      "",
      "С уважением,",
      "Алексей",
      "",
      "On 26/11/2026 20:15, Palisade wrote:",
      ...quoted(ours),
    ],
  ],
];

describe("the customer's own words are left of a mail", () => {
  test.each(replies)("by %s", (_, lines) => {
    expect(cutReply(lines.join("\r\n"))).toBe("It works now.\nThank you!");
  });
});

describe("words do not get lost", () => {
  test("between the lines of the quoted mail", () => {
    const reply = cutReply(
      [
        "On 26/11/2026 20:15, Palisade wrote:",
        ...quoted(ours),
        "Done, see below.",
        "> Anything else?",
        "No.",
      ].join("\n"),
    );
    expect(reply).toContain("Done, see below.");
    expect(reply).toContain("No.");
    expect(reply).not.toContain("change the port");
  });

  test.each([
    ["below a line of dashes", `The log:\n---\n${"[12:00:01] INFO: Done\n".repeat(30)}`],
    ["in a list", "- one\n- two\n\n- three"],
    ["in a sentence like a header", "On Monday Alex wrote: it works.\nBut today it does not."],
    ["in a sentence that ends like a header", "Он написал:\nНичего не работает"],
    ["of a single word", "Да"],
  ])("%s", (_, text) => {
    expect(cutReply(text)).toBe(text.trim());
  });

  test("when all of it looks like a signature", () => {
    expect(cutReply("Best regards")).toBe("Best regards");
  });
});

test("signs that cannot be seen, or that no database takes, are gone", () => {
  expect(cutReply("a\u0000b\u202Ec\u200B\uD800\u00A0d\t \r\n\n\n\ne")).toBe("abc\uFFFD d\n\ne");
});
