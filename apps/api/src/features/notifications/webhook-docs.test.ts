import { readFile } from "node:fs/promises";
import path from "node:path";
import {
  exampleEventData,
  notificationData,
  webhookEventTypes,
} from "@palisade/contract/http/notification-events";
import { webhookFormats } from "@palisade/contract/http/webhooks";
import { locales } from "@palisade/contract/texts/render";
import { describe, expect, test } from "vitest";
import { layoutMail } from "#src/platform/mail/layout.ts";
import { staffMails } from "./staff-mails.ts";
import { eventText } from "./event-texts.ts";
import { messageBody } from "./formats/message-formats.ts";
import { notificationMails } from "./notification-mails.ts";

test("the page about webhooks has every event, with the body that is sent", async () => {
  const file = path.resolve(import.meta.dirname, "../../../../../docs/webhooks.md");
  const page = await readFile(file, "utf8");
  const bodies = [...page.matchAll(/```json\n([^`]+)```/g)].map(
    ([, body = ""]) => JSON.parse(body) as unknown,
  );
  const timestamp = "2026-11-01T12:00:00.000Z";
  expect(bodies).toEqual(
    webhookEventTypes.map((type) => ({ type, timestamp, data: exampleEventData[type] })),
  );
  for (const type of webhookEventTypes) {
    expect(notificationData[type].parse(exampleEventData[type])).toEqual(exampleEventData[type]);
  }
});

describe.each(locales)("in %s", (locale) => {
  const reader = { locale, timeZone: "Europe/Berlin" };

  test.each(webhookEventTypes)("%s is told in words, without a placeholder", (kind) => {
    const { title, text, details } = eventText(kind, exampleEventData[kind], reader);
    const said = [title, text, ...details.flatMap(({ label, value }) => [label, value])].join(" ");
    expect(said).not.toMatch(/undefined|\{\w+\}|null|NaN/);
    expect(said).toContain("Skyline Survival");
    expect(/[а-яё]/i.test(text)).toBe(locale === "ru");
  });

  test.each(webhookFormats)("%s keeps markup of names and texts as text", (format) => {
    const data = {
      ...exampleEventData["attack.ended"],
      server_name: "<b>*x*</b> & @everyone",
      message: "<script>",
    };
    const body = messageBody(format, {
      kind: "attack.ended",
      at: new Date("2026-11-01T12:18:30Z"),
      data,
      reader,
      url: "https://palisade.example/dashboard",
      isSilent: true,
    });
    if (format === "slack" || format === "telegram") expect(body).not.toMatch(/<script|<b>\*/);
    if (format === "discord") {
      expect(body).toContain(String.raw`\\*x\\*`);
      expect(JSON.parse(body)).toMatchObject({ allowed_mentions: { parse: [] }, flags: 4_096 });
    }
    if (format === "telegram") expect(JSON.parse(body).disable_notification).toBe(true);
  });

  test.each(webhookFormats)("%s gets the owner's text with its values, cut to 4,000", (format) => {
    const body = (message: string, server_name = "Skyline") =>
      messageBody(format, {
        kind: "attack.started",
        at: new Date("2026-11-01T12:00:00Z"),
        data: { ...exampleEventData["attack.started"], server_name, message },
        reader,
        url: "https://palisade.example/dashboard",
        isSilent: false,
      });
    expect(body("{server}: {peak} a second, {unknown}")).toContain(
      "Skyline: 240 a second, {unknown}",
    );
    const long = body(`x${"{server}".repeat(60)}`, "😀".repeat(100));
    expect(long.match(/😀/g)?.length).toBeLessThan(2_600);
    // JSON writes half of a character as an escape.
    expect(long).not.toMatch(/\\ud[89ab]/i);
    // Telegram refuses more.
    if (format === "telegram") expect(JSON.parse(long).text.length).toBeLessThan(4_096);
  });

  test.each(Object.entries({ ...notificationMails, ...staffMails }))(
    "the mail %s",
    (_, template) => {
      const letterhead = {
        operator: { name: "Operator", address: "Street 1", email: "operator@example.com" },
        consoleOrigin: () => "https://palisade.example",
      };
      const content = template.render(locale, template.sample);
      const { subject, text } = layoutMail(locale, content, letterhead);
      expect(/[а-яё]/i.test(subject)).toBe(locale === "ru");
      expect(subject.length).toBeLessThan(80);
      expect(text).not.toMatch(/undefined|\{\w+\}/);
      for (const { value } of content.details) expect(text).toContain(value);
      // A job of another version may lack its values.
      expect(() => layoutMail(locale, template.render(locale, {}), letterhead)).not.toThrow();
    },
  );
});
