import { z } from "zod";

/** The parts of Vite's manifest that are used here. */
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
  /** The page, or the source file of a lazy part. */
  readonly name: string;
  readonly isLazy: boolean;
  /** Scripts and styles needed before it runs; for a lazy part only those that no page has. */
  readonly files: readonly string[];
}

/** Scripts and styles named in a page, which include its static imports. */
export function filesNamedIn(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map(([, file = ""]) => file);
}

/**
 * The files that a browser fetches for each page, and additionally for each lazy part.
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
