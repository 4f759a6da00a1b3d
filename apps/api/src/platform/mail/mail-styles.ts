/** The product's tokens, as far as mails need them. */
const colours = {
  light: {
    bg: "#f6f7f9",
    panel: "#ffffff",
    raised: "#f1f3f6",
    line: "#dfe4ea",
    text: "#12181f",
    dim: "#4d5966",
    accent: "#2f5fe0",
    onAccent: "#ffffff",
    attack: "#955800",
    attackSoft: "#fbf1e0",
    attackLine: "#e3c084",
  },
  dark: {
    bg: "#0a0c0f",
    panel: "#101419",
    raised: "#151a21",
    line: "#212932",
    text: "#e8edf2",
    dim: "#9aa6b2",
    accent: "#7aa2ff",
    onAccent: "#071226",
    attack: "#f2a93b",
    attackSoft: "#211911",
    attackLine: "#6b4c1f",
  },
} as const;

type Colours = Readonly<Record<keyof (typeof colours)["light"], string>>;

const styles = {
  page: (c: Colours) => `background-color:${c.bg};color:${c.text}`,
  panel: (c: Colours) => `background-color:${c.panel};border-color:${c.line}`,
  line: (c: Colours) => `border-color:${c.line}`,
  text: (c: Colours) => `color:${c.text}`,
  dim: (c: Colours) => `color:${c.dim}`,
  link: (c: Colours) => `color:${c.accent}`,
  pale: (c: Colours) => `background-color:${c.accent}`,
  tip: (c: Colours) => `border-bottom-color:${c.accent}`,
  code: (c: Colours) => `background-color:${c.raised};border-color:${c.line};color:${c.text}`,
  button: (c: Colours) =>
    `background-color:${c.accent};border-color:${c.accent};color:${c.onAccent}`,
  caution: (c: Colours) =>
    `background-color:${c.attackSoft};border-color:${c.attackLine};color:${c.text}`,
  warn: (c: Colours) => `color:${c.attack}`,
};
type StyleName = keyof typeof styles;

/** Attributes of an element: light inline, for programs that drop style sheets; dark by its class. */
export function styled(name: StyleName, style = "", otherClass = ""): string {
  const classes = otherClass === "" ? name : `${name} ${otherClass}`;
  // Colours last: shorthands such as `border` in `style` would set them back.
  return `class="${classes}" style="${style === "" ? "" : `${style};`}${styles[name](colours.light)}"`;
}

const dark = Object.entries(styles).map(
  ([name, of]) => [name, of(colours.dark).replaceAll(/(;|$)/g, " !important$1")] as const,
);

const narrow = ".gutter{padding:20px 12px !important}.inside{padding:24px 20px !important}";

/** In two sheets: Gmail drops a whole one that holds a selector it does not know. */
export const mailStyle = `<style>:root{color-scheme:light dark;supported-color-schemes:light dark}
a{text-underline-offset:2px}
@media (max-width:480px){${narrow}}
@media (prefers-color-scheme:dark){${dark.map(([name, rule]) => `.${name}{${rule}}`).join("")}}</style>
<style>${dark.map(([name, rule]) => `[data-ogsc] .${name}{${rule}}`).join("")}</style>`;

export const sansFont =
  "Inter,system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";
export const monoFont = "'JetBrains Mono',ui-monospace,SFMono-Regular,Menlo,Consolas,monospace";
