import { createHash } from "node:crypto";

/** The product's tokens, for a page that loads nothing. Dark first, as everywhere. */
export const sandboxStyle = `
:root { color-scheme: dark light; --bg: #0a0c0f; --panel: #101419; --raised: #151a21; --line: #212932;
  --text: #e8edf2; --dim: #9aa6b2; --accent: #7aa2ff; --ink: #071226; --amber: #f2a93b; --green: #3ecf8e; }
@media (prefers-color-scheme: light) { :root { --bg: #f6f7f9; --panel: #ffffff; --raised: #f1f3f6; --line: #dfe4ea;
  --text: #12181f; --dim: #4d5966; --accent: #2f5fe0; --ink: #ffffff; --amber: #8a5200; --green: #0b7147; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; place-items: center; padding: 28px 16px;
  background: var(--bg); color: var(--text);
  font: 14px/1.5 "Inter Variable", Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { width: 100%; max-width: 420px; background: var(--panel); border: 1px solid var(--line); border-radius: 10px;
  overflow: hidden; }
header { display: flex; align-items: center; gap: 10px; padding: 16px 20px; border-bottom: 1px solid var(--line);
  font-weight: 600; }
header svg { width: 20px; height: 20px; color: var(--accent); flex: none; }
.badge { margin-left: auto; padding: 2px 8px; border: 1px solid var(--amber); border-radius: 7px; color: var(--amber);
  font-size: 12.5px; }
.notice { margin: 0; padding: 12px 20px; background: var(--raised); border-bottom: 1px solid var(--line);
  color: var(--dim); font-size: 13px; }
.notice::before { content: ""; display: inline-block; width: 8px; height: 8px; margin-right: 8px; border-radius: 50%;
  background: var(--amber); }
section { padding: 20px; }
h1 { margin: 0; font-size: 22px; font-weight: 640; line-height: 1.3; }
.amount { margin: 4px 0 16px; font-size: 34px; font-weight: 640; line-height: 1.2; font-variant-numeric: tabular-nums; }
dl { margin: 0 0 20px; }
dl div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 4px 16px; padding: 8px 0;
  border-top: 1px solid var(--line); }
dt { color: var(--dim); font-size: 13px; }
dd { margin: 0; }
form { display: grid; gap: 8px; }
button, .button { display: block; width: 100%; min-height: 40px; padding: 9px 16px; border: 1px solid var(--line);
  border-radius: 8px; background: transparent; color: var(--text); font: inherit; font-weight: 600; text-align: center;
  text-decoration: none; cursor: pointer; }
button:hover, .button:hover { background: var(--raised); }
.primary { border-color: var(--accent); background: var(--accent); color: var(--ink); }
.primary:hover { background: color-mix(in srgb, var(--accent) 88%, var(--text)); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.outcome { margin: 8px 0 20px; color: var(--dim); }
.paid { color: var(--green); }
`;

/** Lets exactly this sheet through our content policy. */
export const sandboxPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(sandboxStyle).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");
