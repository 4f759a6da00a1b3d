import { expect, test } from "vitest";
import { isAutomatic } from "./automatic-mail.policy.ts";

test.each([
  ["an out-of-office note", "a@example.com", { "auto-submitted": ["auto-replied"] }],
  ["one of our own mails", "a@example.com", { "auto-submitted": ["auto-generated"] }],
  ["a bounce", "", {}],
  ["a bounce fetched by IMAP", null, { "return-path": ["<>"] }],
  ["a delivery report", "a@example.com", { "content-type": ["multipart/report; boundary=b"] }],
  ["a read receipt", "a@example.com", { "content-type": ["Multipart/Report; x=y"] }],
  ["a mailing list", "a@example.com", { "list-id": ["<list.example.com>"] }],
  ["bulk mail", "a@example.com", { precedence: ["Bulk"] }],
  ["an old responder", "a@example.com", { precedence: ["auto_reply"] }],
  ["a looping mail", "a@example.com", { "x-loop": ["support@example.com"] }],
  ["a mail server", "a@example.com", { from: ["Mail <MAILER-DAEMON@example.com>"] }],
  ["a responder", "a@example.com", { "x-autoreply": ["yes"] }],
])("%s is automatic", (_, sender, headers) => {
  expect(isAutomatic(sender, headers as never)).toBe(true);
});

test.each([
  [{}],
  [{ "auto-submitted": ["no"] }],
  [{ precedence: ["normal"] }],
  [{ "content-type": ["multipart/mixed; boundary=b"] }],
  [{ from: ["Daemon <daemon@example.com>"] }],
  [{ "return-path": ["<a@example.com>"] }],
])("what a person sends is not: %j", (headers) => {
  expect(isAutomatic("a@example.com", headers as never)).toBe(false);
});
