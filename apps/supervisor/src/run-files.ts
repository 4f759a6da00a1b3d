import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

/** What others may know of the running Palisade, one file per fact below PALISADE_HOME/run. */
const schemas = {
  /** Connections of the embedded PostgreSQL. */
  database: z.object({ ownerUrl: z.string(), runtimeUrl: z.string(), pid: z.number() }),
  /** Where the api was last found; kept after the end, for an edge that is started alone. */
  api: z.object({ url: z.string() }),
  /** Children of the supervisor, for the start after one that was killed. */
  children: z.array(z.object({ program: z.string(), pid: z.number(), startTime: z.string() })),
};

type Schemas = typeof schemas;
export type RunFile = keyof Schemas;
export type RunFacts<F extends RunFile> = z.infer<Schemas[F]>;

function fileOf(home: string, name: RunFile): string {
  return path.join(home, "run", `${name}.json`);
}

/** Whole or not at all; readable by the owner only, since database facts open the database. */
export async function writeRunFile<F extends RunFile>(
  home: string,
  name: F,
  facts: RunFacts<F>,
): Promise<void> {
  const file = fileOf(home, name);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}.fresh`;
  await writeFile(fresh, `${JSON.stringify(facts)}\n`, { mode: 0o600 });
  await rename(fresh, file);
}

/** Undefined when missing or not as we write it. */
export async function readRunFile<F extends RunFile>(
  home: string,
  name: F,
): Promise<RunFacts<F> | undefined> {
  try {
    const content: unknown = JSON.parse(await readFile(fileOf(home, name), "utf8"));
    // The schema is the named file's; TypeScript does not follow the index through safeParse.
    const parsed = schemas[name].safeParse(content);
    return parsed.success ? (parsed.data as RunFacts<F>) : undefined;
  } catch {
    return undefined;
  }
}

export function removeRunFile(home: string, name: RunFile): Promise<void> {
  return rm(fileOf(home, name), { force: true });
}
