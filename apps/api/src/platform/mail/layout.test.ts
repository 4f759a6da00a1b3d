import { describe, expect, test } from "vitest";
import { layoutMail } from "./layout.ts";

describe("layoutMail", () => {
  const mail = layoutMail("en", {
    subject: "Subject",
    heading: `<script>alert("1")</script>`,
    paragraphs: ["One & two", "it's"],
    code: "ABC<D",
    footer: "Footer",
  });

  test("escapes every value in HTML and leaves the text as it is", () => {
    expect(mail.html).not.toContain("<script>");
    expect(mail.html).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;");
    expect(mail.html).toContain("One &amp; two");
    expect(mail.html).toContain("ABC&lt;D");
    expect(mail.text).toContain("it's");
  });

  test("loads nothing from anywhere", () => {
    expect(mail.html).not.toMatch(/(src|href)=|url\(/);
  });

  test("a link is a button, and written out where there are none", () => {
    const url = "https://palisade.example/confirm#token=a&b";
    const { html, text } = layoutMail("en", {
      subject: "Subject",
      heading: "Heading",
      paragraphs: [],
      link: { label: "Open <it>", url },
      footer: "Footer",
    });
    expect(html).toContain('href="https://palisade.example/confirm#token=a&amp;b"');
    expect(html).toContain("Open &lt;it&gt;</a>");
    expect(text).toContain(`\n${url}\n`);
  });
});
