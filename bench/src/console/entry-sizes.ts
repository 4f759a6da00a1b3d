import { z } from "zod";

/** Vite's manifest, as far as it is read here. */
export const manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    isDynamicEntry: z.boolean().optional(),
    imports: z.array(z.string()).optional(),
    css: z.array(z.string()).optional(),
  }),
);

export type Manifest = z.infer<typeof manifest>;

export interface EntryFiles {
  /** The page, or the source a lazy one begins with. */
  readonly name: string;
  readonly isLazy: boolean;
  /** Scripts and styles that have to be there before it runs; of a lazy one those that are new. */
  readonly files: readonly string[];
}

/** Scripts and styles that a page names: all that it imports at once is among them. */
export function filesNamedIn(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map(([, file = ""]) => file);
}

/**
 * What a browser fetches for each page, and in addition for each lazy part of the console.
 *
 * @param pages their HTML, by name
 */
export function entryFiles(given: Manifest, pages: ReadonlyMap<string, string>): EntryFiles[] {
  const whole = [...pages].map(([name, html]) => ({ name, files: filesNamedIn(html) }));
  const first = new Set(whole.flatMap(({ files }) => files));
  const lazy = Object.keys(given).filter((name) => given[name]?.isDynamicEntry === true);
  return [
    ...whole.map((page) => ({ ...page, isLazy: false })),
    ...lazy.map((name) => ({
      name,
      isLazy: true,
      files: [...closureOf(given, name)].filter((file) => !first.has(file)),
    })),
  ];
}

function closureOf(given: Manifest, name: string): Set<string> {
  const files = new Set<string>();
  const seen = new Set<string>();
  const visit = (at: string): void => {
    const chunk = given[at];
    if (chunk === undefined || seen.has(at)) return;
    seen.add(at);
    files.add(chunk.file);
    for (const style of chunk.css ?? []) files.add(style);
    for (const next of chunk.imports ?? []) visit(next);
  };
  visit(name);
  return files;
}
