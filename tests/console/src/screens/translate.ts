import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Locale } from "@palisade/contract/texts/locale";

const sources = path.resolve(import.meta.dirname, "../../../../apps/console/src");

/** Words on the screen, by their English text: dialogs are opened by the names of their buttons. */
export type Translate = (english: string, values?: Readonly<Record<string, string>>) => string;

/** The text in this language; `{name}` in it is replaced by the value of that name. */
export function translator(locale: Locale): Translate {
  const russian = locale === "ru" ? readCatalogue() : undefined;
  return (english, values = {}) => {
    const text = russian === undefined ? english : russian.get(english);
    if (text === undefined) throw new Error(`The console has no text "${english}"`);
    return text.replaceAll(
      /\{(\w+)\}/g,
      (placeholder, name: string) => values[name] ?? placeholder,
    );
  };
}

/** Only entries without a context, and on one line each, as the names of buttons are. */
function readCatalogue(): ReadonlyMap<string, string> {
  const entries = globSync("**/locales/ru.po", { cwd: sources })
    .flatMap((file) => readFileSync(path.join(sources, file), "utf8").split("\n\n"))
    .flatMap((entry) => {
      const [, id, text] = /^(?:#.*\n)*msgid (".+")\nmsgstr (".+")$/m.exec(entry) ?? [];
      if (id === undefined || text === undefined || /^msgctxt /m.test(entry)) return [];
      return [[JSON.parse(id) as string, JSON.parse(text) as string] as const];
    });
  return new Map(entries);
}
