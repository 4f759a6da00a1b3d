import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

/** The product's tokens: the page is served without the console's files too. */
const dark = `color-scheme: dark; --bg: #0a0c0f; --panel: #101419; --raised: #151a21; --hover: #1a2028;
  --line: #212932; --line-control: #5b6774; --text: #e8edf2; --dim: #9aa6b2; --accent: #7aa2ff;
  --accent-hover: #93b3ff; --on-accent: #071226; --ok: #3ecf8e; --ok-soft: #0e1c18; --ok-line: #1c5641;
  --warn: #f2a93b; --warn-soft: #211911; --warn-line: #6b4c1f; --bad: #f0616d; --bad-soft: #231318;
  --bad-line: #6c2f37; --info-soft: #141d31; --info-line: #2c4377; --none: #2b343f;
  --bar-ok: #3ecf8e; --bar-warn: #f2a93b; --bar-bad: #f0616d;
  --ground: radial-gradient(60rem 36rem at 82% -8rem, rgb(46 68 122 / 0.42), transparent 70%);`;
const light = `color-scheme: light; --bg: #f6f7f9; --panel: #ffffff; --raised: #f1f3f6; --hover: #eaedf1;
  --line: #dfe4ea; --line-control: #858f9b; --text: #12181f; --dim: #4d5966; --accent: #2f5fe0;
  --accent-hover: #2450c6; --on-accent: #ffffff; --ok: #0f7a4e; --ok-soft: #e6f4ed; --ok-line: #a6d6c0;
  --warn: #955800; --warn-soft: #fbf1e0; --warn-line: #e3c084; --bad: #c42b3a; --bad-soft: #fcebec;
  --bad-line: #edb3b8; --info-soft: #e8eefd; --info-line: #b4c6f5; --none: #d5dbe2;
  --bar-ok: #1f9d66; --bar-warn: #d07c00; --bar-bad: #d93a48;
  --ground: radial-gradient(60rem 36rem at 82% -8rem, rgb(190 208 255 / 0.75), transparent 70%);`;

