import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { programEnvironment } from "@palisade/testing/program-environment";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";

export interface SampleRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the API reference as if it were pasted into a shell. */
export function runCurl(command: string, environment: Record<string, string>): Promise<SampleRun> {
  return run("bash", ["-c", command], environment);
}

/** Runs a program of the API reference as a file of its own. */
export async function runTypeScript(
  source: string,
  environment: Record<string, string>,
): Promise<SampleRun> {
  const folder = await createTemporaryFolder("sample");
  try {
    const file = path.join(folder.path, "sample.mts");
    await writeFile(file, source);
    return await run(process.execPath, [file], environment);
  } finally {
    await folder.remove();
  }
}

function run(
  program: string,
  args: readonly string[],
  environment: Record<string, string>,
): Promise<SampleRun> {
  const env = { ...programEnvironment, ...environment };
  return new Promise((resolve) => {
    const child = execFile(program, args, { env }, (_error, stdout, stderr) =>
      resolve({ exitCode: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}
