import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

/** State of the running Palisade for other processes, one file each below PALISADE_HOME/run. */
const schemas = {
  /** Connections of the embedded PostgreSQL. */
  database: z.object({ ownerUrl: z.string(), runtimeUrl: z.string(), pid: z.number() }),
  /** Last URL of the api; kept after the end, for an edge that is started alone. */
  api: z.object({ url: z.string() }),
  /** Children of the supervisor, for the start after a supervisor was killed. */
  children: z.array(z.object({ program: z.string(), pid: z.number(), startTime: z.string() })),
};

type Schemas = typeof schemas;
export type RunFile = keyof Schemas;
export type RunFileContent<F extends RunFile> = z.infer<Schemas[F]>;

function fileOf(home: string, name: RunFile): string {
  return path.join(home, "run", `${name}.json`);
}

/** Writes atomically. Only the owner can read the file, because the database file opens the database. */
export async function writeRunFile<F extends RunFile>(
  home: string,
  name: F,
  content: RunFileContent<F>,
): Promise<void> {
  const file = fileOf(home, name);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}.fresh`;
  await writeFile(fresh, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  await rename(fresh, file);
}

/** Undefined when the file is missing or not valid. */
export async function readRunFile<F extends RunFile>(
  home: string,
  name: F,
): Promise<RunFileContent<F> | undefined> {
  try {
    const content: unknown = JSON.parse(await readFile(fileOf(home, name), "utf8"));
    // The schema is the named file's; TypeScript does not follow the index through safeParse.
    const parsed = schemas[name].safeParse(content);
    return parsed.success ? (parsed.data as RunFileContent<F>) : undefined;
  } catch {
    return undefined;
  }
}

export function removeRunFile(home: string, name: RunFile): Promise<void> {
  return rm(fileOf(home, name), { force: true });
}