const rules = `
:root { ${dark} }
:root[data-theme="light"] { ${light} }
@media (prefers-color-scheme: light) { :root:not([data-theme]) { ${light} } }
*, *::before, *::after { box-sizing: border-box; }
html { background: var(--bg); }
body { margin: 0; min-height: 100vh; background: var(--ground) no-repeat; color: var(--text);
  font: 14px/1.55 "Inter Variable", Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  font-feature-settings: "cv11", "ss03"; overflow-wrap: anywhere; -webkit-font-smoothing: antialiased; }
h1, h2, h3, p, ul, ol, dl, dd { margin: 0; padding: 0; }
ul, ol { list-style: none; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; text-underline-offset: 3px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: 16px; top: -60px; z-index: 2; padding: 8px 14px; border-radius: 8px;
  background: var(--accent); color: var(--on-accent); }
.skip:focus-visible { top: 10px; }
.wrap { width: 100%; max-width: 888px; margin: 0 auto; padding: 0 24px; }
.top { border-bottom: 1px solid var(--line); }
.top .wrap { display: flex; align-items: center; gap: 16px; min-height: 64px; }
.brand { display: inline-flex; align-items: center; gap: 9px; min-height: 32px; font-size: 16px; font-weight: 640;
  color: var(--text); }
.brand:hover { text-decoration: none; }
.brand svg { color: var(--accent); }
.brand span { color: var(--dim); font-weight: 500; }
.switches { display: flex; gap: 2px; margin-left: auto; }
.switches a { display: grid; place-items: center; min-width: 34px; height: 34px; padding: 0 8px; border-radius: 8px;
  color: var(--dim); font-size: 12.5px; font-weight: 600; }
.switches a:hover { color: var(--text); background: var(--hover); text-decoration: none; }
main { display: grid; gap: 36px; padding: 36px 0 56px; }
.overall { display: flex; align-items: center; gap: 16px; padding: 22px 24px; border: 1px solid var(--line);
  border-radius: 12px; background: var(--panel); }
.overall h1 { font-size: 22px; font-weight: 640; line-height: 1.3; letter-spacing: -0.01em; }
.overall p { color: var(--dim); font-size: 13px; font-variant-numeric: tabular-nums; }
.overall svg { flex: none; width: 34px; height: 34px; }
.overall.ok { border-color: var(--ok-line); background: var(--ok-soft); } .overall.ok svg { color: var(--ok); }
.overall.warn { border-color: var(--warn-line); background: var(--warn-soft); } .overall.warn svg { color: var(--warn); }
.overall.bad { border-color: var(--bad-line); background: var(--bad-soft); } .overall.bad svg { color: var(--bad); }
.overall.info { border-color: var(--info-line); background: var(--info-soft); } .overall.info svg { color: var(--accent); }
.notice { padding: 12px 16px; border: 1px solid var(--warn-line); border-radius: 10px; background: var(--warn-soft); }
section > h2 { margin-bottom: 12px; font-size: 15px; font-weight: 600; }
.panel { border: 1px solid var(--line); border-radius: 10px; background: var(--panel); }
.components > li { padding: 16px 20px 14px; }
.components > li + li { border-top: 1px solid var(--line); }
.name { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 10px; }
.name h3 { font-size: 14px; font-weight: 600; }
.name small { color: var(--dim); font-size: 12.5px; font-variant-numeric: tabular-nums; }
.state { display: inline-flex; align-items: center; gap: 7px; margin-left: auto; font-size: 13px; font-weight: 550; }
.state::before { content: ""; width: 8px; height: 8px; border-radius: 50%; background: currentColor; }
.state.ok { color: var(--ok); } .state.warn { color: var(--warn); } .state.bad { color: var(--bad); }
.state.none { color: var(--dim); } .state.warn::before { border-radius: 2px; }
.state.bad::before { border-radius: 0; transform: rotate(45deg); } .state.none::before { background: none;
  border: 2px solid currentColor; }
.bars { display: block; width: 100%; height: 32px; margin: 10px 0 6px; }
.bars .ok { fill: var(--bar-ok); } .bars .warn { fill: var(--bar-warn); } .bars .bad { fill: var(--bar-bad); }
.bars .none { fill: var(--none); }
.bars rect:hover { opacity: 0.7; }
.span { display: flex; align-items: center; gap: 10px; color: var(--dim); font-size: 12.5px; }
.span::before, .span::after { content: ""; order: 1; flex: 1; height: 1px; background: var(--line); }
.span::after { order: 3; } .span :first-child { order: 0; } .span b { order: 2; color: var(--text); font-weight: 600;
  font-variant-numeric: tabular-nums; } .span :last-child { order: 4; }
.days { margin-top: 8px; color: var(--dim); font-size: 12.5px; }
.days summary { display: inline-block; padding: 4px 0; color: var(--dim); cursor: pointer; }
.days summary:hover { color: var(--text); }
.days li { padding: 2px 0 2px 14px; font-variant-numeric: tabular-nums; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; margin-top: 10px; color: var(--dim); font-size: 12.5px; }
.legend li { display: inline-flex; align-items: center; gap: 7px; }
.legend li::before { content: ""; width: 10px; height: 10px; border-radius: 3px; background: var(--none); }
.legend .ok::before { background: var(--bar-ok); } .legend .warn::before { height: 8px; background: var(--bar-warn); }
.legend .bad::before { height: 5px; background: var(--bar-bad); }
.incidents { display: grid; gap: 14px; }
.incident { padding: 18px 20px; border-left: 3px solid var(--line-control); }
.incident.warn { border-left-color: var(--warn); } .incident.bad { border-left-color: var(--bad); }
.incident.info { border-left-color: var(--accent); } .incident.ok { border-left-color: var(--ok); }
.incident h3 { font-size: 15px; font-weight: 600; line-height: 1.4; }
.about { color: var(--dim); font-size: 13px; font-variant-numeric: tabular-nums; }
.updates { display: grid; gap: 12px; margin-top: 14px; padding-top: 14px; border-top: 1px solid var(--line); }
.updates p { max-width: 68ch; white-space: pre-line; text-wrap: pretty; }
.updates time { color: var(--dim); font-size: 12.5px; font-variant-numeric: tabular-nums; }
.updates b { font-weight: 600; }
.past > li { padding: 14px 20px; } .past > li + li { border-top: 1px solid var(--line); }
.past h3 { font-size: 13px; font-weight: 600; font-variant-numeric: tabular-nums; }
.past .nothing { color: var(--dim); font-size: 13px; }
.past .incident { margin-top: 12px; padding: 2px 0 2px 16px; } .past .incident h4 { margin: 0; font-size: 14px;
  font-weight: 600; }
.empty { padding: 20px; color: var(--dim); }
.subscribe { padding: 20px; } .subscribe > p { color: var(--dim); max-width: 62ch; }
.ways { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 20px 28px; margin-top: 16px; }
label { display: block; margin-bottom: 6px; font-size: 13px; font-weight: 550; }
.field { display: flex; gap: 8px; }
input { flex: 1; min-width: 0; width: 100%; height: 38px; padding: 0 11px; border: 1px solid var(--line-control);
  border-radius: 8px; background: var(--bg); color: var(--text); font: inherit; }
input::placeholder { color: var(--dim); opacity: 1; }
input[aria-invalid] { border-color: var(--bad); }
.wrong { margin-top: 6px; color: var(--bad); font-size: 13px; }
.hint { margin-top: 6px; color: var(--dim); font-size: 12.5px; }
button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 38px; padding: 0 15px;
  border: 1px solid var(--accent); border-radius: 8px; background: var(--accent); color: var(--on-accent); font: inherit;
  font-weight: 580; white-space: nowrap; cursor: pointer; }
button:hover, .button:hover { background: var(--accent-hover); border-color: var(--accent-hover); text-decoration: none; }
button.second, .button.second { border-color: var(--line-control); background: var(--panel); color: var(--text); }
button.second:hover, .button.second:hover { background: var(--hover); }
.feeds { display: flex; flex-wrap: wrap; gap: 6px 18px; margin-top: 18px; padding-top: 16px;
  border-top: 1px solid var(--line); font-size: 13px; }
.card { max-width: 520px; padding: 26px 24px; } .card h1 { margin-bottom: 8px; font-size: 22px; font-weight: 640;
  line-height: 1.3; }
.card p { color: var(--dim); } .card form, .card .actions { display: flex; flex-wrap: wrap; gap: 10px; margin-top: 18px; }
.card form > div { flex: 1 1 100%; }
code { display: block; margin-top: 12px; padding: 10px 12px; border: 1px solid var(--line); border-radius: 8px;
  background: var(--raised); color: var(--text); font: 13px/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace;
  overflow-wrap: anywhere; }
footer { border-top: 1px solid var(--line); background: var(--panel); color: var(--dim); font-size: 13px; }
footer .wrap { display: flex; flex-wrap: wrap; gap: 6px 22px; padding-top: 22px; padding-bottom: 26px; }
footer a { color: var(--dim); } footer a:hover { color: var(--text); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none !important; }
@media (max-width: 650px) {
  .wrap { padding: 0 16px; } main { gap: 28px; padding: 20px 0 40px; } .overall { padding: 18px 16px; gap: 13px; }
  .overall h1 { font-size: 19px; } .components > li, .past > li, .subscribe { padding-left: 16px; padding-right: 16px; }
  .ways { grid-template-columns: minmax(0, 1fr); } .bars { height: 28px; }
}
@media (max-width: 420px) { .field { flex-direction: column; } .field input { flex: none; } }
@media (prefers-reduced-motion: reduce) { *, *::before, *::after { transition: none !important; } }
`;

