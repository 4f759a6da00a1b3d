import { z } from "zod";

/** Vite's manifest, as far as it is read here. */
export const manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    isEntry: z.boolean().optional(),
    isDynamicEntry: z.boolean().optional(),
    imports: z.array(z.string()).optional(),
    css: z.array(z.string()).optional(),
  }),
);

export type Manifest = z.infer<typeof manifest>;

export interface EntryFiles {
  /** Source the entry begins with. */
  readonly name: string;
  readonly isLazy: boolean;
  /** Scripts and styles that have to be there before it runs; of a lazy one those that are new. */
  readonly files: readonly string[];
}

/** What a browser fetches for the page's own entries, and in addition for each lazy one. */
export function entryFiles(given: Manifest): EntryFiles[] {
  const names = Object.keys(given);
  const entries = names.filter((name) => given[name]?.isEntry === true);
  const first = new Set(entries.flatMap((name) => [...closureOf(given, name)]));
  const lazy = names.filter((name) => given[name]?.isDynamicEntry === true);
  return [
    ...entries.map((name) => ({ name, isLazy: false, files: [...closureOf(given, name)] })),
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
