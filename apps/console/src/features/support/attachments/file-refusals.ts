import { fieldIssues } from "#src/api/errors.ts";

/** The texts of the api about files that it refused. */
export function fileRefusals(error: unknown): string[] {
  return Object.entries(fieldIssues(error))
    .filter(([path]) => path.split(/[.[]/)[0] === "attachments")
    .map(([, text]) => text);
}
