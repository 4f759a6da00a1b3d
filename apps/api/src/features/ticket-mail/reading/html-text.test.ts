import { expect, test } from "vitest";
import { textOfHtml } from "./html-text.ts";
import { cutReply } from "./reply-text.ts";

test("scripts, styles and pictures are no text, and nothing of a tag is left", () => {
  const text = textOfHtml(`<html><head><title>T</title><style>p{color:red}</style></head><body>
    <script>alert(1)</script><p onclick="alert(2)">Hello<img src="https://track.example/1.gif" alt="x">
    <a href="javascript:alert(3)">you</a></p><svg><script>alert(4)</script></svg>
    <noscript>none</noscript><template><p>hidden</p></template></body></html>`);
  expect(text).toContain("Hello");
  for (const part of ["alert(1)", "alert(2)", "alert(4)", "color:red", "track.example", "<"]) {
    expect(text).not.toContain(part);
  }
});

test("an answer in HTML alone is cut like any other", () => {
  const html = `<div dir="ltr">It works now.<br>Thank you!</div><br><div class="gmail_quote"><div>On Thu, Nov 26, 2026 at 8:15 PM Palisade &lt;<a href="mailto:support@example.com">support@example.com</a>&gt; wrote:<br></div><blockquote><div>##- Reply above this line -##</div><h1>Our support has answered you</h1></blockquote></div>`;
  expect(cutReply(textOfHtml(html))).toBe("It works now.\nThank you!");
});

test("Outlook's HTML is cut at the headers of the quoted mail", () => {
  const html = `<body><div class="WordSection1"><p class="MsoNormal">It works now.<o:p></o:p></p><p class="MsoNormal">Thank you!</p><div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal"><b>From:</b> Palisade &lt;support@example.com&gt;<br><b>Sent:</b> Thursday, November 26, 2026 8:15 PM<br><b>To:</b> alex@example.com<br><b>Subject:</b> Re: x</p></div><div>##- Reply above this line -##</div><p>Our support</p></div></body>`;
  expect(cutReply(textOfHtml(html))).toBe("It works now.\n\nThank you!");
});
