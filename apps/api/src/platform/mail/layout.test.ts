import { describe, expect, test } from "vitest";
import { layoutMail } from "./layout.ts";
import type { MailContent } from "./mail-content.ts";

const letterhead = {
  operator: { name: "Block & Sons", address: "Street 1\nTown", email: "help@example.com" },
  consoleOrigin: () => "https://console.example",
};

const content: MailContent = {
  subject: "Subject",
  heading: `<script>alert("1")</script>`,
  paragraphs: ["One & two", "it's"],
  details: [{ label: "Key", value: "<b>bold</b>" }],
  reason: "Reason",
};

describe("layoutMail", () => {
  test("escapes every value in HTML and leaves the text as it is", () => {
    const mail = layoutMail("en", { ...content, code: "ABC<D" }, letterhead);
    for (const raw of ["<script>", "<b>bold", "One & two", "ABC<D", "Block & Sons"]) {
      expect(mail.html).not.toContain(raw);
    }
    expect(mail.html).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;");
    for (const raw of ["it's", "Key: <b>bold</b>", "\n\nABC<D\n\n"]) {
      expect(mail.text).toContain(raw);
    }
  });

  test("a link is a button, and written out where there are none", () => {
    const url = "https://palisade.example/confirm#token=a&b";
    const { html, text } = layoutMail(
      "en",
      { ...content, action: { label: "Open <it>", to: url } },
      letterhead,
    );
    expect(html).toContain('href="https://palisade.example/confirm#token=a&amp;b"');
    expect(html).toContain("Open &lt;it&gt;</a>");
    expect(html).toContain(">https://palisade.example/confirm#token=a&amp;b</a>");
    expect(text).toContain(`\n${url}\n`);
  });

  test("paths lead to the console, support to the operator, whose name and address it bears", () => {
    const { html, text } = layoutMail(
      "en",
      {
        ...content,
        action: { label: "Log in", to: "/login" },
        caution: { text: "Careful.", action: { label: "Write", to: { operator: true } } },
      },
      letterhead,
    );
    for (const part of [html, text]) {
      expect(part).toContain("https://console.example/login");
      expect(part).toContain("mailto:help@example.com");
      expect(part).toContain("Street 1, Town");
    }
  });

  test("a mail that can be answered begins with its marker, and shows a person's text line by line", () => {
    const mail = layoutMail(
      "en",
      {
        ...content,
        quote: { by: "Support", text: "One <b>\n\nTwo" },
        reply: { address: "support+1@example.com", marker: "##- Above -##" },
      },
      letterhead,
    );
    expect(mail.replyTo).toBe("support+1@example.com");
    expect(mail.text.startsWith("##- Above -##\n\n")).toBe(true);
    expect(mail.text).toContain("Support:\n\nOne <b>\n\nTwo\n");
    expect(mail.html).toContain("One &lt;b&gt;<br>\n<br>\nTwo");
    expect(mail.html.indexOf("##- Above -##")).toBeLessThan(mail.html.indexOf("<h1"));
  });

  test("only mails that can be switched off say where", () => {
    expect(layoutMail("en", content, letterhead).optOutUrl).toBeUndefined();
    const optOut = { label: "Off", to: "/off" };
    const { html, text, optOutUrl } = layoutMail("en", { ...content, optOut }, letterhead);
    expect(optOutUrl).toBe("https://console.example/off");
    expect(html).toContain('href="https://console.example/off"');
    expect(text).toContain("Off:\nhttps://console.example/off");
  });
});