export interface StatusStyle {
  readonly sheet: string;
  /** The content policy that lets exactly this sheet through, and of scripts our own. */
  readonly policy: string;
}

const ranges = {
  latin: "U+0000-00FF, U+2000-206F, U+20AC, U+2122",
  cyrillic: "U+0301, U+0400-045F, U+0490-0491, U+2116",
} as const;

/** The sheet, with the font of the built console where that is served. */
export function statusStyle(consoleFolder: string | undefined): StatusStyle {
  const folder = path.join(consoleFolder ?? "", "assets");
  const files = consoleFolder !== undefined && existsSync(folder) ? readdirSync(folder) : [];
  const fonts = Object.entries(ranges).flatMap(([script, range]) => {
    const file = files.find((name) =>
      new RegExp(`^inter-${script}-wght-normal-[\\w-]+\\.woff2$`).test(name),
    );
    if (file === undefined) return [];
    return `@font-face { font-family: "Inter Variable"; font-weight: 100 900; font-display: swap;
  src: url(/assets/${file}) format("woff2"); unicode-range: ${range}; }`;
  });
  const sheet = fonts.join("\n") + rules;
  const hash = createHash("sha256").update(sheet).digest("base64");
  return {
    sheet,
    policy: [
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      "script-src 'self'",
      "img-src 'self'",
      "font-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join("; "),
  };
}
