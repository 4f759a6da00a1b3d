import { escapeHtml } from "#src/platform/mail/layout.ts";

export interface MailboxMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly created_at: string;
}

const style = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); }
body { margin: 0 auto; max-width: 760px; padding: 32px 16px; font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 22px; }
details { border: 1px solid var(--line); border-radius: 10px; margin: 12px 0; }
summary { cursor: pointer; padding: 12px 16px; display: flex; gap: 12px; flex-wrap: wrap; justify-content: space-between; }
summary strong { flex: 1 1 100%; }
iframe { border: 0; border-top: 1px solid var(--line); width: 100%; height: 480px; background: #fff; border-radius: 0 0 10px 10px; }
`;

/** The mails of the development mailbox; each in a frame that runs no script and has no origin. */
export function renderMailbox(mails: readonly MailboxMail[]): string {
  const items = mails.map(
    (mail, position) => `<details${position === 0 ? " open" : ""}>
<summary><strong>${escapeHtml(mail.subject)}</strong><span>${escapeHtml(mail.to)}</span><time>${escapeHtml(mail.created_at)}</time></summary>
<iframe sandbox title="${escapeHtml(mail.subject)}" srcdoc="${escapeHtml(mail.html)}"></iframe>
</details>`,
  );
  const list = items.length === 0 ? "<p>No mail yet.</p>" : items.join("\n");
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Mailbox · Palisade development</title><style>${style}</style></head>
<body><h1>Development mailbox</h1>
${list}
</body>
</html>
`;
}
